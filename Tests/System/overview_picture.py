"""Takes the first picture of README: a phone, the hall's screen and a host's terminal, which show one session
of a real server at the same time. See scripts/picture.
usage: python Tests/System/overview_picture.py FILE"""
import base64
import subprocess
import sys

from browser import PHONE, Browser
from host import Host
from server_process import QRING, Server
from terminal import Terminal
from terminal_picture import draw

HALL = (1024, 768)
TERMINAL = (96, 36)
HEIGHT = 600
QUESTIONS = [
    {"kind": "rating", "title": "How was it today?", "scale": 5, "required": True},
    {"kind": "multipleChoice", "title": "What helped you most?", "maxSelections": 2,
     "choices": [{"label": label}
         for label in ["The talk", "The discussion", "The exercises", "The people"]]},
    {"kind": "shortAnswer", "title": "What should we do better next time?", "maxLength": 200},
]


def capture(browser):
    """Returns the page as PNG when nothing on it moves any more."""
    browser.driver.execute_async_script("document.fonts.ready.then(() => setTimeout(arguments[0], 500))")
    return base64.b64decode(
        browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])


def side_by_side(pictures):
    """Returns the pictures as one PNG, from pairs of a media type and bytes."""
    images = "".join(
        f'<img src="data:{kind};base64,{base64.b64encode(data).decode()}">' for kind, data in pictures)
    page = f"""<!doctype html><style>body {{ margin: 0; width: max-content; display: flex; gap: 16px }}
        img {{ height: {HEIGHT}px; border-radius: 10px; outline: 1px solid #8884; outline-offset: -1px }}
        </style>{images}"""
    with Browser((2400, HEIGHT)) as browser:
        browser.open("about:blank")
        browser.driver.execute_script("document.write(arguments[0]); document.close()", page)
        browser.wait_for(lambda: browser.driver.execute_script(
            "return [...document.images].every((image) => image.complete && image.naturalWidth)"))
        width = browser.driver.execute_script("return document.body.offsetWidth")
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
        browser.driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride",
            {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
        return capture(browser)


def main():
    with Server("--signup", "open") as server:
        host = Host(server)
        session = host.session("Wednesday study group", starts=-4, plannedCount=40,
            session={"questions": QUESTIONS})
        with Terminal(server.url, host.token, *TERMINAL) as terminal, Browser(PHONE) as phone, \
                Browser(HALL) as hall:
            hall.open(host.post(f"/api/v1/sessions/{session['id']}/presenter-links").expect(201).json["url"])
            terminal.dashboard("@")
            subprocess.run(
                [QRING, "simulate", session["id"], "--attendees", "27", "--over", "60s", "--seed", "7"],
                env=terminal.variables, check=True, stdout=subprocess.DEVNULL)
            terminal.wait_for_text("27 of 40 checked in")
            hall.wait_for_value(lambda: hall.find("#count").text, "27")
            phone.open(session["checkInUrl"])
            phone.find(".remember")
            phone.find("#name").send_keys("Kim Minseo")
            phone.find("#email").send_keys("minseo@example.org")
            pictures = [("image/png", capture(phone)), ("image/png", capture(hall)),
                ("image/svg+xml", draw(terminal.screen).encode())]
    with open(sys.argv[1], "wb") as file:
        file.write(side_by_side(pictures))


if __name__ == "__main__":
    main()
