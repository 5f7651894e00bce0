"""A page in a browser without JavaScript: its texts, its forms, and its cookies."""
import html.parser
import http.cookies

from api import API


class Page(html.parser.HTMLParser):
    """The texts and tags of a page. Forms are `{action, method, fields}`, with the values that the page
    shows."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer
        self.status = answer.status
        self.language = None
        self.title = ""
        self.text = ""
        self.tags = []
        self.forms = []
        self.attributes = {}
        self.links = {}
        self._open = []
        self._link = None
        self._area = None
        self.feed(answer.text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self._open.append(tag)
        if tag == "html":
            self.language = attributes.get("lang")
        if attributes.get("id"):
            self.attributes[attributes["id"]] = attributes
        if tag == "form":
            self.forms.append(
                {"action": attributes["action"], "method": attributes["method"].upper(), "fields": {}})
        if tag == "input" and self.forms:
            kind, name = attributes.get("type", "text"), attributes["name"]
            if kind not in ("radio", "checkbox") or "checked" in attributes:
                self.forms[-1]["fields"].setdefault(name, attributes.get("value", ""))
        if tag == "a":
            self._link = attributes["href"]
        if tag == "textarea":
            self._area = attributes["name"]
            self.forms[-1]["fields"][self._area] = ""

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass
        if tag == "textarea":
            self._area = None

    def handle_data(self, data):
        if self._open and self._open[-1] == "a":
            self.links[data] = self._link
        if self._area:
            self.forms[-1]["fields"][self._area] += data
        elif self._open and self._open[-1] == "title":
            self.title += data
        else:
            self.text += data


class Visitor:
    """A visitor whose browser runs no script: keeps cookies, fills in forms."""

    def __init__(self, server, language="en"):
        self.api = API(server)
        self.language = language
        self.cookies = {}

    def send(self, method, path, form=None, headers=None):
        return Page(self.request(method, path, form, headers))

    def request(self, method, path, form=None, headers=None):
        """Returns the answer as it is, which may be a file."""
        headers = {"Accept": "text/html,application/xhtml+xml", "Accept-Language": self.language,
            **(headers or {})}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.api.request(method, path, form=form, headers=headers)
        for line in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in http.cookies.SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return answer

    def open(self, path):
        return self.send("GET", path)

    def submit(self, page, number=0, /, **typed):
        form = page.forms[number]
        return self.send(form["method"], form["action"], {**form["fields"], **typed})
