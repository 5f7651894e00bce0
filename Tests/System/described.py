"""Compares every answer in a system test with the server's own description: an undescribed status or problem
code fails."""
import functools
import json
import re
import subprocess

from server_process import QRING


def resolved(document, value):
    """Follows the references of a value in the description."""
    while "$ref" in value:
        node = document
        for part in value["$ref"].split("/")[1:]:
            node = node[part]
        value = node
    return value


@functools.cache
def description():
    """For each path, a regular expression and the described answers of each method, as `{status: response}`.
    """
    document = json.loads(subprocess.run([QRING, "openapi"], capture_output=True, check=True).stdout)

    operations = []
    for path, methods in document["paths"].items():
        pattern = "/".join(
            re.sub(r"\{\w+\}", "[^/]+", re.escape(part).replace(r"\{", "{").replace(r"\}", "}"))
            for part in path.split("/"))
        answers = {
            method.upper(): {status: resolved(document, answer)
                for status, answer in operation["responses"].items()}
            for method, operation in methods.items() if "responses" in operation}
        # Literal segments come before named ones.
        operations.append((path.count("{"), re.compile(pattern), answers))
    return [(pattern, answers) for _, pattern,
        answers in sorted(operations, key=lambda operation: operation[0])]


def codes(response):
    """Returns the problem codes that a described answer can have."""
    schema = response.get("content", {}).get("application/problem+json", {}).get("schema", {})
    return {code for part in schema.get("allOf", [])
        for code in part.get("properties", {}).get("code", {}).get("enum", [])}


def fault(method, path, status, code):
    """Returns the part of this answer that is not described, or None. It ignores operations that have no
    description."""
    path = path.split("?")[0]
    answers = next((answers for pattern, answers in description() if pattern.fullmatch(path)), {})
    operation = answers.get("GET" if method == "HEAD" else method)
    if operation is None:
        return None
    response = operation.get(str(status))
    if response is None:
        return f"{method} {path} answers {status} ({code}), which its description does not name"
    if code is not None and code not in codes(response):
        named = sorted(codes(response))
        return f"{method} {path} answers {status} with {code}, and its description names {named}"
    return None
