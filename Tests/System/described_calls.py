"""Hooks of schemathesis, in its own process. A valid generated request gets a caller with the right and ids
that exist. Every answer is recorded, so that the test knows which operations succeeded."""
import collections
import json
import os
import random
import unicodedata

import schemathesis
from schemathesis.generation.meta import TestPhase

from described_cast import Cast

CAST = Cast.of_environment()
NOTES = open(os.environ["QRING_NOTES"], "a", encoding="utf-8", buffering=1)

# So many valid and so many invalid borders of each operation are always tried; 0 for all of them.
BORDERS = int(os.environ["QRING_BORDERS"])
CHANCE = random.Random(int(os.environ["QRING_SEED"]))
SEEN = collections.Counter()

FILES = ["text/csv", "image/jpeg", "image/png"]


@schemathesis.serializer("image/jpeg", "image/png")
def as_it_is(context, value):
    """The schema does not describe an image, so any bytes may have been generated."""
    return value if isinstance(value, bytes) else repr(value).encode()


def is_right(case):
    return case.meta is None or case.meta.generation.mode.is_positive


def path_of_link(case):
    return case.method.upper() == "DELETE" and "{linkId}" in case.operation.path


def is_id(value):
    return isinstance(value, str) and len(value) == 26 and value.isalnum()


@schemathesis.hook
def filter_case(context, case):
    """Keeps the first valid and invalid borders of each operation, and ever fewer of the others, which the
    seed chooses. A large schema has hundreds of them."""
    if not BORDERS or case.meta is None or case.meta.phase.name != TestPhase.COVERAGE:
        return True
    kind = case.operation.label, case.meta.generation.mode
    SEEN[kind] += 1
    return CHANCE.random() * SEEN[kind] < BORDERS


@schemathesis.hook
def before_call(context, case, kwargs):
    method, path = case.method.upper(), case.operation.path
    proofs = {name for alternative in case.operation.definition.raw.get("security", [])
        for name in alternative}
    token = CAST.token(method, path, proofs)
    if token:
        case.headers["Authorization"] = f"Bearer {token}"
    right = is_right(case)
    for name, value in CAST.path(method, path).items():
        if name in case.path_parameters and (right or is_id(case.path_parameters[name])):
            case.path_parameters[name] = value
    if not right:
        return
    # A generated tag would make every edit fail.
    case.headers.pop("If-Match", None)
    if method in ("PATCH", "PUT"):
        case.headers.pop("If-None-Match", None)
        case.headers["If-Match"] = "*"
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = CAST.key()
    case.query = CAST.query(case.query)
    case.headers.update(CAST.headers(path))
    if case.media_type == "application/x-www-form-urlencoded":
        case.body = CAST.form(path, case.headers)
    elif case.media_type in FILES:
        case.body = CAST.file(case.media_type)
    elif isinstance(case.body, dict):
        case.body = CAST.body(path, case.body, method)


def texts(value):
    """Returns every string in the value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def as_counted(text):
    """Returns the length as the server counts it: characters as people see them, without surrounding spaces.
    A schema counts all code points."""
    return sum(not unicodedata.category(scalar).startswith("M")
        for scalar in unicodedata.normalize("NFC", text.strip()))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Not a failure: the text is too long only in code points."""
    if "maxLength" not in (failure.message or "") or not 200 <= response.status_code < 300:
        return True
    longest = max((as_counted(text) for text in texts([case.body, dict(case.query or {})])), default=0)
    return longest > 100


# Headers that clients act on.
SPOKEN = ["ETag", "Set-Cookie", "Location", "Retry-After", "Allow", "WWW-Authenticate", "Upgrade",
    "Idempotency-Replayed", "Last-Modified"]


def undescribed(case, response):
    """Returns the headers of the answer that are not described."""
    said = case.operation.definition.raw["responses"].get(str(response.status_code))
    if said is None:
        return []
    while "$ref" in said:
        place = case.operation.schema.raw_schema
        for part in said["$ref"].split("/")[1:]:
            place = place[part]
        said = place
    known = {name.lower() for name in said.get("headers", {})}
    return [name for name in SPOKEN if name.lower() in response.headers and name.lower() not in known]


@schemathesis.hook
def after_call(context, case, response):
    if (case.method.upper(), case.operation.path) == ("POST",
            "/api/v1/tokens/refresh") and response.status_code == 201:
        CAST.refresh_token = response.json()["refreshToken"]
    if (case.method.upper(), case.operation.path) == ("POST", "/host/renew") and response.status_code == 201:
        CAST.web_refresh_token = next(
            cookie.split(";")[0].split("=", 1)[1]
            for cookie in response.headers["set-cookie"] if cookie.startswith("qring_refresh="))
    if 200 <= response.status_code < 300:
        CAST.ended(case.method.upper(), case.operation.path)
    if path_of_link(case) and response.status_code == 204:
        CAST.links.pop(0)
    NOTES.write(
        json.dumps(
            [case.method.upper(), case.operation.path, response.status_code,
                undescribed(case, response)]) + "\n")
