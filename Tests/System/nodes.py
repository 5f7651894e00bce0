"""Several servers that share one PostgreSQL database."""
import os
import shutil
import tempfile

from server_process import Server

SECRETS = ("secret", "secret.previous", "secret.lasting")


class Nodes:
    """Starts the servers one after the other. The later ones get the secret of the first."""

    def __init__(self, database, count=3, *options):
        self.folder = tempfile.mkdtemp(prefix="qring-nodes-")
        self.options = ("--signup", "open", "--database", database, *options)
        self.servers = [self.make(number) for number in range(count)]

    def make(self, number):
        return Server(*self.options, folder=os.path.join(self.folder, f"node{number}"))

    def __enter__(self):
        for server in self.servers:
            self.start(server)
        return self

    def start(self, server):
        first = self.servers[0]
        if server is not first:
            os.makedirs(server.folder, mode=0o700, exist_ok=True)
            for name in SECRETS:
                path = os.path.join(first.folder, name)
                if os.path.exists(path):
                    shutil.copy2(path, server.folder)
        return server.start()

    def __exit__(self, *_):
        for server in self.servers:
            server.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __getitem__(self, number):
        return self.servers[number]

    def __iter__(self):
        return iter(self.servers)

    def __len__(self):
        return len(self.servers)
