"""A client of the HTTP API: JSON in and out, over one kept connection."""
import http.client
import json as JSON
import time
import urllib.parse

import described

# How many seconds a kept connection is used again: the server closes one that is idle for 60.
LONGEST_IDLE = 30


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return JSON.loads(self.body)

    @property
    def code(self):
        """Returns the problem's code, or None if the answer is no problem."""
        return self.json.get(
            "code") if self.headers.get_content_type() == "application/problem+json" else None

    def expect(self, *statuses):
        """Checks the status and returns the answer itself, so that a request that must succeed is one line.
        """
        assert self.status in statuses, f"{self.status} instead of {statuses}: {self.body[:1000]!r}"
        return self

    def __repr__(self):
        return f"<{self.status} {dict(self.headers)} {self.body[:500]!r}>"


class API:
    """One kept connection to a server. It finds the server again after a restart on another port. Not safe
    for several threads."""

    def __init__(self, server, token=None):
        self.server = server
        self.token = token
        self.connection = None
        self.used_at = time.monotonic()

    def as_(self, token):
        """Returns a client of the same server for another caller, over a connection of its own."""
        return API(self.server, token)

    def request(self, method, path, body=None, *, json=None, form=None, headers=None, token=...):
        """Sends a request. `body` is sent as it is; `json` and `form` set the content type too. `token=None`
        sends none. An edit overwrites any version unless `headers` names one; `{"If-Match": None}` names
        none."""
        headers = dict(headers or {})
        if method in ("PATCH", "PUT") and "If-None-Match" not in headers:
            headers.setdefault("If-Match", "*")
        headers = {name: value for name, value in headers.items() if value is not None}
        token = self.token if token is ... else token
        if token is not None:
            headers.setdefault("Authorization", f"Bearer {token}")
        if json is not None:
            body = JSON.dumps(json, ensure_ascii=False).encode()
            headers.setdefault("Content-Type", "application/json")
        if form is not None:
            body = urllib.parse.urlencode(form, doseq=True).encode()
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        is_idle = time.monotonic() - self.used_at > LONGEST_IDLE
        if self.connection is None or self.connection.port != self.server.port or is_idle:
            self.close()
            self.connection = self.server.connection()
        try:
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except (http.client.HTTPException, OSError):
            self.close()
            raise
        finally:
            self.used_at = time.monotonic()
        # No description covers the answers of a proxy itself.
        fault = described.fault(method, path, answer.status,
            answer.code if answer.body else None) if "X-Request-Id" in answer.headers else None
        assert fault is None, fault
        return answer

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, json=None, **options):
        return self.request("POST", path, json=json, **options)

    def put(self, path, json=None, **options):
        return self.request("PUT", path, json=json, **options)

    def patch(self, path, json=None, **options):
        return self.request("PATCH", path, json=json, **options)

    def delete(self, path, **options):
        return self.request("DELETE", path, **options)

    def all(self, path, limit=50):
        """Returns every item of a list, page by page."""
        items, cursor = [], None
        while True:
            query = {"limit": limit, **({"cursor": cursor} if cursor else {})}
            page = self.get(path + ("&" if "?" in path else "?") + urllib.parse.urlencode(query)).expect(
                200).json
            assert len(page["items"]) <= limit, page
            items += page["items"]
            cursor = page["nextCursor"]
            if cursor is None:
                return items

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def __del__(self):
        self.close()
