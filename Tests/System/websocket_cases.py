"""Conversations that a server of RFC 6455 must hold, numbered as in the public list of Autobahn's test suite,
and written anew.

The peer sends every text message back. A case is a list of steps: bytes are sent, a `Chopped` in small
pieces, and an awaited frame must be the next that comes. At its end either the client closes with 1000 and
gets 1000 (`ends=1000`), or the server must close with `ends`.
"""
from typing import NamedTuple

from raw_websocket import BINARY, CLOSE, FINAL, PING, PONG, TEXT, frame

LIMIT = 65_536
MEGABYTE = 1 << 20


class Case(NamedTuple):
    name: str
    steps: list
    # The code with which the server must close, or 1000: the client closes.
    ends: int = 1000


class Chopped(NamedTuple):
    data: bytes
    size: int = 1


class Awaited(NamedTuple):
    opcode: int
    payload: bytes


def text(payload):
    return frame(FINAL | TEXT, payload)


def echo(payload):
    return Awaited(TEXT, payload)


def pong(payload):
    return Awaited(PONG, payload)


def closing(code, reason=b""):
    return frame(FINAL | CLOSE, code.to_bytes(2, "big") + reason)


def fragments(*parts, opcode=TEXT):
    """Returns one message in so many frames."""
    last = len(parts) - 1
    return [frame((opcode if index == 0 else 0) | (FINAL if index == last else 0), part) for index,
        part in enumerate(parts)]


def cut(payload, size):
    return [payload[start:start + size] for start in range(0, len(payload), size)] or [b""]


def deliveries(number, steps, ends):
    """Returns three cases: the same frames in one packet, one by one, and byte by byte."""
    sent, awaited = [step for step in steps if isinstance(step, bytes)], [step
        for step in steps if not isinstance(step, bytes)]
    category, first = number.split(".")
    ways = [[b"".join(sent)], sent, [Chopped(b"".join(sent))]]
    return [Case(f"{category}.{int(first) + offset}", [*way, *awaited], ends) for offset,
        way in enumerate(ways)]


def framing():
    for category, opcode, letter in [("1.1", TEXT, b"*"), ("1.2", BINARY, b"\xfe")]:
        for number, length in enumerate([0, 125, 126, 127, 128, 65_535, 65_536], 1):
            yield Case(f"{category}.{number}",
                [frame(FINAL | opcode, letter * length), Awaited(opcode, letter * length)])
        yield Case(f"{category}.8",
            [Chopped(frame(FINAL | opcode, letter * 65_536), 997), Awaited(opcode, letter * 65_536)])


