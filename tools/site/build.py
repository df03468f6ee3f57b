#!/usr/bin/env python3
"""Builds the documentation as a static site: tools/site/build.py LATHE FOLDER [--pictures] [--every N]

The pages are README.md, docs/, the samples and what they link to, an operator of each format per page with an example,
and a gallery of reports. Equal sources and programs give equal bytes. --pictures adds pictures of the
reports, taken by Chromium, if it is installed. --every N writes every N-th page of operators only, for tests.
"""
import argparse
import html
import json
import os
import posixpath
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path

import gallery
import markdown
import operators

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TEXTS = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
TABLES = {"docs/operators.md": "relax", "docs/onnx-operators.md": "onnx", "docs/tflite-operators.md": "tflite", "docs/relay-operators.md": "relay"}
MOST_BYTES = 200000  # of a linked text that is shown as a page


def page_name(path):
    """Where a file or folder of the repository is in the site."""
    if path.endswith(".md"):
        folder, name = posixpath.split(path[:-len(".md")])
        return posixpath.join(folder, "index" if name == "README" else name) + ".html"
    return path.rstrip("/") + ("/index.html" if (ROOT / path).is_dir() else ".html")


class Site:
    def __init__(self, lathe, folder):
        self.lathe, self.folder, self.entries, self.linked = lathe, Path(folder).resolve(), [], set()
        self.written = set()  # names of pages
        self.layout = string.Template((HERE / "page.html").read_text(encoding="utf-8"))
        self.version = subprocess.run([lathe, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
        self.groups = self.read_groups()

    @staticmethod
    def read_groups():
        """The pages of docs/README.md by kind, as (title, page)."""
        groups = {}
        for target, kind in re.findall(r"^\| \[[^\]]*\]\(([^)]*)\) \| ([\w-]+) \|", (ROOT / "docs/README.md").read_text(encoding="utf-8"), re.M):
            path = posixpath.normpath("docs/" + target.rstrip("/"))
            name = page_name(path)
            source = ROOT / path
            title = "Diagnostics" if source.is_dir() else markdown.Page(source.read_text(encoding="utf-8")).title
            groups.setdefault(kind, []).append((title, name))
        groups.setdefault("reference", []).append(("JSON schemas", "docs/schemas/index.html"))
        groups.setdefault("how-to", []).append(("Gallery", "docs/gallery.html"))
        return groups

    def navigation(self, name, root):
        out = []
        for kind, pages in self.groups.items():
            items = "".join('<li><a href="%s%s"%s>%s</a></li>\n' % (root, page, ' aria-current="page"' if page == name else "", html.escape(title, quote=False)) for title, page in pages)
            out.append("<h2>%s</h2>\n<ul>\n%s</ul>" % (kind, items))
        return "\n".join(out)

    def write(self, name, title, body, headings=(), listed=True):
        """Writes a page. `headings` are (level, text, anchor); pages that are not `listed` are not searched."""
        root = "../" * name.count("/")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.written.add(name)
        path.write_text(self.layout.substitute(title=html.escape(title, quote=False), root=root, version=self.version, body=body, navigation=self.navigation(name, root)), encoding="utf-8")
        if listed:
            self.entries.append([name, title, [[text, anchor] for level, text, anchor in headings if level > 1]])

    def link_from(self, path):
        """A function that turns a link of a text of the repository into one of its page."""
        def link(url):
            if re.match(r"[a-z]+:|#", url):
                return url
            target, _, anchor = url.partition("#")
            full = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if not (ROOT / full).exists():
                raise SystemExit("%s links to %s, which does not exist" % (path, url))
            self.linked.add(full)
            made = posixpath.relpath(page_name(full), posixpath.dirname(page_name(path)) or ".")
            return made + ("#" + anchor if anchor else "")
        return link

    def write_markdown(self, path, text=None):
        text = (ROOT / path).read_text(encoding="utf-8") if text is None else text
        page = markdown.Page(text, self.link_from(path))
        self.write(page_name(path), page.title, page.html, page.headings)

    def write_operators(self, every):
        listed = operators.all_operators(self.lathe)
        without = [one.name for one in listed if not one.data and not one.refused]
        if without:
            raise SystemExit("operators without an example: " + ", ".join(without))
        if every > 1:
            listed = listed[::every]
        for one, relax in zip(listed, operators.in_relax(self.lathe, listed)):
            name = "operators/%s/%s.html" % (one.kind, one.name)
            self.write(name, one.name, operators.page_of(one, relax))
            self.entries[-1][1] = "%s (%s)" % (one.name, operators.TITLES[one.kind])
            if one.data:
                (self.folder / name).with_name(one.file).write_bytes(one.data)
        return {(one.kind, one.name) for one in listed}

    def table_with_links(self, path, kind, written):
        """The list of operators of a format, with links to their pages."""
        domain = ""

        def linked(line):
            nonlocal domain
            domain = line[3:].strip() + "." if line.startswith("## ") and line != "## ai.onnx" else "" if line.startswith("## ") else domain
            found = re.match(r"\| `R\.([\w.]+)(\(.*?)` \|" if kind == "relax" else r"\| ([\w.]+) \|", line)
            name = (domain if kind == "onnx" else "") + found.group(1) if found else ""
            if (kind, name) not in written:
                return line
            page = "../operators/%s/%s.html" % (kind, name)
            shown = "`R.%s%s`" % found.groups() if kind == "relax" else found.group(1)
            return "| [%s](site:%s) |%s" % (shown, page, line[found.end():])

        text = "\n".join(map(linked, (ROOT / path).read_text(encoding="utf-8").split("\n")))
        link = self.link_from(path)
        page = markdown.Page(text, lambda url: url[len("site:"):] if url.startswith("site:") else link(url))
        self.write(page_name(path), page.title, page.html, page.headings)

    def write_diagnostics(self):
        rows, link = [], self.link_from("docs/diagnostics/index.html")
        for path in sorted((ROOT / "docs/diagnostics").glob("*.md")):
            self.write_markdown("docs/diagnostics/" + path.name)
            rows.append('<tr><td><a href="%s.html"><code>%s</code></a></td><td>%s</td></tr>' % (path.stem, path.stem, markdown.Page(path.read_text(encoding="utf-8").split("\n\n")[1], link).html[len("<p>"):-len("</p>")]))
        self.write("docs/diagnostics/index.html", "Diagnostics", "<h1>Diagnostics</h1>\n<p>One page per code; <code>lathe explain CODE</code> prints it.</p>\n"
                   '<div class="wide"><table><tbody>\n%s\n</tbody></table></div>' % "\n".join(rows))

    def write_linked(self):
        """Pages for files and folders that texts link to, and for what is in these folders."""
        done = set()
        while self.linked - done:
            path = min(self.linked - done)
            done.add(path)
            source = ROOT / path
            if page_name(path) in self.written:
                continue
            if path.endswith(".md"):
                self.write_markdown(path)
            elif source.is_dir():
                inside = sorted(p.name for p in source.iterdir() if p.is_file() and p.suffix != ".pyc" and not p.name.startswith("."))
                self.linked.update("%s/%s" % (path, name) for name in inside)
                if (source / "README.md").exists():
                    continue
                items = "".join('<li><a href="%s">%s</a></li>\n' % (posixpath.relpath(page_name("%s/%s" % (path, name)), path), html.escape(name)) for name in inside)
                self.write(page_name(path), path, "<h1>%s</h1>\n<ul>\n%s</ul>" % (html.escape(path), items))
            else:
                text = source.read_bytes()[:MOST_BYTES].decode(errors="replace")
                self.write(page_name(path), path, "<h1>%s</h1>\n<pre><code>%s</code></pre>" % (html.escape(path), html.escape(text, quote=False)))

    def write_search(self):
        entries = ",\n".join(json.dumps(entry, ensure_ascii=True, separators=(",", ":")) for entry in sorted(self.entries))
        (self.folder / "search.js").write_text("var ENTRIES = [\n%s];\n%s" % (entries, (HERE / "search.js").read_text(encoding="utf-8")), encoding="utf-8")
        shutil.copyfile(HERE / "style.css", self.folder / "style.css")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("folder")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    options = parser.parse_args()
    lathe = shutil.which(options.lathe) or sys.exit("no program '%s'" % options.lathe)
    site = Site(os.path.abspath(lathe), options.folder)
    written = site.write_operators(options.every)
    for path in TEXTS + sorted((ROOT / "docs").glob("*.md")):
        name = path.relative_to(ROOT).as_posix()
        if name in TABLES:
            site.table_with_links(name, TABLES[name], written)
        else:
            site.write_markdown(name)
    site.write_diagnostics()
    site.linked.add("docs/schemas")
    gallery.write(site, options.pictures)
    site.write_linked()
    site.write_search()
    print("%d pages in %s" % (len(site.entries), options.folder))


if __name__ == "__main__":
    main()
