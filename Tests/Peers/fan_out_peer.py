"""Measures another server as `qring bench fan-out` measures QRing: watchers on websockets, and as many frames
a second of as many bytes. The watchers look once a millisecond.

usage: fan_out_peer.py PEER WATCHERS SECONDS BYTES FRAMES      prints one JSON object
FRAMES is the number of frames a second. PEER is "nchan" (nginx with nchan), "uwebsockets" (needs a Python
with socketify), or the program of uwebsockets_service.cpp.
"""
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

MODULE = "/usr/lib/nginx/modules/ngx_nchan_module.so"
CONFIGURATION = """
load_module {module};
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error;
worker_rlimit_nofile 65536;
events {{ worker_connections 20000; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location = /publish {{ nchan_publisher; nchan_channel_id room; nchan_message_buffer_length 10; }}
        location = /watch {{ nchan_subscriber websocket; nchan_channel_id room;
            nchan_subscriber_first_message newest; }}
    }}
}}
"""
UPGRADE = ("GET /watch HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()


def processor_seconds(process):
    """Returns the processor time of all threads, user and system (clock_getcpuclockid(3))."""
    return time.clock_gettime((~process << 3) | 2)


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def connected(port):
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=5)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit("the server did not start")


def watch(port, count):
    connected(port).close()
    watchers = []
    for _ in range(count):
        watcher = connected(port)
        watcher.sendall(UPGRADE)
        if b" 101 " not in watcher.recv(4096).split(b"\r\n", 1)[0]:
            raise SystemExit("the server refused a watcher")
        watcher.setblocking(False)
        watchers.append(watcher)
    return watchers


def drain(watchers):
    """Returns the number of bytes that have arrived."""
    count = 0
    for watcher in watchers:
        try:
            count += len(watcher.recv(65536))
        except BlockingIOError:
            pass
    return count


def command(peer, folder, port):
    """Returns the command that starts the server. It answers `/watch` and `/publish`."""
    if peer == "uwebsockets":
        service = os.path.join(os.path.dirname(os.path.abspath(__file__)), "uwebsockets_service.py")
        return [sys.executable, service, str(port)]
    if peer != "nchan":
        return [peer, str(port)]
    with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(module=MODULE, folder=folder, port=port))
    return ["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error"]


def main():
    peer, count, seconds, size = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    rate = float(sys.argv[5])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        port = free_port()
        server = subprocess.Popen(command(peer, folder, port))
        try:
            watchers = watch(port, count)
            message = b"x" * size
            request = urllib.request.Request(f"http://127.0.0.1:{port}/publish", message, method="POST")
            frames, arrived = int(seconds * rate), 0
            # A frame of more than 125 bytes has a head of 4 bytes (RFC 6455 §5.2).
            wanted = frames * count * (size + (4 if size > 125 else 2))
            before, start = processor_seconds(server.pid), time.monotonic()
            for number in range(frames):
                urllib.request.urlopen(request).close()
                while time.monotonic() < start + (number + 1) / rate:
                    arrived += drain(watchers)
                    time.sleep(0.001)
            end = time.monotonic() + 10
            while arrived < wanted and time.monotonic() < end:
                arrived += drain(watchers)
            spent = processor_seconds(server.pid) - before
            print(json.dumps({"serverCPUMicroseconds": spent * 1e6 / (frames * count),
                "missingBytes": wanted - arrived}))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
