"""A picture for a meeting."""
import struct
import zlib


def image(width=40, height=40):
    """A PNG whose colours run from the left to the right and from the top to the bottom."""
    rows = b"".join(b"\0" + b"".join(bytes((230 - 110 * x // width, 150 + 60 * y // height,
        120 + 110 * x // width)) for x in range(width)) for y in range(height))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + name + data
        + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)
