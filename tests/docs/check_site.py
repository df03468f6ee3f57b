#!/usr/bin/env python3
"""Builds the site twice and checks its pages: check_site.py LATHE [--every N]

The two builds have the same bytes. Tags are closed, identifiers are unique, every link and anchor leads somewhere, and
nothing comes from elsewhere. Where Chromium is installed, pages of each kind are opened at 1280 and 390 pixels: no error, no
request, nothing too wide, and the search finds a page and a heading. --every N builds every N-th page of operators.
"""
import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
import browser  # noqa: E402

VOID = {"meta", "link", "input", "img", "br", "hr"}
OPENED = ("index.html", "docs/command-line.html", "docs/onnx-operators.html", "docs/gallery.html", "docs/diagnostics/index.html",
          "docs/schemas/analyze.schema.json.html", "operators/relax/abs.html", "samples/mlp/mlp.py.html")


class Document(HTMLParser):
    """The identifiers and references of a page, and what is wrong with its tags."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.references, self.loaded, self.wrong, self.open = [], [], [], [], []
        self.feed(path.read_text())
        self.close()
        self.wrong += ["<%s> is not closed" % tag for tag in self.open]

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.references.append(given["href"])
        if tag in ("img", "script", "link", "iframe", "source"):
            self.loaded += [given[name] for name in ("src", "href") if name in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</%s> closes another element" % tag)


def build(lathe, folder, every, locale, cwd):
    done = subprocess.run([sys.executable, "-B", str(ROOT / "tools/site/build.py"), lathe, str(folder), "--every", str(every)], cwd=cwd,
                          env={**os.environ, "LC_ALL": locale, "PYTHONHASHSEED": "random"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit("build.py ended with %d\n%s" % (done.returncode, done.stdout))
    return done.stdout.strip()


def files_of(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def broken(folder):
    """What is wrong with the pages, but for the reports of the gallery, which other tests check."""
    pages = {path: Document(folder / path) for path in files_of(folder) if path.suffix == ".html" and path.parent.name != "gallery"}
    wrong = []
    for path, page in pages.items():
        wrong += ["%s: %s" % (path, problem) for problem in page.wrong]
        wrong += ["%s: the identifier '%s' is there twice" % (path, i) for i in set(page.ids) if page.ids.count(i) > 1]
        for url in page.references + page.loaded:
            parts = urllib.parse.urlsplit(url)
            if parts.scheme or parts.netloc:
                if url in page.loaded or parts.scheme not in ("http", "https", "mailto"):
                    wrong.append("%s: loads or links to %s" % (path, url))
                continue
            target = Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path))) if parts.path else path
            if not (folder / target).is_file():
                wrong.append("%s: %s leads nowhere" % (path, url))
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                wrong.append("%s: %s has no such anchor" % (path, url))
    return len(pages), wrong


def searched(page, words):
    page.evaluate("var box = document.getElementById('search'); box.value = '%s'; box.dispatchEvent(new Event('input'))" % words)
    return page.evaluate("Array.from(document.querySelectorAll('#found a')).map(function (a) { return a.getAttribute('href') }).join(' ')")


def opened(folder, program):
    wrong = []
    with browser.Browser(program) as page:
        for name in OPENED:
            for width, height, dark in ((1280, 900, False), (390, 844, True)):
                page.problems.clear()
                page.requests.clear()
                page.size(width, height, dark)
                page.open(folder / name)
                where = "%s at %d pixels" % (name, width)
                wrong += ["%s: %s" % (where, problem) for problem in page.problems]
                wrong += ["%s requests %s" % (where, url) for url in page.requests if not url.startswith("file:")]
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                if wide > 0:
                    wrong.append("%s is %s pixels too wide" % (where, wide))
        for words, first in (("abs relax", "../../operators/relax/abs.html"), ("Exit codes", "../../docs/command-line.html#exit-codes")):
            page.open(folder / "docs/diagnostics/index.html")
            found = searched(page, words).split(" ")
            if found[0] != first:
                wrong.append("a search for '%s' finds %s" % (words, found[:3]))
        if searched(page, "no such words anywhere") != "":
            wrong.append("a search for words that are nowhere finds something")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    lathe = os.path.abspath(options.lathe)
    with tempfile.TemporaryDirectory() as scratch:
        first, second = Path(scratch) / "site", Path(scratch) / "another folder/site"
        print(build(lathe, first, options.every, "C", "/"))
        build(lathe, second, options.every, "C.UTF-8", scratch)
        _, different, unreadable = filecmp.cmpfiles(first, second, files_of(first), shallow=False)
        count, wrong = broken(first)
        if files_of(first) != files_of(second) or different or unreadable:
            wrong.append("two builds differ: %s" % (different or unreadable or "other files"))
        program = browser.find_browser()
        if program is None:
            print("not opened: chromium is not installed")
        else:
            wrong += opened(first, program)
        print("\n".join(wrong[:50] + ["%d pages, %d problems" % (count, len(wrong))]))
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
