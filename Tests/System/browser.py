"""A real headless Chromium, as a phone or a projector."""
import base64
import os
import tempfile

from selenium import webdriver
from selenium.common.exceptions import (ElementClickInterceptedException, ElementNotInteractableException,
    JavascriptException, NoSuchElementException, StaleElementReferenceException)
from selenium.webdriver.remote.webelement import WebElement

from qr_reading import decode
from server_process import DEADLINE, wait_until

PHONE = (390, 844)
PROJECTOR = (1920, 1080)
# The mark of a phone beside the own answer.
OWN_ANSWER = "Your answer"
# A condition raises these while the page, a list or a record of it is not complete, or while the page moves.
PASSING = (NoSuchElementException, StaleElementReferenceException, ElementNotInteractableException,
    ElementClickInterceptedException, JavascriptException, AttributeError, IndexError, StopIteration)


class Element(WebElement):
    """An element of a page. If `Browser.find` returned it, and the page replaces it before it is used, it
    stands for its replacement. Elements of `find_all` do not: they are stale then."""

    find_again = None

    def _attempt(self, action):
        """Returns what the action returns. Repeats it on the replacement, and until the element can be
        clicked or typed into."""
        def again():
            try:
                return (action(),)
            except StaleElementReferenceException:
                self._id = self.find_again()._id
                return (action(),)

        return self.wait_for(again)[0] if self.find_again else action()

    def _execute(self, command, params=None):
        def act():
            try:
                return super(Element, self)._execute(command, params)
            except ElementClickInterceptedException:
                # A person scrolls an element out from behind the bar of a phone's page.
                self.parent.execute_script("arguments[0].scrollIntoView({ block: 'center' })", self)
                return super(Element, self)._execute(command, params)

        return self._attempt(act)

    def get_attribute(self, name):
        return self._attempt(lambda: super(Element, self).get_attribute(name))

    def is_displayed(self):
        return self._attempt(super().is_displayed)


class Browser:
    """`javascript=False` is a phone without JavaScript for the page; the test's own scripts still run. With
    `any_certificate`, the browser accepts a certificate that the server signed itself. `text_size` is the
    size of normal text that the reader has chosen, in pixels. `camera` is a film (Y4M) that the camera
    shows."""

    def __init__(self, size=PHONE, language="en", javascript=True, any_certificate=False, text_size=16,
            camera=None):
        options = webdriver.ChromeOptions()
        # The shell has Chromium's engine without its windows. A start takes a quarter of the processor time.
        # It has no camera. The script in /usr/bin would leave the browser running when it is ended.
        headless_shell = "/usr/lib/chromium/chromium-headless-shell"
        options.binary_location = "/usr/bin/chromium" if camera else headless_shell
        for argument in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--no-sandbox", f"--lang={language}", f"--accept-lang={language}",
                f"--blink-settings=defaultFontSize={text_size}"]:
            options.add_argument(argument)
        if camera:
            for argument in ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                    f"--use-file-for-fake-video-capture={camera}"]:
                options.add_argument(argument)
        if any_certificate:
            options.add_argument("--ignore-certificate-errors")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options,
            service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(3 * DEADLINE)
        self.driver._web_element_cls = Element
        self.is_in_condition = False
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})
        if not javascript:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, url):
        self.driver.get(url)

    def find(self, css, number=0):
        """Returns the element that matches, the first unless `number` is given, and waits for it as a person
        does. In a condition of `wait_for` the answer comes at once, because the condition is asked again.
        `find_all` never waits: it tells that an element is absent."""
        def look():
            found = self.find_all(css)[number] if number else self.driver.find_element("css selector", css)
            found.find_again, found.wait_for = lambda: self.find(css, number), self.wait_for
            return found

        return self.wait_for(look)

    def find_all(self, css):
        return self.driver.find_elements("css selector", css)

    def bars(self, place, mark=""):
        """Returns the words of each bar in the place. A phone adds a mark to the own answer."""
        return [row.text.replace(mark, "").split() for row in self.find_all(f"{place} .bars li")]

    def wait_for(self, condition, otherwise=lambda: "the condition is false"):
        """Waits until the condition is true and returns its value. Asks again if the page is not complete.
        Inside another condition it asks once, because that condition is asked again. `otherwise` returns the
        beginning of the message of a failure."""
        if self.is_in_condition:
            return condition()
        passing = None

        def ask():
            nonlocal passing
            try:
                passing = None
                return condition()
            except PASSING as error:
                passing = repr(error)
                return None

        self.is_in_condition = True
        try:
            return wait_until(ask, lambda: f"{passing or otherwise()}\non {self.shown()}")
        finally:
            self.is_in_condition = False

    def wait_for_value(self, read, expected):
        """Waits until `read()` returns the expected value."""
        last = []

        def is_expected():
            last[:] = [read()]
            return last == [expected]

        self.wait_for(is_expected, lambda: f"{last[0]!r} instead of {expected!r}")

    def shown(self):
        """Returns the address and the beginning of the text, for the message of a failure."""
        text = self.driver.execute_script("return document.body?.innerText ?? ''")
        return f"{self.driver.current_url}:\n{text[:2000]}\n"

    def wait_for_text(self, css, text):
        self.wait_for(lambda: text in self.find(css).text, lambda: f"{css} does not contain {text!r}")

    def codes_on_screen(self):
        """Returns the text of the QR code on the screen, as a phone in front of it reads it."""
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "screen.png")
            with open(place, "wb") as file:
                file.write(base64.b64decode(picture))
            return decode(place)

    def width_of_content(self):
        return self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]["width"]

    def height_of_content(self):
        return self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]["height"]

    def complaints(self):
        """Returns the errors in the console: refused by the content policy, not found, thrown."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
