"""Counts the instructions of a check-in by step, with callgrind (scripts/steps).

The server runs a number of check-ins by code, in rounds, once few and once many. The difference of both
counts has no start and no warm-up. Instructions in the kernel are not counted. A function that several steps
call, such as `swift_retain`, counts for each of them in proportion to what it cost there.
"""
import argparse
import collections
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from host import Host, code_of
from server_process import DEADLINE, Server, free_port, wait_until

# The check-ins of one round arrive together, and most share a commit.
ROUND = 31
FEW, MANY = 10 * ROUND, 110 * ROUND
# A function belongs to the first step whose expression its name matches; any other belongs to the steps of
# its callers.
STEPS = [
    ("read the head, find the route", r"answerRequest\(|readTarget\("),
    ("libmicrohttpd", r"^MHD_run_wait$"),
    ("read the body", r"RequestContext\.read<"),
    ("check the code", r"^CheckInCode\.judge|CheckInCode\.init"),
    ("look up", r"witness for ReadableRows|^Storage\.session\($"),
    ("write the rows", r"witness for WritableRows\.(insert|append|update)"),
    ("begin and commit", r"witness for WritableRows\.(begin|commit)|^Transaction\.(begin|commit)"),
    ("run the command", r"^CheckIn\.run\("),
    ("write the answer", r"static CheckIns\.answer\("),
    ("queue the answer", r"^HTTPLoop\.queue\("),
    ("end the request", r"^HTTPLoop\.endRequest\("),
    ("the rest of the handler", r"Responder\.respond\(to:\)$|static CheckIns\.(perform|checkIn)\("),
    ("the rest of the writer", r"^Writer\.runUntilEmpty"),
    ("tasks and threads", r"^HTTPLoop\.run\(\)|^start_thread$"),
]


def check_in(port, code, people):
    """Checks the people in, `ROUND` at a time."""
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(ROUND)]
    people = iter(people)
    for first in people:
        numbers = [first, *(number for number, _ in zip(people, range(ROUND - 1)))]
        for number, connection in zip(numbers, sockets):
            body = (f'{{"code":"{code}","name":"Guest {number}",'
                f'"email":"guest{number * 7919 % 100003}@example.org"}}').encode()
            connection.sendall(b"POST /api/v1/check-ins HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        for _, connection in zip(numbers, sockets):
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += connection.recv(65536)
            if not answer.startswith(b"HTTP/1.1 201 "):
                raise SystemExit(answer.decode())
    for connection in sockets:
        connection.close()


class SilentServer(Server):
    """A server under callgrind that writes no line for a request, as in `qring bench`."""

    def __init__(self, library, out):
        super().__init__("--signup", "open", port=free_port(), before=(
            "env", f"LD_PRELOAD={library}", "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
            "--quiet", "--compress-pos=no"))

        self.log_format = "silent"

    def start(self):
        self.port = int(self.listen.rpartition(":")[2])
        self.process = self.spawn()
        wait_until(self.answers)
        return self

    def rests(self):
        before = self.cpu_seconds()
        # Pause: a server that does nothing for so long has ended the work of its start.
        time.sleep(2)
        return self.cpu_seconds() == before

    def answers(self):
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self.port)) == 0


class Counts:
    """The costs of functions, and of the calls between them."""

    def __init__(self, paths):
        self.own = collections.Counter()
        self.calls = collections.Counter()
        for path in paths:
            self.read(path)

    def read(self, path):
        names, function, called = {}, None, None

        def name(text):
            number, _, full = text.partition(" ")
            if full:
                names[number] = full
            return names[number]

        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                line = line.rstrip("\n")
                if line.startswith("fn="):
                    function = name(line[3:])
                elif line.startswith("cfn="):
                    called = name(line[4:])
                elif line.startswith("calls="):
                    self.calls[function, called] += int(next(file).split()[1])
                elif re.match(r"[+\-*\d]", line):
                    self.own[function] += int((line.split() + ["0"])[1])

    def less(self, other):
        self.own.subtract(other.own)
        self.calls.subtract(other.calls)
        return self


def shares(counts, roots):
    """Returns for each function the part of its cost that belongs to each step."""
    callers = collections.defaultdict(list)
    for (caller, called), cost in counts.calls.items():
        if cost > 0 and caller != called:
            callers[called].append((caller, cost))
    found = {name: {roots[name]: 1.0} if name in roots else {} for name in counts.own}
    for _ in range(60):
        for name in found:
            if name in roots or not callers[name]:
                continue
            mixed, whole = collections.Counter(), sum(cost for _, cost in callers[name])
            for caller, cost in callers[name]:
                for step, part in found.get(caller, {}).items():
                    mixed[step] += part * cost / whole
            found[name] = dict(mixed)
    return found


def demangled(names):
    names = list(names)
    result = subprocess.run(["swift-demangle", "--compact", "--simplified"], input="\n".join(names),
        capture_output=True, text=True, check=True).stdout.splitlines()
    return dict(zip(names, result))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--functions", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="qring-steps-") as temporary:
        measure(options.keep or temporary, options)


def measure(folder, options):
    if options.again:
        report({people: os.path.join(folder, f"callgrind.{people}") for people in (FEW, MANY)}, options)
        return
    os.makedirs(folder, exist_ok=True)
    library = os.path.join(folder, "under_callgrind.so")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library,
        os.path.join(os.path.dirname(__file__), "under_callgrind.c")], check=True)
    files = {}
    for people in (FEW, MANY):
        out = os.path.join(folder, f"callgrind.{people}")
        with SilentServer(library, out) as server:
            session = Host(server).session(questions=[])
            # After the start, the server makes the files of its pages.
            wait_until(server.rests, seconds=10 * DEADLINE)
            check_in(server.port, code_of(session), range(people))
            server.stop()
        files[people] = out
    report(files, options)


def report(files, options):
    counts = Counts([files[MANY]]).less(Counts([files[FEW]]))
    people = MANY - FEW
    names = demangled(counts.own)
    roots = {}
    for function, name in names.items():
        step = next((step for step, pattern in STEPS if re.search(pattern, name)), None)
        if step:
            roots[function] = step
    steps = collections.Counter()
    for function, parts in shares(counts, roots).items():
        rest = counts.own[function]
        for step, part in parts.items():
            steps[step] += counts.own[function] * part
            rest -= counts.own[function] * part
        steps["elsewhere"] += rest
    print("| step | instructions |\n|---|---|")
    for step in [step for step, _ in STEPS] + ["elsewhere"]:
        print(f"| {step} | {steps[step] / people:,.0f} |")
    print(f"| all | {sum(counts.own.values()) / people:,.0f} |")
    whole = collections.Counter(counts.own)
    for (caller, called), cost in counts.calls.items():
        if caller != called:
            whole[caller] += cost
    if options.functions:
        print("\n     whole      own  function")
    for function, cost in whole.most_common(options.functions):
        print(f"{cost / people:10,.0f} {counts.own[function] / people:8,.0f}  {names[function][:150]}")


if __name__ == "__main__":
    main()
