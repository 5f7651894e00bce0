"""Debian's nginx with TLS in front of a server, as docs/operations.md shows it, and clients that trust its certificate."""
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time

from server_process import DEADLINE

CONFIGURATION = """
worker_processes 1;
error_log stderr;
pid {folder}/nginx.pid;
{user}
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    # Connections to the server are kept, which an upgrade must survive.
    upstream qring {{ server 127.0.0.1:{upstream}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
{locations}
    }}
}}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def documented_locations():
    """The locations of the sample for operators, so that it is the sample which is tested."""
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "operations.md"), encoding="utf-8") as page:
        sample = page.read().split("# nginx\n")[1].split("```")[0]
    return sample[sample.index("    location "):sample.rindex("}")]


class Nginx:
    """Stands for the server: has a `port` and gives connections, so that clients need not know what is between."""

    def __init__(self, server):
        self.server = server
        self.folder = tempfile.mkdtemp(prefix="qring-nginx-")
        self.certificate = os.path.join(self.folder, "certificate.pem")
        self.port = free_port()
        self.process = None

    def __enter__(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", os.path.join(self.folder, "key.pem"), "-out", self.certificate],
            check=True, capture_output=True)
        locations = documented_locations().replace("http://127.0.0.1:8080", "http://qring")
        path = os.path.join(self.folder, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                folder=self.folder, port=self.port, upstream=self.server.port, locations=locations, user="user root;" if os.getuid() == 0 else ""))
        self.errors = open(os.path.join(self.folder, "errors"), "wb")
        self.process = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", self.folder, "-c", path, "-g", "daemon off;"], stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors)
        end = time.monotonic() + DEADLINE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, "nginx does not listen"
                time.sleep(0.02)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    @property
    def rooms_url(self):
        return f"wss://localhost:{self.port}/rooms"

    @property
    def context(self):
        return ssl.create_default_context(cafile=self.certificate)

    def connection(self):
        return http.client.HTTPSConnection("localhost", self.port, timeout=DEADLINE, context=self.context)
