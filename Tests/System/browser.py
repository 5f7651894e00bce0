"""A real headless Chromium, as a phone or a projector."""
import base64
import os
import tempfile

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.support.ui import WebDriverWait

from qr_reading import decode
from server_process import DEADLINE

PHONE = (390, 844)
PROJECTOR = (1920, 1080)


class Browser:
    """`javascript=False` is a phone without JavaScript for the page; the test's own scripts still run. With
    `any_certificate`, the browser accepts a certificate that the server signed itself. `text_size` is the
    size of normal text that the reader has chosen, in pixels."""

    def __init__(self, size=PHONE, language="en", javascript=True, any_certificate=False, text_size=16):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--no-sandbox", f"--lang={language}"]:
            options.add_argument(argument)
        if any_certificate:
            options.add_argument("--ignore-certificate-errors")
        options.add_experimental_option("prefs", {"intl.accept_languages": language,
            "webkit.webprefs.default_font_size": text_size})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options,
            service=webdriver.ChromeService("/usr/bin/chromedriver"))
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

    def find(self, css):
        return self.driver.find_element("css selector", css)

    def find_all(self, css):
        return self.driver.find_elements("css selector", css)

    def wait_for(self, condition):
        """Waits until the condition is true and returns its value. Asks again if the page is replacing an
        element."""
        wait = WebDriverWait(self.driver, DEADLINE, 0.02,
            [NoSuchElementException, StaleElementReferenceException])
        return wait.until(lambda _: condition())

    def wait_for_text(self, css, text):
        self.wait_for(lambda: text in self.find(css).text)

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
