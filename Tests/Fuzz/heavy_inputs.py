"""Writes large inputs, one file each, for scripts/fuzz: so large that a cost in the square of the size takes
longer than an input may. Mutations of such inputs would make the search too slow.

usage: heavy_inputs.py FOLDER        writes FOLDER/TARGET/NAME
"""
import os
import sys

KB = 1 << 10


def filled(size, start, unit, end):
    """Returns as many units as fit into `size` bytes."""
    return start + unit * ((size - len(start) - len(end)) // len(unit)) + end


def frame(first, payload=b""):
    """Returns a frame with a mask of zeros."""
    length = len(payload)
    if length < 126:
        return bytes([first, 0x80 | length]) + bytes(4) + payload
    return bytes([first, 0xFE]) + length.to_bytes(2, "big") + bytes(4) + payload


JSON = {
    "deep-arrays": b"[" * (32 * KB),
    "deep-objects": filled(32 * KB, b"", b'{"a":', b"1"),
    "many-zeros": filled(32 * KB, b'{"people":[0', b",0", b"]}"),
    "many-objects": filled(32 * KB, b'{"people":[{}', b",{}", b"]}"),
    "many-people": filled(32 * KB, b'{"people":[{"name":"a"}', b',{"name":"a"}', b"]}"),
    "long-number": filled(32 * KB, b'{"plannedCount":', b"9", b"}"),
    "long-fraction": filled(32 * KB, b'{"plannedCount":0.', b"1", b"e-99999}"),
    "long-name": filled(32 * KB, b'{"name":"', b"x", b'"}'),
    "marks-in-a-name": filled(32 * KB, b'{"name":"a', "\u0301\u0316".encode(), b'"}'),
    "marks-in-a-file": filled(32 * KB, b'{"questions":[{"title":"a', "\u0301\u0316".encode(), b'"}]}'),
    "jamo": filled(32 * KB, b'{"name":"', "\u1100\u1161\u11a8".encode(), b'"}'),
    "escapes": filled(32 * KB, b'{"name":"', b"\\ud83d\\ude00", b'"}'),
    "many-keys": b"{" + b",".join(b'"k%d":1' % number for number in range(3_000)) + b"}",
    "equal-keys": filled(32 * KB, b'{"a":1', b',"a":1', b"}"),
    "long-keys": filled(32 * KB, b'{"a":1', b',"' + b"k" * 4000 + b'":1', b"}"),
    "quotes": b'"' * (32 * KB),
    "spaces": b" " * (32 * KB),
    "many-lines": b"\n" * (32 * KB) + b"x",
}
HEAVY = {
    "json": JSON,
    "files": {
        **JSON,
        "one-line": b"name" + b"," * (32 * KB),
        "many-columns": filled(32 * KB, b"name\n", b"a" + b"," * 99 + b"\n", b""),
        "many-short-lines": filled(32 * KB, b"name\n", b"a\n", b""),
        "most-lines": b"name,email\n" + b"".join(b"a,p%d@b.cc\n" % number for number in range(2_000)),
        "equal-people": b"name,email\n" + b"a,a@b.cc\n" * 2_000,
        "marks": filled(32 * KB, b"name\na", "\u0301\u0316".encode(), b"\n"),
        "open-quote": b'name\n"' + b"a\n" * (8 * KB),
        "quotes": b"name\n" + b'"",""\n' * (32 * KB // 6),
        "jpeg-segments": b"\xff\xd8" + b"\xff\xfe\x00\x02" * (8 * KB) + b"\xff\xd9",
        "jpeg-fill": b"\xff\xd8" + b"\xff" * (32 * KB) + b"\xff\xd9",
    },
    "http": {
        "fields": filled(32 * KB, b"a=b", b"&a=b", b""),
        "escapes": filled(32 * KB, b"a=", b"%EA%B0%80", b""),
        "marks": filled(8 * KB, b"a", "\u0301\u0316".encode(), b""),
        "cookies": filled(8 * KB, b"a=b", b"; a=b", b""),
        "slashes": b"/" * (32 * KB),
    },
    "codes": {"long": b"K" * (8 * KB), "marks": filled(8 * KB, b"K", "\u0301\u0316".encode(), b"")},
    "door": {"long": filled(8 * KB, b"GET /rooms HTTP/1.1\r\n", b"A: b\r\n", b"\r\n")},
    "frames": {
        "pings": frame(0x89, b"x" * 125) * (16 * KB // 131),
        "empty-fragments": frame(1) + frame(0) * (16 * KB // 6),
        "texts": frame(0x81, b"x" * 1024) * 16,
        "small-texts": frame(0x81, b"x") * (16 * KB // 7),
    },
    "packets": {
        "pings": b"1:2" * 10_000,
        "separators": b"4" + b"\x1e4" * 16_000,
        "characters": b"9999:4" + "배".encode() * 9_998,
        "base64": b"b" + b"AAAA" * (8 * KB),
    },
    "counts": {
        "numbers": bytes([0]) + bytes(part for number in range(2_000)
            for part in (0, 1, number // 256 % 128, number % 256)),
        "choices": bytes([1, 0]) + bytes(range(256)) * 16,
    },
}


def main(folder):
    for target, inputs in HEAVY.items():
        os.makedirs(os.path.join(folder, target), exist_ok=True)
        for name, data in inputs.items():
            with open(os.path.join(folder, target, name), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
