"""Chromium, spoken to through a pipe: what a page looks like, says and loads where people open it."""

import json
import os
import select
import subprocess
import time
from base64 import b64decode
from pathlib import Path
from typing import Any, NamedTuple

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-extensions",
    "--remote-debugging-pipe",
)
PATIENCE = 200.0
DESKTOP, PHONE = (1400, 900), (375, 800)


class Browser:
    """One Chromium; pages are opened in it one after the other."""

    def __init__(self, program: str, folder: Path) -> None:
        to_read, self.out = os.pipe()
        self.incoming, to_write = os.pipe()
        # It reads from 3 and writes to 4, whatever numbers the pipes have here.
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        command = ["bash", "-c", shell, program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, pass_fds=(to_read, to_write), stdout=quiet, stderr=quiet)
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.count = 0
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = ""
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """The end of it."""
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.incoming)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What Chromium answers to a command."""
        self.count += 1
        order: dict[str, Any] = {"id": self.count, "method": method, "params": parameters}
        if getattr(self, "session", ""):
            order["sessionId"] = self.session
        os.write(self.out, json.dumps(order).encode() + b"\0")
        while (message := self.receive()).get("id") != self.count:
            self.events.append(message)
        assert "error" not in message, message
        result: dict[str, Any] = message["result"]
        return result

    def receive(self) -> dict[str, Any]:
        """The next message."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.incoming], [], [], max(0.0, end - time.monotonic()))
            assert ready, "Chromium says nothing"
            piece = os.read(self.incoming, 1 << 20)
            assert piece, "Chromium has ended"
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        made = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in made, made
        return made["result"].get("value")

    def show(self, size: tuple[int, int], *, dark: bool = False, media: str = "") -> None:
        """A window of this size, with a taste for light or dark pages, or paper."""
        width, height = size
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        taste = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media=media, features=taste)

    def open(self, file: Path, place: str = "") -> None:
        """A page, when all of it is there."""
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"{file.as_uri()}{place}")
        while not self.evaluate("document.readyState === 'complete' && location.protocol === 'file:'"):
            time.sleep(0.01)
        self.evaluate("document.fonts.ready.then(() => true)")

    def visit(self, address: str) -> None:
        """A page of a server, when all of it is there."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        there = address.partition("?")[0].partition("#")[0]
        while not self.evaluate(f"document.readyState === 'complete' && location.href.startsWith({there!r})"):
            time.sleep(0.05)

    def wait(self, script: str, *, seconds: float = PATIENCE) -> None:
        """Wait until an expression in the page is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(script):
            assert time.monotonic() < end, f"this never came true: {script}"
            time.sleep(0.1)

    def complaints(self) -> list[str]:
        """Everything that a page has said to the console, and what it wanted from elsewhere."""
        said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        found = [json.dumps(event["params"]) for event in self.events if event["method"] in said]
        sent = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        addresses = [one["request"]["url"] for one in sent if one.get("type") != "Document"]
        return found + [address for address in addresses if not address.startswith("data:")]

    def press(self, key: str) -> None:
        """A key, down and up."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def point_at(self, script: str) -> None:
        """The mouse over the middle of an element."""
        place = self.evaluate(
            f"(() => {{ const one = {script}; one.scrollIntoView({{block: 'center'}}); "
            "const { x, y, width, height } = one.getBoundingClientRect(); "
            "return [x + width / 2, y + height / 2]; })()"
        )
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])

    def picture(self, file: Path, *, whole: bool = False) -> None:
        """What it looks like."""
        made = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(b64decode(made["data"]))

    def pdf(self) -> bytes:
        """What it looks like on paper."""
        return b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])


class Violation(NamedTuple):
    """What axe finds wrong."""

    rule: str
    places: tuple[str, ...]


def axe(browser: Browser, source: str) -> list[Violation]:
    """What axe-core has to say about the page that is open."""
    browser.evaluate(f"{source}; true")
    found = browser.evaluate("axe.run().then(done => done.violations)")
    return [Violation(one["id"], tuple(node["html"][:200] for node in one["nodes"][:3])) for one in found]
