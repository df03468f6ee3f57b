"""Converts the Markdown of the documentation to HTML: headings, paragraphs, lists, tables, code, links, emphasis."""
import html
import re

FENCE = "```"
LIST_ITEM = re.compile(r"^(\s*)([-*]|\d+\.) +(.*)$")
REFERENCE = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.M)
INLINE = re.compile(r"(?P<code>``.+?``|`[^`]+`)|\[(?P<text>(?:`[^`]*`|[^\]`])+)\](?:\((?P<url>[^)\s]+)\)|\[(?P<key>[^\]]+)\])|\*\*(?P<strong>[^*]+)\*\*|(?<!\w)[*_](?P<em>[^*_\s][^*_]*)[*_](?!\w)")


def anchor_of(heading):
    """The fragment that links of the documentation use, as code hosts make it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


class Page:
    """The HTML of a text, its title and its headings as (level, text, anchor)."""

    def __init__(self, text, link=lambda url: url):
        self.link, self.headings, self.title, self.anchors = link, [], "", {}
        self.references = dict(REFERENCE.findall(text))
        self.html = self.blocks(REFERENCE.sub("", text).split("\n"))

    def inline(self, text):
        out, at = [], 0
        for found in INLINE.finditer(text):
            out.append(html.escape(text[at:found.start()], quote=False))
            at = found.end()
            if found.group("code"):
                out.append("<code>%s</code>" % html.escape(found.group("code").strip("`"), quote=False))
            elif found.group("text"):
                url = found.group("url") or self.references.get(found.group("key"))
                inner = self.inline(found.group("text"))
                out.append('<a href="%s">%s</a>' % (html.escape(self.link(url)), inner) if url else html.escape(found.group(0)))
            elif found.group("strong"):
                out.append("<strong>%s</strong>" % self.inline(found.group("strong")))
            else:
                out.append("<em>%s</em>" % self.inline(found.group("em")))
        return "".join(out) + html.escape(text[at:], quote=False)

    def heading(self, line):
        level = len(line) - len(line.lstrip("#"))
        text = line[level:].strip()
        anchor = anchor_of(text)
        times = self.anchors.get(anchor, 0)
        self.anchors[anchor] = times + 1
        anchor = "%s-%d" % (anchor, times) if times else anchor
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("*", "")
        if level == 1 and not self.title:
            self.title = plain
        self.headings.append((level, plain, anchor))
        return '<h%d id="%s">%s</h%d>' % (level, html.escape(anchor), self.inline(text), level)

    def table(self, lines):
        rows = [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
        head = "".join("<th>%s</th>" % self.inline(c) for c in rows[0])
        body = "".join("<tr>%s</tr>\n" % "".join("<td>%s</td>" % self.inline(c) for c in row) for row in rows[2:])
        return '<div class="wide"><table><thead><tr>%s</tr></thead>\n<tbody>\n%s</tbody></table></div>' % (head, body)

    def list(self, lines):
        """Items with what is indented below them."""
        indent = len(LIST_ITEM.match(lines[0]).group(1))
        items = []
        for line in lines:
            found = LIST_ITEM.match(line)
            if found and len(found.group(1)) == indent:
                items.append([found.group(3)])
            else:
                items[-1].append(line[min(indent + 2, len(line) - len(line.lstrip())):])
        tag = "ol" if lines[0].strip()[0].isdigit() else "ul"
        return "<%s>\n%s</%s>" % (tag, "".join("<li>%s</li>\n" % self.item(item) for item in items), tag)

    def item(self, lines):
        made = self.blocks(lines)
        only = re.fullmatch(r"<p>(.*)</p>", made, re.S)
        return only.group(1) if only and "<p>" not in only.group(1) else made

    def blocks(self, lines):
        out, at = [], 0

        def take(while_true):
            nonlocal at
            start = at
            while at < len(lines) and while_true(lines[at]):
                at += 1
            return lines[start:at]

        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif line.startswith(FENCE):
                at += 1
                out.append(code(take(lambda l: not l.startswith(FENCE))))
                at += 1
            elif re.match(r"#{1,6} ", line):
                at += 1
                out.append(self.heading(line))
            elif line.startswith("|"):
                out.append(self.table(take(lambda l: l.startswith("|"))))
            elif LIST_ITEM.match(line):
                out.append(self.list(take(self.in_list())))
            elif line.startswith("    "):
                taken = take(lambda l: l.startswith("    ") or not l.strip())
                out.append(code([l[4:] for l in "\n".join(taken).rstrip().split("\n")]))
            else:
                taken = take(lambda l: l.strip() and not l.startswith((FENCE, "|", "# ", "## ")) and not LIST_ITEM.match(l))
                out.append("<p>%s</p>" % self.inline(" ".join(l.strip() for l in taken)))
        return "\n".join(out)

    @staticmethod
    def in_list():
        """A predicate that holds for the lines of the list that begins now."""
        blank = False

        def holds(line):
            nonlocal blank
            if not line.strip():
                blank = True
                return True
            goes_on = bool(LIST_ITEM.match(line)) or line.startswith("  ") or not blank
            blank = False
            return goes_on
        return holds


def code(lines):
    return "<pre><code>%s\n</code></pre>" % html.escape("\n".join(lines), quote=False)
