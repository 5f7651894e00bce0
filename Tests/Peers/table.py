"""Runs `qring bench` and the peers, and prints the table of docs/benchmarks.md. scripts/bench starts it."""
import argparse
import contextlib
import json
import os
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from fan_out_peer import free_port, processor_seconds

FOLDER = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(FOLDER, "..", "..", ".build", "peers")
QRING = os.environ["QRING"]


class Row:
    """A row of the table. `reached` is None for a figure without a floor."""

    def __init__(self, what, measured, floor="", reached=None):
        self.what, self.measured, self.floor = what, measured, floor
        if reached is False:
            self.floor += ": **not reached**"


class Bench:
    def __init__(self, options):
        self.options = options
        self.machine = None

    def run(self, *words):
        """Returns the report of a benchmark; None if it failed."""
        command = [QRING, "bench", *words, "--data", self.options.data, "--json"]
        print("bench:", *words, file=sys.stderr, flush=True)
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        # A benchmark prints its figures also if a request failed. Such figures belong to different work.
        if result.returncode != 0:
            print(result.stderr, file=sys.stderr)
            return None
        report = json.loads(result.stdout)
        self.machine = self.machine or report["machine"]
        return report

    def median(self, figures):
        return statistics.median(figures) if figures else None


def against(bench, command):
    """Measures check-ins beside another service, which the command starts with a port and a database. Adds
    the service's processor time of a check-in to the report, in microseconds."""
    if not shutil.which(command[0]):
        return None
    with tempfile.TemporaryDirectory(dir=bench.options.data) as folder:
        port, database = free_port(), os.path.join(folder, "peer.db")
        service = subprocess.Popen([*command, str(port), database])
        try:
            for _ in range(200):
                if service.poll() is not None:
                    return None
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    time.sleep(0.05)
            report = bench.run("check-in", "--seconds", bench.options.seconds, "--against", port)
            if report:
                with contextlib.closing(sqlite3.connect(database)) as rows:
                    count, = rows.execute("SELECT count(*) FROM attendees").fetchone()
                report["against"]["CPUMicroseconds"] = processor_seconds(service.pid) * 1e6 / count
            return report
        finally:
            service.terminate()
            service.wait()


def micro(value):
    return f"{value:.1f} µs"


def percent(ratio):
    return f"{100 * (ratio - 1):+.0f} %"