def pings():
    for number, payload in enumerate(
            [b"", b"Hello, world!", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", b"\xfe" * 125], 1):
        yield Case(f"2.{number}", [frame(FINAL | PING, payload), pong(payload)])
    yield Case("2.5", [frame(FINAL | PING, b"\xfe" * 126)], 1002)
    yield Case("2.6", [Chopped(frame(FINAL | PING, b"\xfe" * 125)), pong(b"\xfe" * 125)])
    yield Case("2.7", [frame(FINAL | PONG)])
    yield Case("2.8", [frame(FINAL | PONG, b"nobody asked")])
    yield Case("2.9", [frame(FINAL | PONG, b"nobody asked") + frame(FINAL | PING, b"ping"), pong(b"ping")])
    ten = [b"payload-%d" % number for number in range(10)]
    together = b"".join(frame(FINAL | PING, payload) for payload in ten)
    yield Case("2.10", [together, *map(pong, ten)])
    yield Case("2.11", [Chopped(together), *map(pong, ten)])


def reserved_bits():
    hello = b"Hello, world!"
    yield Case("3.1", [frame(FINAL | 0x10 | TEXT, hello)], 1002)
    bad = [text(hello), frame(FINAL | 0x20 | TEXT, hello), frame(FINAL | PING)]
    yield Case("3.2", [b"".join(bad), echo(hello)], 1002)
    yield Case("3.3", [bad[0], echo(hello), frame(FINAL | 0x30 | TEXT, hello), bad[2]], 1002)
    yield Case("3.4", [Chopped(bad[0] + frame(FINAL | 0x40 | TEXT, hello) + bad[2]), echo(hello)], 1002)
    yield Case("3.5", [frame(FINAL | 0x50 | BINARY, b"\x00\xff")], 1002)
    yield Case("3.6", [frame(FINAL | 0x60 | PING, hello)], 1002)
    yield Case("3.7", [frame(FINAL | 0x70 | CLOSE)], 1002)


def opcodes():
    for category, first in [("4.1", 3), ("4.2", 11)]:
        yield Case(f"{category}.1", [frame(FINAL | first)], 1002)
        yield Case(f"{category}.2", [frame(FINAL | first + 1, b"reserved")], 1002)
        for number, payload in [(3, b""), (4, b"reserved")]:
            sent = text(b"before") + frame(FINAL | first + number - 1, payload) + frame(FINAL | PING)
            yield Case(f"{category}.{number}", [sent, echo(b"before")], 1002)
        yield Case(f"{category}.5",
            [Chopped(text(b"before") + frame(FINAL | first + 4, b"reserved") + frame(FINAL | PING)),
                echo(b"before")], 1002)


def fragmentation():
    yield Case("5.1", fragments(b"one", b"two", opcode=PING), 1002)
    yield Case("5.2", fragments(b"one", b"two", opcode=PONG), 1002)
    yield from deliveries("5.3", [*fragments(b"one", b"two"), echo(b"onetwo")], 1000)
    one, two = fragments(b"one", b"two")
    yield from deliveries("5.6",
        [one, frame(FINAL | PING, b"between"), two, pong(b"between"), echo(b"onetwo")], 1000)
    yield from deliveries("5.9", [frame(FINAL, b"of nothing"), text(b"behind")], 1002)
    yield from deliveries("5.12", [frame(0, b"of nothing"), text(b"behind")], 1002)
    yield Case("5.15", [one + two + frame(0, b"three") + text(b"four"), echo(b"onetwo")], 1002)
    yield Case("5.16", [(frame(0, b"zero") + one + two) * 2], 1002)
    yield Case("5.17", [(frame(FINAL, b"zero") + one + two) * 2], 1002)
    yield Case("5.18", [one + text(b"two")], 1002)
    five = fragments(b"1", b"2", b"3", b"4", b"5")
    first, second = frame(FINAL | PING, b"first"), frame(FINAL | PING, b"second")
    yield Case("5.19",
        [b"".join([*five[:2], first]), pong(b"first"), b"".join([*five[2:4], second, five[4]]),
            pong(b"second"), echo(b"12345")])
    yield Case("5.20",
        [*five[:2], first, pong(b"first"), *five[2:4], second, five[4], pong(b"second"), echo(b"12345")])


def utf8():
    yield Case("6.1.1", [text(b""), echo(b"")])
    yield Case("6.1.2", [*fragments(b"", b"", b""), echo(b"")])
    yield Case("6.1.3", [*fragments(b"", b"middle", b""), echo(b"middle")])
    good, greek = "Hello-µ@ßöäüàá-UTF-8!!".encode(), "κόσμε".encode()
    yield Case("6.2.1", [text(good), echo(good)])
    yield Case("6.2.2", [*fragments(good[:12], good[12:]), echo(good)])
    yield Case("6.2.3", [b"".join(fragments(*cut(good, 1))), echo(good)])
    yield Case("6.2.4", [b"".join(fragments(*cut(greek, 1))), echo(greek)])
    bad = greek + b"\xed\xa0\x80edited"
    yield Case("6.3.1", [text(bad)], 1007)
    yield Case("6.3.2", [b"".join(fragments(*cut(bad, 1)))], 1007)
    # Found at the first wrong byte, not at the end of a frame or message. The ping shows that everything
    # before was right.
    beyond = greek + b"\xf4\x90\x80\x80edited"
    asked = [frame(FINAL | PING, b"open?"), pong(b"open?")]
    for number, (begin, end) in enumerate([(len(greek), len(greek) + 4), (len(greek) + 1, len(greek) + 2)],
            1):
        yield Case(f"6.4.{number}", [frame(TEXT, beyond[:begin]), *asked, frame(0, beyond[begin:end])], 1007)
        whole = text(beyond)
        header = len(whole) - len(beyond)
        yield Case(f"6.4.{number + 2}", [whole[:header + begin], whole[header + begin:header + end]], 1007)
    for number, sequences in enumerate(utf8_sequences(), 5):
        for index, sequence in enumerate(sequences, 1):
            yield utf8_case(f"6.{number}.{index}", sequence)


def utf8_case(name, sequence):
    try:
        sequence.decode()
    except UnicodeDecodeError:
        return Case(name, [text(sequence)], 1007)
    return Case(name, [text(sequence), echo(sequence)])


def utf8_sequences():
    """Inputs that UTF-8 decoders get wrong (after Markus Kuhn's list), by kind. Python's own decoder
    separates valid from invalid ones."""
    greek = "κόσμε".encode()
    yield [b"hello$world", "hello¢world".encode(), "hello€world".encode(), "hello\U00024b62world".encode(),
        greek]
    yield [greek[:length] for length in range(1, len(greek) + 1)]
    shortest = [b"\0", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"]
    yield shortest
    yield [b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"]
    yield [b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"]
    yield [b"\xf7\xbf\xbf\xbf", b"\xfb" + b"\xbf" * 4, b"\xfd" + b"\xbf" * 5]
    yield [b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80"]
    yield [b"\x80", b"\xbf", *[(b"\x80\xbf" * 3)[:length] for length in range(2, 7)],
        bytes(range(0x80, 0xc0))]
    yield [b" ".join(bytes([lead]) for lead in leads)
        for leads in [range(0xc0, 0xe0), range(0xe0, 0xf0), range(0xf0, 0xf8), range(0xf8, 0xfc),
            (0xfc, 0xfd)]]
    unfinished = [b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8" + b"\x80" * 3, b"\xfc" + b"\x80" * 4,
        b"\xdf", b"\xef\xbf", b"\xf7\xbf\xbf", b"\xfb" + b"\xbf" * 3, b"\xfd" + b"\xbf" * 4]
    yield unfinished
    yield [b"".join(unfinished)]
    yield [b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"]
    for last in [b"\xaf", None, b"\x80"]:
        overlong = {
            b"\xaf": [b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8" + b"\x80" * 3, b"\xfc" + b"\x80" * 4],
                    b"\x80": [b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8" + b"\x80" * 3,
                        b"\xfc" + b"\x80" * 4]}.get(last)
        yield [lead + last for lead in overlong] if last else [b"\xc1\xbf", b"\xe0\x9f\xbf",
            b"\xf0\x8f\xbf\xbf", b"\xf8\x87\xbf\xbf\xbf", b"\xfc\x83" + b"\xbf" * 4]
    high, low = [b"\xed\xa0\x80", b"\xed\xad\xbf", b"\xed\xae\x80", b"\xed\xaf\xbf"], [b"\xed\xb0\x80",
        b"\xed\xbe\x80", b"\xed\xbf\xbf"]
    yield high + low
    yield [first + second for first in high for second in (low[0], low[2])]
    planes = [plane << 16 | last for plane in range(17) for last in (0xfffe, 0xffff)]
    yield [chr(point).encode() for point in planes]
    yield [chr(point).encode() for point in range(0xfff9, 0x10000)]


def closes():
    end = closing(1000)
    yield Case("7.1.1", [text(b"Hello World!"), echo(b"Hello World!")])
    for number, behind in [(2, frame(FINAL | CLOSE)), (3, frame(FINAL | PING)), (4, text(b"late"))]:
        yield Case(f"7.1.{number}", [end + behind, Awaited(CLOSE, b"\x03\xe8")], None)
    first, rest = fragments(b"one", b"two")
    yield Case("7.1.5", [first + end + rest, Awaited(CLOSE, b"\x03\xe8")], None)
    yield Case("7.1.6",
        [text(b"*" * LIMIT) + text(b"Hello World!") + end + frame(FINAL | PING), echo(b"*" * LIMIT),
            echo(b"Hello World!"), Awaited(CLOSE, b"\x03\xe8")], None)
    yield Case("7.3.1", [frame(FINAL | CLOSE), Awaited(CLOSE, b"")], None)
    yield Case("7.3.2", [frame(FINAL | CLOSE, b"a")], 1002)
    for number, reason in [(3, b""), (4, b"Hello World!"), (5, b"*" * 123)]:
        yield Case(f"7.3.{number}", [closing(1000, reason), Awaited(CLOSE, b"\x03\xe8")], None)
    yield Case("7.3.6", [closing(1000, b"*" * 124)], 1002)
    yield Case("7.5.1", [closing(1000, "κόσμε".encode() + b"\xed\xa0\x80edited")], 1007)
    # 1012 to 1014 have been registered since that list was written.
    for number, code in enumerate(
            [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999, 1012, 1013, 1014],
            1):
        yield Case(f"7.7.{number}", [closing(code), Awaited(CLOSE, code.to_bytes(2, "big"))], None)
    for number, code in enumerate([0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 1015], 1):
        yield Case(f"7.9.{number}", [closing(code)], 1002)
    yield Case("7.13.1", [closing(5000)], 1002)
    yield Case("7.13.2", [closing(65_535)], 1002)


def sizes():
    """Uses a message of the longest length that rooms accept instead of the list's megabytes. Cases that need
    more are in the list of exceptions."""
    for category, opcode, letter in [("9.1", TEXT, b"*"), ("9.2", BINARY, b"\xfe")]:
        for number, length in enumerate(
                [LIMIT, 4 * LIMIT, MEGABYTE, 4 * MEGABYTE, 8 * MEGABYTE, 16 * MEGABYTE], 1):
            # A longer message is announced, and only its first kilobyte is sent.
            yield Case(f"{category}.{number}",
                [
                    frame(FINAL | opcode, letter * min(length, LIMIT if length == LIMIT else 1_024),
                        announced=length), Awaited(opcode, letter * length)])
    for category, opcode, letter in [("9.3", TEXT, b"*"), ("9.4", BINARY, b"\xfe")]:
        whole = letter * LIMIT
        for number, size in enumerate([64, 256, 1_024, 4_096, 16_384, 65_536], 1):
            yield Case(f"{category}.{number}",
                [b"".join(fragments(*cut(whole, size), opcode=opcode)), Awaited(opcode, whole)])
    for category, opcode, letter in [("9.5", TEXT, b"*"), ("9.6", BINARY, b"\xfe")]:
        for number, size in enumerate([64, 128, 256, 512, 1_024, 2_048], 1):
            yield Case(f"{category}.{number}",
                [Chopped(frame(FINAL | opcode, letter * LIMIT), size), Awaited(opcode, letter * LIMIT)])
    for category, opcode, letter in [("9.7", TEXT, b"*"), ("9.8", BINARY, b"\xfe")]:
        for number, length in enumerate([0, 16, 64, 256, 1_024, 4_096], 1):
            sent = frame(FINAL | opcode, letter * length)
            yield Case(f"{category}.{number}", [sent, Awaited(opcode, letter * length)] * 100)
    yield Case("9.9.1", [b"".join(fragments(*[b"*" * 4_096] * 17)), echo(b"*" * 4_096 * 17)])
    yield Case("10.1.1", [b"".join(fragments(*cut(b"*" * LIMIT, 1_300))), echo(b"*" * LIMIT)])


def own():
    """Cases that the list does not have."""
    yield Case("mask.text", [frame(FINAL | TEXT, b"plain", masked=False)], 1002)
    yield Case("mask.ping", [frame(FINAL | PING, b"plain", masked=False)], 1002)
    yield Case("mask.empty", [frame(FINAL | TEXT, b"", masked=False)], 1002)
    yield Case("mask.later", [text(b"masked") + frame(FINAL | TEXT, b"plain", masked=False), echo(b"masked")],
        1002)
    key = b"\x37\xfa\x21\x3d"
    yield Case("length.2", [bytes([FINAL | TEXT, 0x80 | 126, 0, 125]) + key + b"*" * 125], 1002)
    yield Case("length.8", [bytes([FINAL | TEXT, 0x80 | 127]) + (65_535).to_bytes(8, "big") + key], 1002)
    yield Case("length.63", [bytes([FINAL | TEXT, 0x80 | 127]) + (1 << 63).to_bytes(8, "big") + key], 1002)


CASES = [case for kind in (framing, pings, reserved_bits, opcodes, fragmentation, utf8, closes, sizes, own)
    for case in kind()]
