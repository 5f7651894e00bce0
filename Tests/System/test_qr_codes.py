"""An independent reader decodes every drawing of a code, fetched through the API, to the exact URL."""
import os
import subprocess
import tempfile
import unittest

import pyte

from host import Host
from qr_reading import decode, draw_terminal
from server_process import DEADLINE, Server
from terminal import draw_screen


class QRCodeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--public-url", "https://meet.example.org:8443"))
        cls.host = Host(cls.server)
        made = cls.host.meeting()
        cls.codes = {
            f"/api/v1/sessions/{made['session']['id']}": made["session"]["checkInUrl"],
            f"/api/v1/meetings/{made['meeting']['id']}": made["meeting"]["meetingUrl"],
        }

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def fetch(self, path, name):
        answer = self.host.get(path).expect(200)
        place = os.path.join(self.folder, name)
        with open(place, "wb") as file:
            file.write(answer.body)
        return answer, place

    def test_the_url_uses_the_small_alphabet_of_qr(self):
        for url in self.codes.values():
            self.assertRegex(url, r"^HTTPS://MEET\.EXAMPLE\.ORG:8443/[CM]/[0-9A-Z]+$")

    def test_the_png_decodes_to_the_exact_url_in_every_size(self):
        for path, url in self.codes.items():
            for size in ["", "?size=64", "?size=300", "?size=2048"]:
                with self.subTest(path=path, size=size):
                    answer, place = self.fetch(f"{path}/qr.png{size}", "code.png")
                    self.assertEqual(answer.headers["Content-Type"], "image/png")
                    self.assertEqual(answer.headers["Cache-Control"], "no-store")
                    self.assertEqual(decode(place), [url])

    def test_the_svg_decodes_to_the_exact_url(self):
        for path, url in self.codes.items():
            with self.subTest(path=path):
                answer, place = self.fetch(f"{path}/qr.svg", "code.svg")
                self.assertEqual(answer.headers["Content-Type"], "image/svg+xml")
                pixels = os.path.join(self.folder, "code-of-svg.png")
                subprocess.run(["rsvg-convert", "--width", "400", "--output", pixels, place], check=True,
                    timeout=DEADLINE)
                self.assertEqual(decode(pixels), [url])

    def test_the_terminal_drawing_decodes_to_the_exact_url_and_fits(self):
        for path, url in self.codes.items():
            with self.subTest(path=path):
                answer, _ = self.fetch(f"{path}/qr.txt", "code.txt")
                self.assertEqual(answer.headers["Content-Type"], "text/plain; charset=utf-8")
                lines = answer.text.splitlines()
                self.assertLessEqual(len(lines), 23)
                self.assertTrue(all(sum(cell in "█▀▄ " for cell in line) <= 45 for line in lines))
                pixels = os.path.join(self.folder, "code-of-txt.pgm")
                with open(pixels, "wb") as file:
                    file.write(draw_terminal(answer.text))
                self.assertEqual(decode(pixels), [url])

    def test_the_code_is_read_if_the_blocks_of_a_font_do_not_fill_their_cells(self):
        for path, url in self.codes.items():
            screen = pyte.Screen(80, 24)
            screen.set_mode(pyte.modes.LNM)
            pyte.Stream(screen).feed(self.host.get(f"{path}/qr.txt").expect(200).text)
            for above, below in [(0, 0), (2, 0), (0, 3)]:
                pixels = os.path.join(self.folder, "code-with-gaps.pgm")
                with open(pixels, "wb") as file:
                    file.write(draw_screen(screen, above=above, below=below))
                self.assertEqual(decode(pixels), [url], f"{above} pixels above, {below} below")

    def test_the_reader_finds_no_code_in_a_broken_one(self):
        text = self.host.get(next(iter(self.codes)) + "/qr.txt").expect(200).text
        # Two of the three finder patterns are in the first lines. This reader needs dark on light, which
        # explicit colours give.
        for broken in ["\n".join(text.splitlines()[12:]),
                text.replace("38;5;16;48;5;231", "38;5;231;48;5;16")]:
            pixels = os.path.join(self.folder, "broken.pgm")
            with open(pixels, "wb") as file:
                file.write(draw_terminal(broken))
            self.assertEqual(decode(pixels), [])


if __name__ == "__main__":
    unittest.main()
