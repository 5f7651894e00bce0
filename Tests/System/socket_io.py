"""Clients of Socket.IO: by PyPI's python-socketio in another process, by hand on a websocket, and by polling.
"""
import json
import os
import subprocess
import sys
import time

from api import API
from event_stream import Messages
from raw_websocket import CLOSE, TEXT, RawWebSocket
from server_process import DEADLINE, Lines

HERE = os.path.dirname(__file__)


class SocketIO:
    """`version` is python-socketio's: 4 speaks Engine.IO 3, and 5 speaks Engine.IO 4. If the client
    `reconnects`, it says "again" each time."""

    def __init__(self, server, token, version, *transports, reconnects=False):
        packages = os.path.join(HERE, "..", "..", ".venv", f"socketio-{version}")
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "socketio_client.py"), str(version), server.url, token,
                "again" if reconnects else "once", *transports],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": packages})
        self.output = Lines(self.process.stdout)
        # The line after the last heard one of each event. The library handles events in threads of their own,
        # so different events may come in any order.
        self.heard = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(DEADLINE)
        self.process.stdin.close()
        self.output.thread.join(DEADLINE)

    def hear(self, event, condition=lambda *_: True):
        """Waits for the next event of this name that matches. Returns its arguments."""
        def find(lines):
            for number in range(self.heard.get(event, 0), len(lines)):
                name, *arguments = json.loads(lines[number])
                if name == event and condition(*arguments):
                    self.heard[event] = number + 1
                    return (arguments,)
            return None
        return self.output.wait_for(find)[0]

    def emit(self, event, argument):
        """Sends an event. Returns the arguments of its acknowledgement."""
        self.process.stdin.write(json.dumps([event, argument]) + "\n")
        self.process.stdin.flush()
        return self.hear("ack")


class JavaScriptSocketIO:
    """The client of Socket.IO for JavaScript, in a page of a browser."""

    def __init__(self, browser, server, token, *transports):
        self.driver, self.browser = browser.driver, browser
        browser.open(server.url)
        with open(os.path.join(HERE, "..", "..", ".venv", "socketio-js", "nicegui", "static",
                "socket.io.min.js"), encoding="utf-8") as file:
            self.driver.execute_script(file.read())
        self.driver.execute_script("""
            const [token, transports] = arguments;
            window.heard = [];
            const ways = transports.length ? { transports } : {};
            window.client = io({ auth: { token }, reconnection: false, ...ways });
            client.on("connect", () => heard.push(["connect", client.recovered]));
            client.on("disconnect", (reason) => heard.push(["disconnect", reason]));
            client.onAny((...event) => heard.push(event));""", token, transports)

    @property
    def heard(self):
        return self.driver.execute_script("return heard")

    def hear(self, event, number=0):
        """Waits for an event of this name, the first unless `number` is given. Returns its arguments."""
        def found():
            events = [arguments for name, *arguments in self.heard if name == event]
            return events[number:number + 1]
        return self.browser.wait_for(found, lambda: f"no {event} in {self.heard}")[0]

    def emit(self, event, argument):
        """Sends an event. Returns its acknowledgement."""
        return self.driver.execute_async_script(
            "const [event, argument, done] = arguments; client.emit(event, argument, done);", event, argument)

    def lose(self):
        """Ends the connection below the client, which has not asked for it."""
        self.driver.execute_script("client.io.engine.close()")

    def connect(self):
        self.driver.execute_script("client.connect()")


class SocketIOView(RawWebSocket, Messages):
    """One room of a client on a websocket."""

    def __init__(self, server, room, token, since=None):
        super().__init__(server.port, path="/socket.io/?EIO=4&transport=websocket")
        self.room, self.is_closed, self.last_id = room, False, None
        self.packet(time.monotonic() + DEADLINE)
        self.say("40" + json.dumps({"token": token}))
        self.say("421" + json.dumps(["join", {"room": room, **({"since": since} if since else {})}]))

    def packet(self, until):
        """Returns the text of the next packet; None if none came."""
        while not self.is_closed:
            self.socket.settimeout(max(0.001, until - time.monotonic()))
            try:
                opcode, payload = self.receive()
            except TimeoutError:
                return None
            except OSError:
                self.is_closed = True
                return None
            if opcode == CLOSE:
                self.is_closed = True
            elif opcode == TEXT:
                return payload.decode()
        return None

    def hear(self, until):
        while (text := self.packet(until)) is not None:
            if text.startswith("431"):
                return json.loads(text[3:])[0]
            if text.startswith("42"):
                event, *arguments = json.loads(text[2:])
                if event in ("frame", "left"):
                    return arguments[0]
        return None


class Polling:
    """A session of Engine.IO 4 by polling, without a client library."""

    def __init__(self, server, headers=None, query="EIO=4"):
        self.api, self.path = API(server), f"/socket.io/?{query}&transport=polling"
        self.headers = headers or {}
        answer = self.api.get(self.path, headers=self.headers)
        self.status = answer.status
        self.packets = []
        if self.status == 200:
            first, *self.packets = answer.text.split("\x1e")
            self.open = json.loads(first[1:])
            self.path += f"&sid={self.open['sid']}"

    def post(self, *packets):
        return self.api.request("POST", self.path, body="\x1e".join(packets).encode(),
            headers={**self.headers, "Content-Type": "text/plain"})

    def poll(self):
        """Returns the next packet."""
        while not self.packets:
            self.packets = self.api.get(self.path, headers=self.headers).expect(200).text.split("\x1e")
        return self.packets.pop(0)

    def hear(self, start):
        """Returns the next packet that begins so."""
        while not (packet := self.poll()).startswith(start):
            pass
        return packet
