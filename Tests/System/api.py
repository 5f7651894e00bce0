"""The HTTP API as a client of ours sees it: JSON in and out, over one kept connection."""
import http.client
import json as JSON
import time
import urllib.parse

import described

# Seconds that a connection is trusted to be kept: the server closes one that is idle for 60.
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
        """The problem's code; None where the answer is no problem."""
        return self.json.get("code") if self.headers.get_content_type() == "application/problem+json" else None

    def expect(self, *statuses):
        """Gives itself, so that a request which must succeed is one line."""
        assert self.status in statuses, f"{self.status} instead of {statuses}: {self.body[:1000]!r}"
        return self

    def __repr__(self):
        return f"<{self.status} {dict(self.headers)} {self.body[:500]!r}>"


class API:
    """One connection to a server, kept; found again after a restart on another port. Not for several threads."""

    def __init__(self, server, token=None):
        self.server = server
        self.token = token
        self.connection = None
        self.used_at = time.monotonic()

    def as_(self, token):
        """The same server for somebody else, over a connection of their own."""
        return API(self.server, token)

    def request(self, method, path, body=None, *, json=None, form=None, headers=None, token=...):
        """`body` goes as it is; `json` and `form` set the content type too. `token=None` sends none. An edit overwrites whatever is there,
        unless `headers` says otherwise; `{"If-Match": None}` says nothing of what was seen."""
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
        if self.connection is None or self.connection.port != self.server.port or time.monotonic() - self.used_at > LONGEST_IDLE:
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
        # A proxy's own answers are described nowhere.
        fault = described.fault(method, path, answer.status, answer.code if answer.body else None) if "X-Request-Id" in answer.headers else None
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
        """Every item of a list, page by page."""
        items, cursor = [], None
        while True:
            query = {"limit": limit, **({"cursor": cursor} if cursor else {})}
            page = self.get(path + ("&" if "?" in path else "?") + urllib.parse.urlencode(query)).expect(200).json
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
