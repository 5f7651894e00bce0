"""How pytest selects and orders these tests, and what a failure shows."""
import re
import signal

import pytest

from server_process import PATIENCE, Server

# The files with the longest classes. They begin first, so that nothing waits for them at the end.
SLOWEST = ["test_description", "test_host_access", "test_host_page", "test_page_access", "test_host_team",
    "test_page_scripts", "test_dashboard"]
LINES_OF_A_LOG = 30


def pytest_addoption(parser):
    parser.addoption("--named", default="", metavar="X",
        help="only tests whose name (file.Class.test) matches this regular expression")
    parser.addoption("--longest", type=int, default=900 * PATIENCE, metavar="SECONDS",
        help="a test that takes longer, with what it sets up, fails and shows where it waits")
    parser.addoption("--failures", metavar="FILE", help="a file to which the ids of failed tests are added")


class Failures:
    """Adds the ids of the failed tests to a file."""

    def __init__(self, path):
        self.path, self.ids = path, []

    def pytest_runtest_logreport(self, report):
        if report.failed and report.nodeid not in self.ids:
            self.ids.append(report.nodeid)

    pytest_collectreport = pytest_runtest_logreport

    def pytest_sessionfinish(self):
        with open(self.path, "a", encoding="utf-8") as file:
            file.writelines(f"{id}\n" for id in self.ids)


def pytest_configure(config):
    path = config.getoption("--failures")
    # The workers of xdist report to the process that started them.
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(path))


def pytest_collection_modifyitems(config, items):
    named = re.compile(config.getoption("named"))
    kept, others = [], []
    for item in items:
        is_named = named.search(f"{item.module.__name__}.{item.cls.__name__}.{item.name}")
        (kept if is_named else others).append(item)
    config.hook.pytest_deselected(items=others)
    order = {file: place for place, file in enumerate(SLOWEST)}
    items[:] = sorted(kept, key=lambda item: order.get(item.module.__name__, len(order)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    longest = item.config.getoption("--longest")

    def stop(signal_number, frame):
        raise TimeoutError(f"{item.nodeid} takes longer than {longest} s")

    signal.signal(signal.SIGALRM, stop)
    # Again and again, because what ends the test may wait for ever, too.
    signal.setitimer(signal.ITIMER_REAL, longest, 10 * PATIENCE)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


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
