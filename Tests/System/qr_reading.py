"""Reads QR codes with an independent reader: zbar, on a file of pixels."""
import re
import subprocess

from server_process import DEADLINE

SGR = re.compile(r"\x1b\[([0-9;]*)m")
# The two corners of the 256-colour cube. Any other colour depends on the terminal's theme, so it becomes a
# grey that the reader cannot read.
GREYS = {16: 0, 231: 255}
PIXELS = 6


def decode(path):
    """Returns the texts of all codes in a picture."""
    result = subprocess.run(
        ["zbarimg", "--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", path],
        capture_output=True, text=True, timeout=DEADLINE)
    return result.stdout.splitlines()


def draw_terminal(text):
    """Returns a PGM of the text on a dark terminal: each cell is two modules high, and the rest of the window
    is black."""
    rows = []
    for line in text.splitlines():
        ink, ground = 128, 128
        upper, lower = [], []
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            colours = SGR.fullmatch(part)
            if colours:
                numbers = [int(number or 0) for number in colours.group(1).split(";")]
                if numbers == [0]:
                    ink, ground = 128, 128
                elif numbers[:2] == [38, 5] and numbers[3:5] == [48, 5]:
                    ink, ground = GREYS.get(numbers[2], 128), GREYS.get(numbers[5], 128)
                else:
                    raise AssertionError(f"a colour that this reader does not know: {part!r}")
                continue
            for cell in part:
                halves = {"█": (ink, ink), "▀": (ink, ground), "▄": (ground, ink),
                    " ": (ground, ground)}[cell]
                upper.append(halves[0])
                lower.append(halves[1])
        rows += [upper, lower]
    width = max(map(len, rows)) + 8
    blank = [0] * width
    rows = [blank] * 4 + [[0] * 4 + row + [0] * (width - 4 - len(row)) for row in rows] + [blank] * 4
    pixels = b"".join(bytes(value for value in row for _ in range(PIXELS)) * PIXELS for row in rows)
    return b"P5 %d %d 255\n" % (width * PIXELS, len(rows) * PIXELS) + pixels
