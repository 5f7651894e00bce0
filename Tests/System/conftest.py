"""How pytest selects and orders these tests, and what a failure shows."""
import re

import pytest

from server_process import Server

# The files with the longest classes. They begin first, so that nothing waits for them at the end.
SLOWEST = ["test_description", "test_host_access", "test_host_page", "test_page_access", "test_host_team",
    "test_page_scripts", "test_dashboard"]
LINES_OF_A_LOG = 30


def pytest_addoption(parser):
    parser.addoption("--named", default="", metavar="X",
        help="only tests whose name (file.Class.test) matches this regular expression")


def pytest_collection_modifyitems(config, items):
    named = re.compile(config.getoption("named"))
    kept, others = [], []
    for item in items:
        is_named = named.search(f"{item.module.__name__}.{item.cls.__name__}.{item.name}")
        (kept if is_named else others).append(item)
    config.hook.pytest_deselected(items=others)
    order = {file: place for place, file in enumerate(SLOWEST)}
    items[:] = sorted(kept, key=lambda item: order.get(item.module.__name__, len(order)))


def pytest_runtest_setup(item):
    # Forget the servers of earlier tests, which have stopped.
    Server.started[:] = [server for server in Server.started if server.is_running]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        report.sections += [(f"log of the server at port {server.port}", server.log.last(LINES_OF_A_LOG))
            for server in Server.started]
    return report
