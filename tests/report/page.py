"""Opens pages of `skills report` in Chromium: hostile skills stay text, the keyboard reaches everything, nothing is loaded."""

import pathlib
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

import roots

MAX_BYTES = 5_000_000
ELEMENTS = """
a b body br button code dd details div dl dt figcaption figure footer h1 h2 h3 head header html i input label li main meta nav option
p pre rect script section select small span strong style summary svg table tbody td text th thead title tr ul
""".split()


def report(skills, directory, root, page):
    command = [skills, "report", root, "--html", str(page)]
    ran = subprocess.run(command, cwd=directory, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode in (0, 1) and page.exists(), ran.stderr


class Watched:
    """A page of which every request, dialog and message is kept."""

    def __init__(self, browser, file, **options):
        self.events = []
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.on("request", lambda request: self.keep("request", request.url, request.url.split("#")[0] != file.as_uri()))
        self.page.on("dialog", lambda dialog: (self.keep("dialog", dialog.message), dialog.dismiss()))
        self.page.on("console", lambda message: self.keep("console", message.text))
        self.page.on("pageerror", lambda error: self.keep("error", str(error)))
        self.page.on("popup", lambda popup: self.keep("popup", popup.url))
        self.page.goto(file.as_uri())

    def keep(self, kind, what, is_kept=True):
        if is_kept:
            self.events.append((kind, what))

    def close(self):
        """Nothing may have happened."""
        self.page.wait_for_timeout(200)
        assert self.events == [], self.events[:5]
        self.context.close()


def stays_text(browser, file):
    """Of hostile strings no element is made, no attribute that acts, and no address that leads elsewhere."""
    watched = Watched(browser, file)
    page = watched.page
    names = page.evaluate("[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))]")
    assert set(names) <= set(ELEMENTS), sorted(set(names) - set(ELEMENTS))
    counts = page.evaluate("['script', 'style', 'meta', 'h1', 'main', 'input'].map((one) => document.querySelectorAll(one).length)")
    assert counts == [1, 1, 4, 1, 1, 1], counts
    attributes = page.evaluate("[...new Set([...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()))]")
    acting = [name for name in attributes if name.startswith("on") or name in ("src", "style", "srcdoc", "action", "formaction", "xlink:href")]
    assert acting == [], acting
    links = page.evaluate("[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))")
    assert all(link.startswith("#") for link in links), [link for link in links if not link.startswith("#")][:5]
    broken = page.evaluate("[...document.querySelectorAll('a')].filter((one) => !document.getElementById(one.getAttribute('href').slice(1))).length")
    assert broken == 0, broken
    text = page.evaluate("document.getElementById('list').textContent")
    for string in roots.MARKUP:
        assert string in text, string
    for character in "\u202e\u2066\u2069\u200b\U000e0041\u2028\u2029":
        assert character not in text and f"\\u{{{ord(character):x}}}" in text, hex(ord(character))
    # Everything is opened, searched and shown in another order, and still nothing happens.
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for string in roots.MARKUP[:10]:
        page.fill("#find", string)
    page.fill("#find", "")
    page.select_option("#sort", "1")
    watched.close()
    print(f"{len(roots.strings())} hostile strings in each of their places stay text")


def keyboard(browser, file):
    """Tab reaches every control that can be seen, and Enter and letters do what they should."""
    watched = Watched(browser, file, viewport={"width": 1280, "height": 900})
    page = watched.page
    count = page.evaluate("""() => {
        const all = [...document.querySelectorAll('a[href], summary, input, select, [tabindex]')];
        const seen = all.filter((one) => one.checkVisibility({ contentVisibilityAuto: false }) && !one.closest('details:not([open]) > :not(summary)'));
        seen.forEach((one, at) => { one.dataset.at = at; });
        return seen.length;
    }""")
    reached = []
    for _ in range(count):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.at ?? document.activeElement.outerHTML"))
    assert reached == [str(at) for at in range(count)], (count, reached)
    shown = "[...document.querySelectorAll('#list > details')].filter((one) => one.checkVisibility()).map((one) => one.querySelector('b').textContent)"
    everything = page.evaluate(shown)
    page.focus("#find")
    page.keyboard.type("nothing fits")
    assert page.evaluate(shown) == ["no-tables"], page.evaluate(shown)
    assert page.inner_text("#count") == f"1 of {len(everything)} skills"
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    assert page.evaluate(shown) == everything
    page.focus("#sort")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(shown)[0] == "broken" or page.evaluate(shown)[0] == "no-tables", page.evaluate(shown)
    page.focus("#list > details > summary")
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('#list > details').open")
    page.focus("#inventory ~ div a, #inventory ~ details a")
    page.keyboard.press("Enter")
    target = page.evaluate("document.getElementById(location.hash.slice(1)).open")
    assert target, "a link to a skill opens it"
    watched.close()
    print(f"the keyboard reaches {count} of {count} controls")


def without_scripts(browser, file):
    """All of it can be opened and printed, and no control is there that does nothing."""
    watched = Watched(browser, file, java_script_enabled=False)
    page = watched.page
    assert not page.is_visible("#find")
    hidden = page.locator("#list > details .in").first
    assert not hidden.is_visible()
    page.click("#list > details > summary")
    assert hidden.is_visible()
    page.click("#list > details > summary")
    page.emulate_media(media="print")
    assert hidden.is_visible(), "what is closed is printed"
    assert page.pdf().startswith(b"%PDF")
    watched.close()


def pictures(browser, file, out, is_whole):
    """Leaves pictures, and finds what is wider than the window."""
    out.mkdir(parents=True, exist_ok=True)
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            watched = Watched(browser, file, viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = watched.page
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            page.wait_for_timeout(100)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"the page is {wide} wide in a window of {width}"
            page.evaluate("document.querySelectorAll('#list > details').forEach((one, at) => { one.open = at === 1; })")
            page.screenshot(path=out / f"{width}-{scheme}.png", full_page=is_whole)
            watched.close()


def large(browser, skills, directory):
    """A thousand skills: the size is a promise, the time is of this machine."""
    roots.ordinary(directory / "many", 1000)
    file = directory / "many.html"
    report(skills, directory, "many", file)
    size = file.stat().st_size
    assert size <= MAX_BYTES, f"the page of 1,000 skills has {size} bytes"
    times = []
    for _ in range(3):
        start = time.perf_counter()
        watched = Watched(browser, file, viewport={"width": 1280, "height": 900})
        watched.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        times.append(time.perf_counter() - start)
        assert watched.page.evaluate("document.querySelectorAll('#list > details').length") == 1000
        start = time.perf_counter()
        watched.page.fill("#find", "part 77 ")
        searched = time.perf_counter() - start
        watched.close()
    print(f"1,000 skills: {size:,} bytes, shown in {min(times):.2f} s, a first search in {searched:.2f} s")


def main():
    skills, chromium, out = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        directory = pathlib.Path(directory)
        # As root, Chromium starts only without its sandbox.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        project = roots.project(directory / "project")
        small, hostile = directory / "small.html", directory / "hostile.html"
        report(skills, project, "skills", small)
        roots.hostile(directory / "hostile")
        report(skills, directory, "hostile", hostile)
        stays_text(browser, hostile)
        keyboard(browser, small)
        without_scripts(browser, small)
        pictures(browser, small, pathlib.Path(out), is_whole=True)
        pictures(browser, hostile, pathlib.Path(out) / "hostile", is_whole=False)
        large(browser, skills, directory)
        browser.close()


main()
