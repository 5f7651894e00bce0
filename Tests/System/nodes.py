"""Several servers that share one PostgreSQL database."""
import os
import shutil
import tempfile

from server_process import Server

SECRETS = ("secret", "secret.previous", "secret.lasting")


def share_secrets(source, target):
    """Copies the secrets of the server in the folder `source` to the folder `target`."""
    os.makedirs(target, mode=0o700, exist_ok=True)
    for name in SECRETS:
        path = os.path.join(source, name)
        if os.path.exists(path):
            shutil.copy2(path, target)


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
            share_secrets(first.folder, server.folder)
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
