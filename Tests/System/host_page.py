"""The host's page in a real browser: its views, and how a host signs in."""
import json
import unittest

from browser import Browser
from host import PASSWORD, Host

WIDE = (1280, 900)
HOSTILE = "<img src=x onerror=alert(1)>"
# A hundred characters without a space.
LONG_KOREAN = "남궁아리랑고개너머황금들녘별빛가득한이름" * 5


class HostPage(Browser):
    """A browser on `/host`. `dark` asks for dark colours; `quiet` asks for less motion."""

    def __init__(self, server, size=WIDE, language="en", dark=False, quiet=False, url=None):
        super().__init__(size, language)
        self.base = (url or server.url) + f"/host?lang={language}"
        features = [("prefers-color-scheme", "dark" if dark else "light"),
            ("prefers-reduced-motion", "reduce" if quiet else "no-preference")]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
            {"features": [{"name": name, "value": value} for name, value in features]})

    def sign_in(self, email, password=PASSWORD):
        self.show("sign-in")
        self.find("#f-email").send_keys(email)
        self.find("#f-password").send_keys(password)
        self.find("form button").click()
        self.wait_for(lambda: "#/sign-in" not in self.driver.current_url and self.find("#bar button"))

    def show(self, view):
        """Opens a view and waits until it is shown, with its first data."""
        if not self.driver.current_url.startswith(self.base):
            self.driver.get(f"{self.base}#/{view}")
        else:
            self.driver.execute_script("""
                document.getElementById('main').replaceChildren();
                if (location.hash === arguments[0]) dispatchEvent(new HashChangeEvent('hashchange'));
                else location.hash = arguments[0];
            """, f"#/{view}")
        self.wait_for(lambda: self.find("#main h1") and not self.find_all("#main [aria-busy=true]"))

    def fill(self, css, text):
        """Replaces the text of a field. Dates and times are set as a picker sets them."""
        self.wait_for(lambda: self.driver.execute_script("""
            const [input, text] = arguments;
            input.value = text;
            for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }));
            return true;
        """, self.find(css), text))

    def click(self, css):
        self.wait_for(lambda: self.press(self.find(css)))

    def click_text(self, text, css="button, a, summary"):
        def press():
            found = next(
                (one for one in self.find_all(css) if one.is_displayed()
                    and (one.text.strip() == text or one.accessible_name == text)), None)
            return found and self.press(found)

        self.wait_for(press)

    def press(self, element):
        """Clicks an element. Scrolls first, because a message at the bottom may cover it."""
        self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()
        return True

    def answer_dialog(self, text):
        """Presses a button of the open dialog."""
        self.click_text(text, "dialog button")
        self.wait_for(lambda: not self.find_all("dialog"))

    def width_of_content(self):
        """Returns the width of the content, which scrolls inside the page."""
        return max(super().width_of_content(),
            self.driver.execute_script("return document.getElementById('page').scrollWidth"))

    def count(self, kind):
        """Returns the number under `present`, `late`, …, or None."""
        found = self.find_all(f".counts .{kind} dd")
        return int(found[0].get_property("textContent")) if found else None

    def type_keys(self, *keys):
        """Sends keys to the element that has the focus."""
        for key in keys:
            self.wait_for(lambda: self.driver.switch_to.active_element.send_keys(key) or True)

    def strings(self, script, *arguments):
        return json.loads(self.driver.execute_script(f"return JSON.stringify({script})", *arguments))


class HostPageCase(unittest.TestCase):
    """Tests that share one `self.server`."""

    def page(self, *arguments, **options):
        return self.enterContext(HostPage(self.server, *arguments, **options))

    def signed_in(self, *arguments, **options):
        """Returns a new host and their page."""
        host = Host(self.server)
        page = self.page(*arguments, **options)
        page.sign_in(host.email)
        page.complaints()
        return host, page

    def attendees(self, host, session):
        return host.all(f"/api/v1/sessions/{session['id']}/attendees")
