"""Reads the routes that the Swift source declares, so that the list in routes.py cannot lack one."""
import glob
import os
import re

from routes import Route

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "Sources", "Server", "Features")


def declarations():
    """Returns the text of each declaration of a route."""
    text = ""
    for path in sorted(glob.glob(os.path.join(SOURCE, "*", "*Routes.swift"))):
        with open(path, encoding="utf-8") as file:
            text += re.sub(r"//[^\n]*", "", file.read())
    return re.split(r"\bRoute\(", text)[1:]


def patterns_by_address():
    """Returns the patterns of the routes, and those with a route whose log line has no address."""
    found = [(re.search(r'"([^"]+)"', one)[1], "logsAddress: false" in one) for one in declarations()]
    return {pattern for pattern, _ in found}, {pattern for pattern, is_without in found if is_without}


def routes_of_source():
    """Returns the routes of the Swift source, in the same form."""
    found = []
    for declaration in declarations():
        match = re.match(
            r"""\s*\.(\w+),\s*"([^"]+)",\s*\.(\w+)(?:\(\.(\w+),\s*of:\s*\.(\w+)\))?\s*,\s*"""
            r"""(?:does:\s*"[^"]*"\s*,\s*)?"""
            r"""(?:body:\s*\.(\w+)(?:\((?:[^)]*?json:\s*)?(\w+)\.self)?|reading:\s*(\w+)\.self)?""",
            declaration)
        if not match:
            raise AssertionError(f"a route in a form that this reader does not know: {declaration[:200]}")
        method, pattern, access, role, scope, body, schema, reading = match.groups()
        found.append(
            Route(method.upper(), pattern, " ".join(filter(None, [access, role, scope])),
                schema or body or reading))
    return found
