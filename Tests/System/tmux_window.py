"""A real terminal: a program in tmux, typed at and read back as it looks."""
import os
import re
import shlex
import subprocess
import tempfile
import time

from server_process import DEADLINE


class Window:
    """A window of its own tmux server, which goes with it. Lines are what a person sees, without the spaces at their ends."""

    def __init__(self, command, environment, columns=100, rows=30):
        self.folder = tempfile.TemporaryDirectory(prefix="qring-tmux-")
        self.socket = os.path.join(self.folder.name, "tmux")
        # `env -i`: the shell starts from these variables alone.
        words = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), *command]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), shlex.join(words))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server", check=False)
        self.folder.cleanup()

    def tmux(self, *words, check=True):
        ran = subprocess.run(
            ["tmux", "-S", self.socket, *words], env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}, capture_output=True, text=True,
            timeout=DEADLINE)
        if check and ran.returncode != 0:
            raise AssertionError(f"tmux {words[0]}: {ran.stderr}")
        return ran.stdout

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def press(self, *keys):
        """Keys as tmux names them: Tab, Enter, C-c."""
        self.tmux("send-keys", *keys)

    @property
    def lines(self):
        return [line.rstrip() for line in self.tmux("capture-pane", "-p").split("\n")]

    def wait_for(self, pattern, seconds=DEADLINE):
        """Until a line has it; gives the match."""
        end = time.monotonic() + seconds
        while True:
            lines = self.lines
            for line in lines:
                if match := re.search(pattern, line):
                    return match
            if time.monotonic() > end:
                raise AssertionError(f"no {pattern!r} after {seconds} s:\n" + "\n".join(line for line in lines if line))
            time.sleep(0.05)
