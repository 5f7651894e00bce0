"""Writes large inputs, one file each, for scripts/fuzz: they are near the limits of the readers, and so large
that a cost in the square of the size is found. A mutation of such an input would take too long.

usage: heavy_inputs.py FOLDER        writes FOLDER/TARGET/NAME
"""
import os
import sys

KB, MB = 1 << 10, 1 << 20


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
    "deep-arrays": b"[" * (512 * KB),
    "deep-objects": filled(512 * KB, b"", b'{"a":', b"1"),
    "many-zeros": filled(400_000, b'{"people":[0', b",0", b"]}"),
    "many-objects": filled(512 * KB, b'{"people":[{}', b",{}", b"]}"),
    "many-people": filled(512 * KB, b'{"people":[{"name":"a"}', b',{"name":"a"}', b"]}"),
    "long-number": filled(256 * KB, b'{"plannedCount":', b"9", b"}"),
    "long-fraction": filled(256 * KB, b'{"plannedCount":0.', b"1", b"e-99999}"),
    "long-name": filled(64 * KB, b'{"name":"', b"x", b'"}'),
    "marks-in-a-name": filled(64 * KB, b'{"name":"a', "\u0301\u0316".encode(), b'"}'),
    "marks-in-a-file": filled(256 * KB, b'{"questions":[{"title":"a', "\u0301\u0316".encode(), b'"}]}'),
    "jamo": filled(64 * KB, b'{"name":"', "\u1100\u1161\u11a8".encode(), b'"}'),
    "escapes": filled(256 * KB, b'{"name":"', b"\\ud83d\\ude00", b'"}'),
    "many-keys": b"{" + b",".join(b'"k%d":1' % number for number in range(40_000)) + b"}",
    "equal-keys": filled(256 * KB, b'{"a":1', b',"a":1', b"}"),
    "long-keys": filled(256 * KB, b'{"a":1', b',"' + b"k" * 4000 + b'":1', b"}"),
    "quotes": b'"' * (256 * KB),
    "spaces": b" " * (256 * KB),
    "many-lines": b"\n" * (256 * KB) + b"x",
}
HEAVY = {
    "json": JSON,
    "files": {
        **JSON,
        "one-line": b"name" + b"," * (512 * KB),
        "many-columns": filled(512 * KB, b"name\n", b"a" + b"," * 99 + b"\n", b""),
        "many-short-lines": filled(512 * KB, b"name\n", b"a\n", b""),
        "most-lines": b"name,email\n" + b"".join(b"a,p%d@b.cc\n" % number for number in range(20_000)),
        "equal-people": b"name,email\n" + b"a,a@b.cc\n" * 20_000,
        "marks": filled(512 * KB, b"name\na", "\u0301\u0316".encode(), b"\n"),
        "open-quote": b'name\n"' + b"a\n" * (128 * KB),
        "quotes": b"name\n" + b'"",""\n' * (64 * KB // 6),
        "jpeg-segments": b"\xff\xd8" + b"\xff\xfe\x00\x02" * (128 * KB) + b"\xff\xd9",
        "jpeg-fill": b"\xff\xd8" + b"\xff" * MB + b"\xff\xd9",
    },
    "http": {
        "fields": filled(64 * KB, b"a=b", b"&a=b", b""),
        "escapes": filled(64 * KB, b"a=", b"%EA%B0%80", b""),
        "marks": filled(8 * KB, b"a", "\u0301\u0316".encode(), b""),
        "cookies": filled(8 * KB, b"a=b", b"; a=b", b""),
        "slashes": b"/" * (64 * KB),
    },
    "codes": {"long": b"K" * (8 * KB), "marks": filled(8 * KB, b"K", "\u0301\u0316".encode(), b"")},
    "door": {"long": filled(8 * KB, b"GET /rooms HTTP/1.1\r\n", b"A: b\r\n", b"\r\n")},
    "frames": {
        "pings": frame(0x89, b"x" * 125) * (64 * KB // 131),
        "empty-fragments": frame(1) + frame(0) * (64 * KB // 6),
        "texts": frame(0x81, b"x" * 1024) * 64,
        "small-texts": frame(0x81, b"x") * (64 * KB // 7),
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
