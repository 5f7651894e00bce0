"""Certificates of attendance: on paper, as badges and in mails, and their verification without a server."""
import base64
import email
import email.policy
import glob
import http.server
import json
import os
import re
import subprocess
import tempfile
import threading
import unittest

from host import Host, moment
from qr_reading import decode
from server_process import DEADLINE, QRING, Server, wait_until

PEOPLE = ["김지수", "Lee Jun", "Park"]
# The bytes before a raw public key in SubjectPublicKeyInfo (RFC 8410 §4).
ED25519 = bytes.fromhex("302a300506032b6570032100")


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class CertificateTests(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server("--signup", "open"))
        self.host = Host(self.server)
        made = self.host.meeting("Study group", starts=-200, ends=100)
        self.meeting, self.session = made["meeting"]["id"], made["session"]["id"]
        self.path = f"/api/v1/meetings/{self.meeting}"
        self.host.put(f"{self.path}/roster", {"people": [
            {"name": name, "email": f"p{number}@example.org"} for number, name in enumerate(PEOPLE)]}
            ).expect(200)
        # Kim was in both sessions, Lee in the first one, and Park in none.
        self.attend(self.session, 0, 1, until=-100)
        second = self.host.post(f"{self.path}/sessions", {"startsAt": moment(-90), "endsAt": moment(90),
            "allowOverlap": True, "title": "둘째 회차"}).expect(201).json["id"]
        self.attend(second, 0, until=-30)
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="qring-test-"))
        self.environment = {**Server.environment(), "XDG_CONFIG_HOME": self.folder, "QRING_LANG": "en",
            "QRING_SERVER": self.server.url, "QRING_TOKEN": self.host.token}

    def attend(self, session, *numbers, until):
        """Marks people of the roster as present, and ends the session."""
        for number in numbers:
            slot = next(one["id"] for one in self.host.get(f"/api/v1/sessions/{session}/attendees").expect(
                200).json["items"] if one["name"] == PEOPLE[number])
            self.host.patch(f"/api/v1/attendees/{slot}", {"status": "present"}).expect(200)
        self.host.patch(f"/api/v1/sessions/{session}", {"endsAt": moment(until)}).expect(200)

    def run_qring(self, *words, code=0, **environment):
        ran = subprocess.run([QRING, *words], env={**self.environment, **environment}, cwd=self.folder,
            input="", capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def url(self, name):
        """Returns the address of the newest valid certificate of this name."""
        items = json.loads(self.run_qring("certificate", "list", self.meeting, "--json"))["items"]
        return [item["url"] for item in items if item.get("url") and item["name"] == name][-1]

    def verify(self, *words, code=0, **environment):
        return json.loads(self.run_qring("certificate", "verify", *words, "--json", code=code, **environment))

    def test_certificates_are_printed_scanned_and_verified_with_and_without_the_server(self):
        made = json.loads(self.run_qring(
            "certificate", "create", self.meeting, "--at-least", "80%", "--json"))
        self.assertEqual(made, {"created": 1, "existing": 0, "notEntitled": 2, "nameTooLong": 0,
            "walkIns": 0, "revoked": 0})
        said = self.run_qring("certificate", "create", self.meeting, "--session", self.session)
        self.assertIn("2 certificates issued", said)
        urls = {self.url("김지수"), self.url("Lee Jun")}
        self.run_qring("certificate", "print", self.meeting)
        self.assertEqual(os.stat(f"{self.folder}/certificates.pdf").st_mode & 0o777, 0o600)
        for language, title in [("en", "Certificate of attendance"), ("ko", "출석 확인서")]:
            self.run_qring("certificate", "print", self.meeting, "--to", f"{language}.pdf",
                QRING_LANG=language)
            text = subprocess.run(["pdftotext", f"{language}.pdf", "-"], cwd=self.folder, check=True,
                capture_output=True, text=True, timeout=DEADLINE).stdout
            for word in [title, "김지수", "Lee Jun", "Study group"]:
                self.assertIn(word, text)
        self.assertIn("2 of 2 sessions", subprocess.run(["pdftotext", "en.pdf", "-"], cwd=self.folder,
            check=True, capture_output=True, text=True, timeout=DEADLINE).stdout)
        subprocess.run(["pdftoppm", "-png", "-r", "150", "en.pdf", "page"], cwd=self.folder, check=True,
            timeout=DEADLINE)
        scanned = [code for page in sorted(glob.glob(f"{self.folder}/page-*.png")) for code in decode(page)]
        self.assertEqual(len(scanned), 3)
        self.assertLessEqual(urls, set(scanned))
        # The PDF file has the three addresses as links.
        said = self.run_qring("certificate", "verify", "en.pdf")
        self.assertEqual(said.count("VALID: issued by"), 3)
        self.assertIn("2 of 2 sessions", said)
        finding = self.verify(scanned[0])
        self.assertEqual((finding["result"], finding["issuer"]), ("valid", self.server.url))
        # After the meeting is gone, the signature remains. Without the server, the saved keys verify it.
        keys = self.run_qring("certificate", "keys", "--json")
        with open(f"{self.folder}/keys.json", "w", encoding="utf-8") as file:
            file.write(keys)
        self.host.delete(f"{self.path}?confirm=Study%20group").expect(204)
        self.assertEqual(self.verify(scanned[0])["result"], "unknown")
        self.assertEqual(self.server.stop(), 0)
        offline = self.verify(scanned[0], "--keys", "keys.json")
        self.assertEqual((offline["result"], offline["name"] in PEOPLE), ("signatureValid", True))
        forged = scanned[0][:-100] + ("1" if scanned[0][-100] == "0" else "0") + scanned[0][-99:]
        self.assertEqual(self.verify(forged, "--keys", "keys.json", code=6)["result"], "notGenuine")
        self.assertIn("qring certificate keys", self.run_qring(
            "certificate", "verify", scanned[0], "--keys", "en.pdf", code=1))
        self.assertIn("no certificate here", self.run_qring("certificate", "verify", "keys.json", code=1))

    def test_the_issuer_is_the_server_that_was_asked_whatever_it_states_about_itself(self):
        self.run_qring("certificate", "create", self.meeting)
        code = self.url("김지수").rsplit("/", 1)[1]
        keys = self.host.get("/.well-known/qring-keys.json", token=None).expect(200).json
        keys["issuer"] = "https://university.example.org"
        answers = {"/.well-known/qring-keys.json": keys, f"/api/v1/certificates/{code}": self.host.get(
            f"/api/v1/certificates/{code}", token=None).expect(200).json}

        class Forger(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps(answers[self.path]).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        forger = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forger)
        self.addCleanup(forger.server_close)
        self.addCleanup(forger.shutdown)
        threading.Thread(target=forger.serve_forever, daemon=True).start()
        url = f"HTTP://127.0.0.1:{forger.server_port}/A/{code}"
        finding = self.verify(url)
        self.assertEqual((finding["result"], finding["issuer"]),
            ("valid", f"http://127.0.0.1:{forger.server_port}"))
        self.assertNotIn("university", self.run_qring("certificate", "verify", url))
        with open(f"{self.folder}/keys.json", "w", encoding="utf-8") as file:
            json.dump(keys, file)
        self.assertIn("the keys of https://university.example.org", self.run_qring(
            "certificate", "verify", url, "--keys", "keys.json", code=1))

    def test_a_revoked_certificate_is_not_valid_and_a_corrected_name_is_on_the_next_print(self):
        self.run_qring("certificate", "create", self.meeting, "p1@example.org")
        before = self.url("Lee Jun")
        self.host.patch(f"{self.path}/roster/{self.person(1)}", {"name": "Lee Jun-ho"}).expect(200)
        after = self.url("Lee Jun-ho")
        self.assertNotEqual(before, after)
        self.assertEqual([self.verify(one)["result"] for one in [before, after]], ["valid", "valid"])
        self.assertIn("revoked", self.run_qring("certificate", "revoke", self.meeting, "p1@example.org"))
        for url in [before, after]:
            self.assertIn("NOT VALID", self.run_qring("certificate", "verify", url, code=6))
        page = self.host.get(f"/A/{after.rsplit('/', 1)[1]}", token=None).expect(200)
        self.assertIn("revoked", page.text)
        self.run_qring("certificate", "print", self.meeting, code=5)
        self.run_qring("certificate", "revoke", self.meeting, code=2)
        self.run_qring("certificate", "create", self.meeting, "p0@example.org")
        listed = json.loads(self.run_qring("certificate", "list", self.meeting, "--json"))["items"]
        self.run_qring("certificate", "revoke", self.meeting, "--id", listed[-1]["id"][-16:])
        self.run_qring("certificate", "print", self.meeting, code=5)
        said = self.run_qring("certificate", "create", self.meeting, "p2@example.org")
        self.assertIn("too few sessions", said)

    def person(self, number):
        roster = self.host.get(f"{self.path}/roster").expect(200).json["items"]
        return next(one["id"] for one in roster if one.get("email") == f"p{number}@example.org")

    def test_a_badge_is_a_signed_credential_that_openssl_verifies(self):
        self.run_qring("certificate", "create", self.meeting, "p0@example.org")
        self.run_qring("certificate", "badge", self.meeting, "p0@example.org", "--to", "badge.png")
        self.run_qring("certificate", "badge", self.meeting, "p0@example.org", "--format", "jwt", "--to",
            "badge.jwt")
        self.assertEqual(decode(f"{self.folder}/badge.png"), [self.url("김지수")])
        with open(f"{self.folder}/badge.jwt", encoding="utf-8") as file:
            token = file.read().strip()
        with open(f"{self.folder}/badge.png", "rb") as file:
            self.assertIn(b"iTXtopenbadgecredential\0\0\0\0\0" + token.encode(), file.read())
        header, payload, signature = token.split(".")
        head, credential = json.loads(unpadded(header)), json.loads(unpadded(payload))
        self.assertEqual((head["alg"], head["typ"], head["jwk"]["crv"]), ("EdDSA", "JWT", "Ed25519"))
        self.assertEqual(credential["type"], ["VerifiableCredential", "OpenBadgeCredential"])
        self.assertEqual(credential["issuer"]["id"], self.server.url)
        self.assertEqual(credential["credentialSubject"]["identifier"][0]["identityHash"], "김지수")
        self.assertIn("2 of 2 sessions", credential["credentialSubject"]["achievement"]["description"])
        published = self.host.get("/.well-known/qring-keys.json", token=None).expect(200).json["keys"]
        self.assertEqual(published, [head["jwk"]])
        for name, content in [("key", ED25519 + unpadded(head["jwk"]["x"])), ("signature",
                unpadded(signature)), ("message", f"{header}.{payload}".encode())]:
            with open(f"{self.folder}/{name}", "wb") as file:
                file.write(content)
        verified = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key", "-keyform",
            "DER", "-rawin", "-in", "message", "-sigfile", "signature"], cwd=self.folder,
            capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        for file in ["badge.png", "badge.jwt"]:
            finding = self.verify(file)
            self.assertEqual((finding["result"], finding["name"]), ("valid", "김지수"))

    def test_mails_carry_a_link_to_the_certificate_and_no_name_is_in_the_queue(self):
        self.run_qring("certificate", "create", self.meeting)
        said = self.run_qring("certificate", "mail", self.meeting)
        self.assertIn("2 mails are on the way", said)
        self.assertIn("2 certificates were sent before",
            self.run_qring("certificate", "mail", self.meeting))
        files = wait_until(lambda: len(found := glob.glob(f"{self.server.folder}/outbox/*.eml")) == 2 and
            found)
        names = set()
        for path in files:
            with open(path, "rb") as file:
                mail = email.message_from_binary_file(file, policy=email.policy.default)
            self.assertIn("Study group", mail["Subject"])
            text = mail.get_body(("plain",)).get_content()
            url = re.search(r"HTTP://\S+/A/\S+", text)[0]
            names.add(self.verify(url)["name"])
            self.assertIn("/unsubscribe/", text)
        self.assertEqual(names, {"김지수", "Lee Jun"})

    def test_the_operator_replaces_the_key_while_the_server_runs(self):
        self.run_qring("certificate", "create", self.meeting)
        before = self.url("김지수")
        said = self.run_qring("admin", "rotate-certificate-key", "--data", self.server.folder)
        self.assertIn("Key 2 signs", said)
        after = self.url("김지수")
        self.assertNotEqual(before, after)
        for url in [before, after]:
            self.assertEqual(self.verify(url)["result"], "valid")
        self.assertEqual(self.run_qring("certificate", "keys").count("\n"), 3)
        for language in ["ko", "de", "es", "fr", "ja", "zh-Hans"]:
            page = self.host.get(f"/A/{after.rsplit('/', 1)[1]}?lang={language}", token=None).expect(200)
            self.assertNotIn("Certificate of attendance", page.text)
            self.assertIn("김지수", page.text)


if __name__ == "__main__":
    unittest.main()
