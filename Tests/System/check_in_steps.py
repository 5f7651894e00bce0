"""Counts the instructions of a check-in or of a response by step, with callgrind (scripts/steps).

The server runs a number of check-ins by code, in rounds, once few and once many. The difference of both
counts has no start and no warm-up. Instructions in the kernel are not counted. A function that several steps
call, such as `swift_retain`, counts for each of them in proportion to what it cost there.

With --responses, MANY people check in during both runs. FEW of them answer three questions in the first run,
and all in the second.
"""
import argparse
import collections
import json
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
# The questions of the poll of `qring bench responses`.
CHOICES, YES_OR_NO = "abc", ("yes", "no")
QUESTIONS = [
    {"kind": "multipleChoice", "title": "Which?", "choices": [{"label": label} for label in CHOICES]},
    {"kind": "scale", "title": "How sure?", "scale": 7}, {"kind": "yesNo", "title": "A break?"}]
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
    ("run the command", r"^(CheckIn|Respond)\.run\("),
    ("write the answer", r"static CheckIns\.answer\(|static WireJSON\.bytes"),
    ("queue the answer", r"^HTTPLoop\.queue\("),
    ("end the request", r"^HTTPLoop\.endRequest\("),
    ("the rest of the handler",
        r"Responder\.respond\(to:\)$|static CheckIns\.(perform|checkIn)\(|static Feedback\.respond\("),
    ("the rest of the writer", r"^Writer\.runUntilEmpty"),
    ("tasks and threads", r"^HTTPLoop\.run\(\)|^start_thread$"),
]


def post(port, path, requests):
    """Sends requests of a body and a receipt, `ROUND` at a time, and returns the answers."""
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(ROUND)]
    answers = []
    for first in range(0, len(requests), ROUND):
        pairs = list(zip(requests[first:first + ROUND], sockets))
        for (body, receipt), connection in pairs:
            owner = f"Authorization: Bearer {receipt}\r\n" if receipt else ""
            connection.sendall((f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{owner}"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        for _, connection in pairs:
            answer = connection.recv(65536)
            while b"\r\n\r\n" not in answer or not answer.endswith(b"}"):
                answer += connection.recv(65536)
            if not answer.startswith(b"HTTP/1.1 201 "):
                raise SystemExit(answer.decode())
            answers.append(json.loads(answer.partition(b"\r\n\r\n")[2]))
    for connection in sockets:
        connection.close()
    return answers


def check_in(port, code, people):
    return post(port, "/api/v1/check-ins", [
        (json.dumps({"code": code, "name": f"Guest {number}",
            "email": f"guest{number * 7919 % 100003}@example.org"}), None) for number in range(people)])


def respond(port, session, poll, receipts):
    ids = [question["id"] for question in poll["questions"]]
    post(port, f"/api/v1/sessions/{session}/responses", [
        (json.dumps({"set": poll["set"], "promise": "hidden", "answers": dict(zip(ids, (
            [CHOICES[number % 3]], 1 + number % 7, YES_OR_NO[number % 2])))}), receipt)
        for number, receipt in enumerate(receipts)])


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
    parser.add_argument("--responses", action="store_true")
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
            host = Host(server)
            session = host.session(questions=[])
            if options.responses:
                poll = host.post(f"/api/v1/sessions/{session['id']}/polls", {"promise": "hidden",
                    "open": True, "shared": True, "questions": QUESTIONS}).expect(201).json
                receipts = [answer["receipt"] for answer in check_in(server.port, code_of(session), MANY)]
            # After the start, the server makes the files of its pages.
            wait_until(server.rests, seconds=10 * DEADLINE)
            if options.responses:
                respond(server.port, session["id"], poll, receipts[:people])
            else:
                check_in(server.port, code_of(session), people)
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
