"""Prints a picture of the dashboard during a session; see scripts/picture."""
import subprocess
import sys

from host import Host
from server_process import QRING, Server
from terminal import Terminal
from terminal_picture import draw

QUESTIONS = [
    {"kind": "rating", "title": "How was it today?", "scale": 5, "required": True},
    {"kind": "multipleChoice", "title": "What helped you most?", "maxSelections": 2,
     "choices": [{"label": label}
         for label in ["The talk", "The discussion", "The exercises", "The people"]]},
    {"kind": "shortAnswer", "title": "What should we do better next time?", "maxLength": 200},
]


def main():
    with Server("--signup", "open") as server:
        host = Host(server)
        session = host.session("Wednesday study group", starts=-4, plannedCount=40,
            session={"questions": QUESTIONS})
        with Terminal(server.url, host.token, 120, 40) as terminal:
            terminal.dashboard("@")
            subprocess.run(
                [QRING, "simulate", session["id"], "--attendees", "27", "--over", "100s", "--seed", "7"],
                env=terminal.variables,
                check=True, stdout=subprocess.DEVNULL)
            terminal.wait_for_text("27 of 40 checked in")
            sys.stdout.write(draw(terminal.screen))


if __name__ == "__main__":
    main()
