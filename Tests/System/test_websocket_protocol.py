"""The WebSockets target alone, behind the front door, against RFC 6455: Tests/WebSocketEcho sends back what
it receives."""
import os
import re
import socket
import subprocess
import unittest

from raw_websocket import CLOSE, RawWebSocket
from server_process import DEADLINE, QRING
from websocket_cases import CASES, Awaited, Chopped, closing

# The cases in which the server does not do what the list asks for, with its close code and the reason.
EXCEPTIONS = [
    (r"1\.2\.\d+|9\.[2468]\.\d+", 1003,
        "rooms are text; a binary message is refused with the code that RFC 6455 §7.4.1 has for that"),
    (r"9\.1\.[2-6]|9\.9\.1", 1009, "a message has at most 64 KB, so that a stranger cannot fill the memory"),
]


def short(found):
    return found[0], found[1][:20]


def exception(case):
    return next((code for names, code, _ in EXCEPTIONS if re.fullmatch(names, case.name)), None)


class ProtocolTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = os.path.join(os.path.dirname(QRING), "WebSocketEcho")
        assert os.path.exists(program), "swift build --product WebSocketEcho makes what this test speaks to"
        cls.echo = cls.enterClassContext(
            subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        cls.addClassCleanup(cls.echo.stdin.close)
        cls.port = int(cls.echo.stdout.readline())

    def fault(self, case, ends):
        """Returns the difference from `case`, or None."""
        with RawWebSocket(self.port) as client:
            client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                for step in case.steps:
                    if isinstance(step, Awaited):
                        if (found := client.receive()) != step:
                            return f"got {short(found)} where {short(step)} was due"
                    else:
                        data, size = step if isinstance(step, Chopped) else (step, len(step))
                        for start in range(0, len(data), size):
                            client.send(data[start:start + size])
                if ends == 1000:
                    client.send(closing(1000))
                if ends and (found := client.receive()) != Awaited(CLOSE,
                        found[1]) or ends and int.from_bytes(found[1][:2], "big") != ends:
                    return f"got {short(found)} where a close with {ends} was due"
                if ends and ends != 1000:
                    client.send(closing(ends))
            except (ConnectionResetError, TimeoutError) as fault:
                return f"{fault}, too early"
            return self.fault_of_the_end(client)

    @staticmethod
    def fault_of_the_end(client):
        try:
            return f"got {short(client.receive())} behind the close"
        except ConnectionResetError as fault:
            # A reset may destroy the close frame on its way.
            return None if "has closed" in str(fault) else str(fault)
        except TimeoutError:
            return "the connection stays open"

    def test_every_case_passes_except_the_listed_exceptions(self):
        self.assertGreater(len(CASES), 300)
        self.assertEqual(len({case.name for case in CASES}), len(CASES))
        faults = {}
        for case in CASES:
            code = exception(case)
            # An exception ends with its own code, before any awaited frame.
            sent = case if code is None else case._replace(
                steps=[step for step in case.steps if not isinstance(step, Awaited)][:1])
            if fault := self.fault(sent, code or case.ends):
                faults[case.name] = fault
        self.assertEqual(faults, {},
            f"{len(faults)} of {len(CASES)} cases:\n"
            + "\n".join(f"{name}: {fault}" for name, fault in faults.items()))

    def test_no_exception_is_out_of_date(self):
        for names, _, why in EXCEPTIONS:
            found = [case.name for case in CASES if re.fullmatch(names, case.name)]
            self.assertTrue(found, why)

    def test_no_extension_is_agreed_on(self):
        # Categories 12 and 13 of the list are about compression, which costs 90 KB a connection.
        with RawWebSocket(self.port, "Sec-WebSocket-Extensions: permessage-deflate") as client:
            self.assertNotIn(b"extensions", client.head.lower())


if __name__ == "__main__":
    unittest.main()
