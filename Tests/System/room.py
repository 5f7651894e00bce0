"""A room that an independent websocket client watches in another process."""
import json
import os
import subprocess
import sys

from server_process import DEADLINE, Lines


class Room:
    """Joins at once. `wait_until` gets all frames so far, the newest last."""

    def __init__(self, server, token, room, since=None):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(__file__), "room_watcher.py"), server.rooms_url,
                token, room,
             *([f"{since[0]}:{since[1]}"] if since else [])],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.output = Lines(self.process.stdout)
        self._parsed = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(DEADLINE)
        self.output.thread.join(DEADLINE)

    def _frames(self, lines):
        self._parsed += [json.loads(line.split(" ", 1)[1]) for line in lines[len(self._parsed):]]
        return self._parsed

    @property
    def frames(self):
        with self.output.changed:
            return list(self._frames(self.output.lines))

    def wait_until(self, condition, seconds=DEADLINE):
        return self.output.wait_for(lambda lines: condition(self._frames(lines)), seconds)

    @property
    def joined(self):
        """Returns the answer to the join."""
        return self.wait_until(lambda frames: next((frame for frame in frames if "joined" in frame), None))

    @property
    def snapshot(self):
        return self.wait_until(
            lambda frames: next((frame["snapshot"] for frame in frames if "snapshot" in frame), None))

    @property
    def times(self):
        """Returns the moments of the frames after the snapshot, in seconds."""
        with self.output.changed:
            moments = [float(line.split(" ", 1)[0]) for line in self.output.lines]
            return [moment for moment, frame in zip(moments, self._frames(self.output.lines))
                if "joined" not in frame and "snapshot" not in frame]

    @property
    def close_code(self):
        return self.wait_until(
            lambda frames: next((frame["closed"] for frame in frames if "closed" in frame), None))

    @property
    def position(self):
        """Returns the epoch and the sequence that this client has reached."""
        frames = self.frames
        return self.joined["epoch"], max(frame["sequence"]
            for frame in frames if frame.get("sequence") is not None)

    def wait_for_sequence(self, sequence):
        self.wait_until(lambda frames: any((frame.get("sequence") or 0) >= sequence for frame in frames))

    @property
    def arrivals(self):
        return [attendee for frame in self.frames for attendee in frame.get("arrivals", [])]