def check_ins(bench):
    """Check-ins on 64 connections, alternating with those under more load."""
    options = bench.options
    idle, room = (100, 50) if options.quick else (10_000, 2_000)
    others = {
        "at 512 connections": (["--connections", 512], 0.9),
        f"with {idle:,} idle watchers": (["--watchers", idle, "--elsewhere"], 0.9),
        f"with {room:,} watchers in the room": (["--watchers", room], 0.75),
    }
    alone, ratios = [], {name: [] for name in others}
    for _ in range(options.rounds):
        report = bench.run("check-in", "--seconds", options.seconds)
        if not report:
            continue
        alone.append(report)
        for name, (words, _) in others.items():
            other = bench.run("check-in", "--seconds", options.seconds, *words)
            if other:
                ratios[name].append(other["perSecond"] / report["perSecond"])
    if alone:
        cpu = bench.median([report["serverCPUMicroseconds"] for report in alone])
        middle = sorted(alone, key=lambda report: report["perSecond"])[len(alone) // 2]
        latency = middle["latency"]
        yield Row("check-in, 64 connections", f"{middle['perSecond']:,.0f}/s; p50 {latency['p50Ms']:.1f} ms, "
            f"p99 {latency['p99Ms']:.1f} ms; {middle['commits']['batch']:.0f} a commit")
        yield Row("– server CPU each", micro(cpu), "25 µs", cpu <= 25)
    for name, (_, floor) in others.items():
        if ratios[name]:
            ratio = bench.median(ratios[name])
            yield Row(f"– {name}", percent(ratio), f"{percent(floor)} at most", ratio >= floor)


def peers(bench):
    ceiling = against(bench, [os.path.join(PEERS, "ceiling")])
    if ceiling:
        ratio = ceiling["against"]["ratio"]
        yield Row("check-in, against the bare C service", f"{ceiling['perSecond']:,.0f} to "
            f"{ceiling['against']['perSecond']:,.0f}/s: {ratio:.2f}", "0.65", ratio >= 0.65)
        yield Row("– server CPU of a check-in, and of the bare C service",
            f"{micro(ceiling['serverCPUMicroseconds'])}, {micro(ceiling['against']['CPUMicroseconds'])}")
    python = os.path.join(PEERS, "venv", "bin", "python")
    service = against(bench, [python, os.path.join(FOLDER, "fastapi_service.py")])
    if service:
        ratio = service["against"]["ratio"]
        yield Row("check-in, against FastAPI with SQLite", f"{service['perSecond']:,.0f} to "
            f"{service['against']['perSecond']:,.0f}/s: {ratio:.0f} times", "10 times", ratio >= 10)


def fan_out(bench):
    """This program's fan-out, alternating with that of its peers."""
    options = bench.options
    watchers = 50 if options.quick else 2_000
    python = os.path.join(PEERS, "venv", "bin", "python")
    native = os.path.join(PEERS, "uwebsockets")
    pythons = {"nchan": sys.executable, "uwebsockets": python if os.path.exists(python) else None,
        native: sys.executable if os.path.exists(native) else None}
    own, pairs = [], {peer: [] for peer in pythons}
    for _ in range(options.rounds):
        report = bench.run("fan-out", "--watchers", watchers, "--seconds", options.seconds)
        if not report:
            continue
        own.append(report)
        for peer, runs in pairs.items():
            if not pythons[peer]:
                continue
            print(f"bench: {peer}", file=sys.stderr, flush=True)
            # A large room sends fewer frames than there are check-ins, and each frame costs more.
            frames = report["perSecond"] / watchers
            command = [pythons[peer], os.path.join(FOLDER, "fan_out_peer.py"), peer, watchers,
                options.seconds, int(report["bytesPerDelivery"]), frames]
            result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
            figures = json.loads(result.stdout) if result.returncode == 0 else None
            if figures and figures["missingBytes"] == 0:
                runs.append((report["serverCPUMicroseconds"], figures["serverCPUMicroseconds"]))
            else:
                print(result.stdout, result.stderr, file=sys.stderr)
    if own:
        cost = bench.median([report["serverCPUMicroseconds"] for report in own])
        yield Row(f"fan-out, {watchers:,} watchers, {own[0]['bytesPerDelivery']:.0f} bytes",
            f"{cost:.2f} µs of server CPU each")
    names = {"nchan": ("nginx with nchan", None), "uwebsockets": ("uWebSockets (on libuv)", 1.1),
        native: ("uWebSockets (C++, on epoll)", 1.1)}
    for peer, runs in pairs.items():
        if runs:
            (name, floor), ratio = names[peer], bench.median([ours / theirs for ours, theirs in runs])
            figures = f"{bench.median([theirs for _, theirs in runs]):.2f} µs: {ratio:.2f}"
            yield Row(f"– against {name}", figures, *((f"{floor}", ratio <= floor) if floor else ()))


def others(bench):
    options = bench.options
    small = options.quick
    storm = bench.run("storm", *(["--check-ins", 200, "--watchers", 50] if small else []))
    if storm:
        yield Row(f"storm, {storm['items']:,} check-ins, {storm['settings']['watchers']:,} watchers",
            f"the last watcher is right after {storm['settleMs']:.0f} ms; {storm['perSecond']:,.0f}/s",
            "500 ms", storm["settleMs"] <= 500)
    idle = bench.run("idle", *(["--watchers", 100] if small else []))
    if idle:
        memory = idle["memoryPerWatcherKB"]
        yield Row(f"idle, {idle['items']:,} watchers", f"{memory:.2f} KB each; an active one: p99 "
            f"{idle['latency']['p99Ms']:.2f} ms", "2.7 KB", memory <= 2.7)
    hall = bench.run("hall", *(["--attendees", 50, "--watchers", 50] if small else []))
    if hall:
        settings = hall["settings"]
        yield Row(f"hall, {settings['attendees']:,} phones, {settings['watchers']:,} watchers",
            f"{micro(hall['serverCPUMicroseconds'])} each; {hall['framesPerSecond']:.1f} frames/s a watcher",
            "25 frames/s", hall["framesPerSecond"] <= 25)
    responses = bench.run("responses", *(["--check-ins", 100] if small else ["--check-ins", 50_000]))
    if responses:
        ratio = responses["checkIns"]["ratio"]
        yield Row("responses to three questions, 64 connections", f"{responses['perSecond']:,.0f}/s, "
            f"{micro(responses['serverCPUMicroseconds'])} each: {ratio:.2f} of the check-in rate", "0.8",
            ratio >= 0.8)
    words = ["--attendees", 200, "--searched", 300, "--seconds", 0.2] if small else []
    read = bench.run("read", *words)
    for cost in read["reads"] if read else []:
        latency = cost["latency"]
        ratio = f", × {cost['ratio']:.2f}" if "ratio" in cost else ""
        yield Row(cost["read"], f"{micro(cost['serverCPUMicroseconds'])}{ratio}; p50 {latency['p50Ms']:.2f} "
            f"ms, p99 {latency['p99Ms']:.2f} ms", cost.get("floor", ""),
            not any(missed.startswith(cost["read"] + ":") for missed in read["missed"]))


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--data", default="/var/tmp")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds = 1, 0.5
    os.makedirs(options.data, exist_ok=True)
    bench = Bench(options)
    rows = [row for part in (check_ins, peers, fan_out, others) for row in part(bench)]
    machine = bench.machine
    if not machine:
        raise SystemExit("bench: every benchmark failed")
    versions = ", ".join(f"{name} {version}" for name, version in sorted(machine["libraries"].items()))
    print(f"{time.strftime('%d %B %Y').lstrip('0')}, {'release' if machine['optimized'] else 'debug'} build, "
        f"load {machine['loadAverage']} before, median of rounds: {options.rounds}.\n\n```\n"
        f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, {machine['fileSystem']},\n"
        f"{versions}\n```\n\n| what | measured | floor |\n|---|---|---|")
    for row in rows:
        print(f"| {row.what} | {row.measured} | {row.floor} |")


if __name__ == "__main__":
    main()
