"""Uses what scripts/release --all makes: verifies the sums and the list of libraries, unpacks the tarball in
a small Debian, and runs the image's files on a read-only root. usage: python3 Tests/Package/release.py dist,
as root."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from small_debian import Debian

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMIT = subprocess.check_output(["git", "-C", ROOT, "rev-parse", "HEAD"], text=True).strip()
DATE = subprocess.check_output(
    ["git", "-C", ROOT, "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ"],
    env={**os.environ, "TZ": "UTC"}, text=True).strip()


def only(pattern):
    (path,) = glob.glob(pattern)
    return path


def check_sums(dist):
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=dist, check=True)
    with open(os.path.join(dist, "SHA256SUMS"), encoding="utf-8") as file:
        assert {line.split()[1] for line in file} == set(os.listdir(dist)) - {"SHA256SUMS"}


def check_description(described):
    assert described["optimized"], "not a release build"
    assert described["commit"].removesuffix("-dirty") == COMMIT and described["date"] == DATE, described
    expected = {"SQLite", "cairo", "jansson", "libcurl", "libmicrohttpd", "libpq", "libqrencode", "libsodium",
        "libwebsockets", "ncurses", "pango", "zlib"}
    assert set(described["libraries"]) == expected, described
    assert all(re.fullmatch(r"\d+(\.\d+)+", text) for text in described["libraries"].values()), described


class Tarball(Debian):
    """A Debian with the packages that the tarball lists, and the tarball in /usr/local."""

    def __init__(self, folder, archive):
        listed = subprocess.check_output(
            ["tar", "--extract", "--to-stdout", "--file", archive, "--wildcards", "*/doc/qring/packages.txt"],
            text=True)
        super().__init__(folder, [line for line in listed.splitlines() if not line.startswith("#")])
        subprocess.run(
            ["tar", "--extract", "--file", archive, "--strip-components=1", "--directory",
                os.path.join(self.root, "usr/local")], check=True)

    def check(self):
        check_description(json.loads(self.run("qring", "version", "--json")))
        assert "not found" not in self.run("ldd", "/usr/local/bin/qring"), "a library is missing"
        headers = subprocess.check_output(
            ["readelf", "-d", os.path.join(self.root, "usr/local/bin/qring")], text=True)
        assert "RUNPATH" not in headers and "RPATH" not in headers, headers
        for path in ["share/man/man1/qring-serve.1.gz", "share/doc/qring/copyright",
                "share/doc/qring/Apache-2.0", "share/doc/qring/NEWS.md.gz",
                "share/doc/qring/examples/qring.conf", "lib/sysusers.d/qring.conf"]:
            assert os.path.exists(os.path.join(self.root, "usr/local", path)), path
        unit = os.path.join(self.root, "usr/local/lib/systemd/system/qring.service")
        assert "ExecStart=/usr/local/bin/qring serve\n" in open(unit, encoding="utf-8").read()
        self.run("install", "-d", "-o", "nobody", "-g", "nogroup", "/srv/qring")
        for use in (self.check_in, self.find_the_attendee):
            with self.server(["qring", "serve"], "nobody", {"QRING_DATA": "/srv/qring"}) as server:
                use(server)
        # Each library that the program loads, with the package that has it.
        libraries = re.findall(r"=> (\S+)", self.run("ldd", "/usr/local/bin/qring"))
        files = self.run("realpath", *libraries).split()
        # Debian knows some files by their path before the merge of /lib and /usr/lib.
        script = 'for file; do dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}"; done'
        owners = self.run("sh", "-c", script, "sh", *files)
        names = sorted({line.split(":")[0] for line in owners.splitlines()})
        return dict(line.split() for line in self.run(
            "dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names).splitlines())


class Image(Debian):
    """The files of the image, as a container has them: a read-only root, and the volume."""
    mounts = '''mount --bind "$1" "$1"; mount --bind "$1/../data" "$1/data"
        mount -o remount,ro,bind "$1"; mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"'''

    def __init__(self, folder, archive):
        layout = os.path.join(folder, "layout")
        os.mkdir(layout)
        subprocess.run(["tar", "--extract", "--file", archive, "--directory", layout], check=True)
        with open(os.path.join(layout, "index.json"), encoding="utf-8") as file:
            (entry,) = json.load(file)["manifests"]
        self.tag = entry["annotations"]["org.opencontainers.image.ref.name"]
        self.manifest = self.blob(layout, entry)
        self.settings = self.blob(layout, self.manifest["config"])
        self.config = self.settings["config"]
        subprocess.run(
            ["umoci", "unpack", "--image", f"{layout}:{self.tag}", os.path.join(folder, "bundle")],
            check=True)
        self.root = os.path.join(folder, "bundle", "rootfs")
        # Every runtime makes the folder of devices, which the image does not have.
        os.mkdir(os.path.join(self.root, "dev"))
        # A new volume gets the owner and the mode of the folder in the image.
        (volume,) = self.config["Volumes"]
        assert volume == "/data" and not os.listdir(os.path.join(self.root, "data"))
        data, made = os.path.join(folder, "bundle", "data"), os.stat(os.path.join(self.root, "data"))
        os.mkdir(data, made.st_mode)
        os.chown(data, made.st_uid, made.st_gid)
        self.environment = dict(line.split("=", 1) for line in self.config["Env"])

    @staticmethod
    def blob(layout, descriptor):
        path = os.path.join(layout, "blobs", *descriptor["digest"].split(":"))
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def start(self):
        words = ["env", "--chdir", self.config["WorkingDir"], *self.config["Entrypoint"]]
        return self.server(words, self.config["User"], {"HOME": "/data", **self.environment})

    def health(self, server, code):
        return self.run("qring", "api", "GET", "/readyz", user=self.config["User"], code=code,
            environment={"HOME": "/data", **self.environment, "QRING_SERVER": server})

    def check(self, client):
        labels = self.config["Labels"]
        assert labels == self.manifest["annotations"], labels
        assert labels["org.opencontainers.image.revision"].removesuffix("-dirty") == COMMIT, labels
        assert f"localhost/qring:{labels['org.opencontainers.image.version']}" == self.tag, labels
        assert labels["org.opencontainers.image.created"] == self.settings["created"] == DATE, labels
        assert (self.config["StopSignal"], list(self.config["ExposedPorts"])) == ("SIGTERM", ["8080/tcp"])
        assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", self.config["User"]), "the user needs a number above 0"
        special = subprocess.check_output(
            ["find", self.root, "-type", "f", "-perm", "/6000", "-o", "-type", "b,c"], text=True)
        assert not special, f"setuid programs or devices: {special}"
        assert not os.listdir(os.path.join(self.root, "tmp"))
        check_description(json.loads(self.run("qring", "version", "--json")))
        ran = subprocess.run(self.command(["touch", "/file"]), capture_output=True, text=True, check=False)
        assert "Read-only file system" in ran.stderr, ran
        with self.start() as server:
            client.check_in(server)
            assert self.health(server, 0) == "ready\n"
            client.run("qring", "meeting", "poster", "Study group", "/tmp/poster.pdf", "--server", server)
            with open(os.path.join(client.root, "tmp/poster.pdf"), "rb") as file:
                assert b"DejaVu" in file.read(), "the poster has no letters"
        self.health(server, 1)
        with self.start() as server:
            client.find_the_attendee(server)


def check_list(path, dist, loaded):
    """SPDX 2.3: the required fields (§6, §7, §11), and everything that the program loads."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    assert (document["spdxVersion"], document["dataLicense"], document["SPDXID"]) == (
        "SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT")
    assert document["name"] and re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["documentNamespace"])
    assert document["creationInfo"]["created"] == DATE
    for creator in document["creationInfo"]["creators"]:
        assert re.match("(Person|Organization|Tool): .", creator), creator
    packages = document["packages"]
    known = {package["SPDXID"] for package in packages} | {"SPDXRef-DOCUMENT"}
    assert len(known) == len(packages) + 1, "two packages have one identifier"
    for package in packages:
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]), package
        assert package["name"] and package["versionInfo"] and package["downloadLocation"] == "NOASSERTION"
        # Without it, a package needs a code of all its files.
        assert package["filesAnalyzed"] is False
        for listed in package.get("checksums", []):
            whole = subprocess.check_output(["sha256sum", package["packageFileName"]], cwd=dist, text=True)
            assert whole.split()[0] == listed["checksumValue"], package
    for relation in document["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= known, relation
    assert sum(one["relationshipType"] == "DESCRIBES" for one in document["relationships"]) == 3
    listed = {package["name"]: package["versionInfo"] for package in packages}
    assert loaded and loaded.items() <= listed.items(), loaded.items() - listed.items()


def main():
    dist = sys.argv[1]
    if os.geteuid() != 0:
        print("release: not tested, because only root can enter the small Debian: run this as root",
            file=sys.stderr)
        return 1
    check_sums(dist)
    with tempfile.TemporaryDirectory(prefix="qring-release-") as folder:
        tarball = Tarball(folder, only(os.path.join(dist, "qring-*.tar.zst")))
        loaded = tarball.check()
        check_list(only(os.path.join(dist, "*.spdx.json")), dist, loaded)
        Image(folder, only(os.path.join(dist, "*.oci.tar"))).check(tarball)
    print("release: the sums, the list of libraries, the tarball and the image are right", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
