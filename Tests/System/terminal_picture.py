"""Draws a pyte screen as SVG, cell by cell: blocks as rectangles, so that a QR code in it can be scanned, and
the rest as text."""
import html
import re

WIDTH, HEIGHT = 9.0, 18.0
GROUND, INK = "#14171c", "#d5d8dd"
NAMES = {
    "black": "#1d2027", "red": "#c0505a", "green": "#5fa35f", "brown": "#c9a24e", "blue": "#5b86c2",
    "magenta": "#a56bb0", "cyan": "#5aa3ad",
    "white": "#d5d8dd",
}
# What each block covers of its cell: left, top, right, bottom.
BLOCKS = {"█": (0, 0, 1, 1), "▀": (0, 0, 1, .5), "▄": (0, .5, 1, 1)}
BLOCKS |= {"▁▂▃▅▆▇"[n]: (0, 1 - eighths / 8, 1, 1) for n, eighths in enumerate([1, 2, 3, 5, 6, 7])}
BLOCKS |= {"▏▎▍▌▋▊▉"[n]: (0, 0, (n + 1) / 8, 1) for n in range(7)}
SHADES = {"░": .18, "▒": .4, "▓": .65}


def colour(name, default):
    if name == "default":
        return default
    return f"#{name}" if re.fullmatch(r"[0-9a-f]{6}", name) else NAMES.get(name, default)


def draw(screen, margin=14):
    """Returns the SVG as text. Adjacent cells with one style are one rectangle or one text."""
    parts, texts = [], []

    def rectangle(x, y, width, height, fill, opacity=1.0):
        faded = f' fill-opacity="{opacity}"' if opacity < 1 else ""
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{faded}/>')

    for row in range(screen.lines):
        top, column = margin + row * HEIGHT, 0
        while column < screen.columns:
            cell = screen.buffer[row][column]
            end = column + 1
            is_shape = cell.data in BLOCKS or cell.data in SHADES
            while end < screen.columns:
                other = screen.buffer[row][end]
                if other[1:] != cell[1:] or (other.data != cell.data if is_shape else other.data in BLOCKS
                        or other.data in SHADES):
                    break
                end += 1
            ink, ground = colour(cell.fg, INK), colour(cell.bg, GROUND)
            if cell.reverse:
                ink, ground = ground, ink
            left, width = margin + column * WIDTH, (end - column) * WIDTH
            if ground != GROUND:
                rectangle(left, top, width, HEIGHT, ground)
            if cell.data in SHADES:
                rectangle(left, top + 2, width, HEIGHT - 4, ink, SHADES[cell.data])
            elif cell.data in BLOCKS:
                from_x, from_y, to_x, to_y = BLOCKS[cell.data]
                for place in range(end - column if to_x < 1 else 1):
                    whole = WIDTH if to_x < 1 else width
                    rectangle(left + place * WIDTH + from_x * whole, top + from_y * HEIGHT,
                        (to_x - from_x) * whole, (to_y - from_y) * HEIGHT, ink)
            else:
                for at in range(column, end):
                    data = screen.buffer[row][at].data
                    if data.strip():
                        weight = ' font-weight="bold"' if cell.bold else ""
                        x, y = margin + at * WIDTH, top + HEIGHT * .76
                        texts.append(
                            f'<text x="{x:g}" y="{y:g}" fill="{ink}"{weight}>{html.escape(data)}</text>')
            column = end
    width, height = 2 * margin + screen.columns * WIDTH, 2 * margin + screen.lines * HEIGHT
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 '
        f'{width:g} {height:g}" '
        'font-family="DejaVu Sans Mono, monospace" font-size="14.6" shape-rendering="crispEdges">',
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="{GROUND}"/>', *parts, *texts, "</svg>",
        ""])
