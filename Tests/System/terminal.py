"""A real terminal in tmux. pyte, an independent emulator, reads its screen cell by cell."""
import os
import re
import shlex
import subprocess
import tempfile

import pyte

from server_process import DEADLINE, QRING, Server, wait_until

PROMPT = "ready> "


class Window:
    """A context: a program in `columns`×`rows` of its own tmux server, which ends with it."""

    def __init__(self, command, environment, columns=100, rows=30):
        self.folder = tempfile.TemporaryDirectory(prefix="qring-test-")
        self.socket = os.path.join(self.folder.name, "tmux")
        # `env -i`: the program has only these variables.
        words = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), *command]
        self.tmux(
            "-f", "/dev/null", "start-server", ";", "set", "-g", "status", "off", ";", "set", "-g",
            "escape-time", "0", ";",
            "new-session", "-d", "-x", str(columns), "-y", str(rows), shlex.join(words))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server", check=False)
        self.folder.cleanup()

    def tmux(self, *words, check=True):
        ran = subprocess.run(
            ["tmux", "-u", "-S", self.socket, *words],
            env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}, capture_output=True,
            text=True, timeout=DEADLINE)
        if check and ran.returncode != 0:
            raise AssertionError(f"tmux {words[0]}: {ran.stderr}")
        return ran.stdout

    def ask(self, what):
        """Returns a variable of tmux, such as `alternate_on`."""
        return self.tmux("display-message", "-p", f"#{{{what}}}").strip()

    # Keys

    def type(self, text):
        self.tmux("send-keys", "-l", "--", text)

    def press(self, *keys):
        """Sends keys by tmux's names: Enter, Escape, Down, C-c …"""
        self.tmux("send-keys", *keys)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    # What is on it

    @property
    def captured(self):
        return self.tmux("capture-pane", "-p", "-e", "-N")

    @property
    def screen(self):
        """Returns a pyte screen of the captured cells, with their colours."""
        columns, rows = int(self.ask("pane_width")), int(self.ask("pane_height"))
        screen = pyte.Screen(columns, rows)
        lines = self.captured.split("\n")[:rows]
        pyte.Stream(screen).feed("\r\n".join(lines))
        return screen

    @property
    def text(self):
        return "\n".join(self.screen.display)

    @property
    def lines(self):
        """Returns the visible text, without trailing spaces."""
        return [line.rstrip() for line in self.screen.display]

    def wait_for(self, condition, seconds=DEADLINE):
        return wait_until(lambda: condition(self.text), lambda: f"{self.text}\nis still shown", seconds)

    def wait_for_text(self, *parts):
        return self.wait_for(lambda text: all(part in text for part in parts))

    def wait_for_line(self, pattern, seconds=DEADLINE):
        """Waits until a line matches the pattern."""
        self.wait_for(lambda text: any(re.search(pattern, line.rstrip()) for line in text.split("\n")),
            seconds)


class Terminal(Window):
    """A shell with an environment without personal settings, in which dashboards of a server start."""

    def __init__(self, url, token, columns=80, rows=24, kind="tmux-256color", **environment):
        self.home = tempfile.TemporaryDirectory(prefix="qring-test-")
        self.variables = {
            **Server.environment(), "XDG_CONFIG_HOME": self.home.name, "QRING_SERVER": url,
            "QRING_TOKEN": token,
            "SHELL": "/bin/bash", "TERM": kind, **environment,
        }
        start = os.path.join(self.home.name, "bashrc")
        with open(start, "w", encoding="utf-8") as file:
            file.write(f"PS1='{PROMPT}'\n")
        super().__init__(["/bin/bash", "--noprofile", "--rcfile", start], self.variables, columns, rows)

    def __enter__(self):
        self.wait_for(lambda text: PROMPT.strip() in text)
        return self

    def __exit__(self, *_):
        super().__exit__()
        self.home.cleanup()

    def run(self, *words):
        """Types a command line."""
        self.type(shlex.join(words))
        self.press("Enter")

    def dashboard(self, *words):
        self.run(QRING, "dashboard", *words)
        self.wait_for(lambda text: "● live" in text or "● 실시간" in text or "* live" in text)

    @property
    def settings(self):
        """Returns what `stty` reports of the terminal from outside."""
        with open(self.ask("pane_tty"), encoding="utf-8") as terminal:
            said = subprocess.run(["stty", "-a"], stdin=terminal, capture_output=True, text=True,
                check=True).stdout
        return re.sub(r"rows \d+; columns \d+;", "", said)

    def wait_for_settings(self, settings):
        wait_until(lambda: self.settings == settings, lambda: self.settings)

    def process(self):
        """Returns the process id of the dashboard in the terminal, not of its guard."""
        shell = self.ask("pane_pid")
        return int(wait_until(lambda: subprocess.run(["pgrep", "-P", shell, "-x", "qring"],
            capture_output=True, text=True).stdout.split(), lambda: "no dashboard runs")[0])


PALETTE = {"default": None, "black": 0, "white": 229, "brightblack": 127, "brightwhite": 255}


def draw_screen(screen, pixels=8, above=0, below=0):
    """Returns a PGM of a pyte screen on a dark terminal: a cell is one module wide and two high. Blocks do
    not reach the last pixels of their cell above and below, as in fonts of xterm whose lines are apart."""
    def grey(name, default):
        found = PALETTE.get(name, 128)
        if re.fullmatch(r"[0-9a-f]{6}", name):
            red, green, blue = (int(name[at:at + 2], 16) for at in (0, 2, 4))
            found = (299 * red + 587 * green + 114 * blue) // 1000
        return default if found is None else found

    body = b""
    for y in range(screen.lines):
        rows = [bytearray() for _ in range(2 * pixels)]
        for x in range(screen.columns):
            cell = screen.buffer[y][x]
            ink, ground = grey(cell.fg, 204), grey(cell.bg, 16)
            if cell.reverse:
                ink, ground = ground, ink
            inked = {"█": (above, 2 * pixels - below), "#": (0, 2 * pixels), "▀": (above, pixels),
                "▄": (pixels, 2 * pixels - below)}.get(cell.data, (0, 0))
            for row, line in enumerate(rows):
                line += bytes([ink if inked[0] <= row < inked[1] else ground]) * pixels
        body += b"".join(rows)
    return b"P5 %d %d 255\n" % (screen.columns * pixels, 2 * screen.lines * pixels) + body


def squeezed(screen, pixels=8):
    """Returns a PGM of a code of `##` and spaces on a dark terminal: two cells are one module."""
    rows = [b"".join(bytes([204 if screen.buffer[y][x].data == "#" else 16]) * pixels
        for x in range(0, screen.columns, 2)) for y in range(screen.lines)]
    width = len(rows[0])
    return b"P5 %d %d 255\n" % (width, len(rows) * pixels) + b"".join(row * pixels for row in rows)
