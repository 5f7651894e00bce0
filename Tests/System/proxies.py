"""Debian's nginx and Caddy with TLS in front of a server, with the samples in docs/proxies, and clients that
trust their certificate."""
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import tempfile

from server_process import DEADLINE, free_port, wait_until

SAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "proxies")
# The text around a site in Debian's nginx.conf, with folders that need no rights.
NGINX = """
worker_processes 1;
error_log {folder}/error.log info;
pid {folder}/nginx.pid;
{user}
events {{ worker_connections 512; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include site.conf;
}}
"""
CADDY = """{
	admin off
	auto_https disable_redirects
}
"""


def sample(name):
    with open(os.path.join(SAMPLES, name), encoding="utf-8") as file:
        return file.read()


def replaced(text, **values):
    """Returns `text` with each key replaced by its value. Every key must occur."""
    for old, new in values.items():
        old = {"name": "qring.example.org", "upstream": "127.0.0.1:8080", "http": "listen 80;",
            "https": "listen 443 ",
            "tls": "# To use your own certificate: tls fullchain.pem privkey.pem"}[old]
        assert old in text, f"the sample has no {old!r}"
        text = text.replace(old, new)
    return text


class Proxy:
    """Stands for the server: has a `port` and opens connections, so that clients do not know what is between.
    The port is known before it starts, because the server's `--public-url` needs it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="qring-proxy-")
        self.certificate = os.path.join(self.folder, "qring", "fullchain.pem")
        self.key = os.path.join(self.folder, "qring", "privkey.pem")
        self.port = free_port()
        self.process = None

    def prepare(self):
        os.mkdir(os.path.dirname(self.certificate))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", self.key, "-out",
             self.certificate],
            check=True, capture_output=True)
        return self

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start(self, server):
        self.prepare()
        with open(os.path.join(self.folder, "output"), "wb") as output:
            self.process = subprocess.Popen(
                self.command(server.port), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                cwd=self.folder,
                env={**os.environ, "HOME": self.folder, "XDG_DATA_HOME": self.folder,
                    "XDG_CONFIG_HOME": self.folder})
        wait_until(lambda: self.process.poll() is not None or self.listens(),
            lambda: f"the proxy does not listen:\n{self.read('output')}\n")
        assert self.process.poll() is None, f"the proxy has ended:\n{self.read('output')}"
        return self

    def listens(self):
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", self.port)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait(DEADLINE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    @property
    def rooms_url(self):
        return f"wss://localhost:{self.port}/rooms"

    @property
    def context(self):
        context = ssl.create_default_context(cafile=self.certificate)
        # The client of the rooms writes in one thread while another one reads. With TLS 1.3, Caddy sends
        # tickets after the handshake, and Python 3.11 sometimes lost the request that was written meanwhile.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        return context

    def connection(self):
        return http.client.HTTPSConnection("localhost", self.port, timeout=DEADLINE, context=self.context)


class Nginx(Proxy):
    def configuration(self, site):
        self.write("site.conf", site)
        return self.write("nginx.conf",
            NGINX.format(folder=self.folder, user="user root;" if os.getuid() == 0 else ""))

    def check(self, site):
        """Runs `nginx -t`, as an operator does."""
        return subprocess.run(
            ["/usr/sbin/nginx", "-t", "-p", self.folder, "-c", self.configuration(site)], capture_output=True,
            text=True, check=False)

    def command(self, upstream):
        site = replaced(
            sample("nginx.conf"), name="localhost", upstream=f"127.0.0.1:{upstream}",
            http=f"listen 127.0.0.1:{free_port()};",
            https=f"listen 127.0.0.1:{self.port} ")
        return ["/usr/sbin/nginx", "-p", self.folder, "-c", self.configuration(site), "-g", "daemon off;"]

    @property
    def log(self):
        return self.read("access.log") + self.read("error.log")


class NginxOfThree(Nginx):
    """nginx in front of three servers. The test sets their ports before the start."""

    ports = ()

    def command(self, upstream):
        command = super().command(upstream)
        one = self.read("site.conf")
        site = one[one.index("# A poll is no upgrade"):]
        assert "upstream" not in site.replace("proxy_next_upstream", "")
        self.write("site.conf", with_ports(sample("nginx-nodes.conf"), self.ports) + site)
        return command


def with_ports(text, ports):
    """Returns a sample for three servers with the ports of a test's servers."""
    for number, port in enumerate(ports, 1):
        assert f"10.0.0.{number}:8080" in text
        text = text.replace(f"10.0.0.{number}:8080", f"127.0.0.1:{port}")
    return text


class Caddy(Proxy):
    def check(self, site):
        return subprocess.run(
            ["/usr/bin/caddy", "validate", "--adapter", "caddyfile", "--config",
                self.write("Caddyfile", site)],
            capture_output=True, text=True, check=False, env={**os.environ, "HOME": self.folder})

    def command(self, upstream):
        site = replaced(
            sample("Caddyfile"), name=f"localhost:{self.port}", upstream=f"127.0.0.1:{upstream}",
            tls=f"tls {self.certificate} {self.key}\n\tbind 127.0.0.1")
        return ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config",
            self.write("Caddyfile", CADDY + site)]

    @property
    def log(self):
        return self.read("output")


class CaddyOfThree(Caddy):
    """Caddy in front of three servers. The test sets their ports before the start."""

    ports = ()

    def command(self, upstream):
        command = super().command(upstream)
        head = self.read("Caddyfile").split("\t# Caddy passes websockets")[0]
        self.write("Caddyfile", head + with_ports(sample("Caddyfile-nodes"), self.ports) + "}\n")
        return command
