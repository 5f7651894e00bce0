"""A real SMTP server (aiosmtpd) that receives the mails of a test, and a queue of mails to send."""
import email
import email.policy
import json
import os
import sqlite3
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from server_process import DEADLINE


class Receiver:
    """Receives mails on a port of this machine. `answers` maps a recipient to the reply that refuses or
    defers the mail."""

    def __init__(self, port=0, password=None, tls=None):
        self.received = []
        self.answers = {}
        self.changed = threading.Condition()
        self.attempts = []
        options = {}
        if password:
            options = {"authenticator": self._authenticate, "auth_required": True,
                "auth_require_tls": False}
        self.password = password
        self.controller = _Controller(self, hostname="127.0.0.1", port=port, ssl_context=tls, **options)
        self.controller.start()
        self.port = self.controller.server.sockets[0].getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.controller:
            self.controller.stop(no_assert=True)
            self.controller = None

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def _authenticate(self, server, session, envelope, mechanism, data):
        known = data.password == self.password.encode()
        return AuthResult(success=known, handled=False)

    async def handle_RCPT(self, server, session, envelope, address, options):
        with self.changed:
            self.attempts.append(address)
            self.changed.notify_all()
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        with self.changed:
            self.received.append((envelope.rcpt_tos[0], message))
            self.changed.notify_all()
        return "250 OK"

    def wait_for(self, count, seconds=DEADLINE):
        """Waits until `count` mails have arrived, and returns them. Each must come within `seconds`."""
        with self.changed:
            while (before := len(self.received)) < count:
                assert self.changed.wait_for(lambda: len(self.received) > before, seconds), \
                    f"{before} of {count} mails arrived"
            return list(self.received)

    def wait_for_attempts(self, count, seconds=DEADLINE):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.attempts) >= count, seconds), self.attempts

    def ids(self):
        with self.changed:
            return [message["Message-ID"] for _, message in self.received]


class _Controller(Controller):
    """A controller whose port may be 0; the original connects to the port that it was given."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def queue(folder, addresses, kind="verification", language="en", minutes=60):
    """Puts mails with codes into the queue of a stopped server, as a command of the server would."""
    database = sqlite3.connect(os.path.join(folder, "journal.db"))
    now = int(time.time() * 1000)
    with database:
        for number, address in enumerate(addresses):
            fields = json.dumps({kind: {"code": f"{number:06}", "path": f"/x#{number}"}})
            database.execute(
                "INSERT INTO mails VALUES"
                " (?, ?, 1, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, ?, 0, 0, ?, NULL, NULL, '')",
                (os.urandom(16), ["verification", "passwordReset"].index(kind), address, address.lower(),
                 language, fields, now, now + minutes * 60_000, now, now))
    database.close()


def content(message, kind):
    """Returns the text of the part of this kind: `plain` or `html`."""
    return message.get_body((kind,)).get_content()
