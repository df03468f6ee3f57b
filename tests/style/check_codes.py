#!/usr/bin/env python3
"""Every diagnostic code has a page that explains it and a test that names it; every page is used, and
the message of its bad example is stored next to it, unless the page describes it in prose."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
CODE = r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)+|[a-z][a-z0-9]+)"'
CALL = re.compile(r"\b(?:Error|Warning|Unsupported|LimitExceeded)\(")

used = {}
for file in sorted((root / "generator").rglob("*.*")):
    if file.suffix not in (".cc", ".h", ".def"):
        continue
    text = re.sub(r"(?m)^\s*//.*$", "", file.read_text())
    for call in CALL.finditer(text):
        # The argument list, up to the parenthesis that closes it.
        depth, end = 1, call.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        for code in re.findall(CODE, text[call.end():end]):
            if "-" in code:
                used.setdefault(code, f"{file.relative_to(root)}:{text[:call.start()].count(chr(10)) + 1}")

pages = {page.stem for page in (root / "docs/diagnostics").glob("*.md")}
# tests/diagnostics/pages_test.cc runs each page's examples; <code>.out is what the bad one prints.
tests = "\n".join(t.read_text(errors="replace") for t in (root / "tests").rglob("*")
                  if t.suffix in (".cc", ".txt", ".py", ".out") and "style" not in t.parts)
bad = [f"{place}: '{code}' has no page docs/diagnostics/{code}.md"
       for code, place in sorted(used.items()) if code not in pages]
bad += [f"{place}: no test names '{code}'"
        for code, place in sorted(used.items()) if not re.search(rf"(?<![\w-]){code}(?![\w-])", tests)]
bad += [f"docs/diagnostics/{page}.md: nothing reports '{page}'" for page in sorted(pages - used.keys())]
goldens = {out.stem for out in (root / "tests/diagnostics").glob("*.out")}
for page in sorted(pages):
    text = (root / f"docs/diagnostics/{page}.md").read_text()
    shown = re.search(r"(?ms)^## Bad\n.*?^```(\w+)", text)
    told = shown is not None and shown.group(1) == "text"
    if told and page in goldens:
        bad.append(f"tests/diagnostics/{page}.out: the page's bad example is not run")
    if not told and page not in goldens:
        bad.append(f"docs/diagnostics/{page}.md: no tests/diagnostics/{page}.out")
bad += [f"tests/diagnostics/{out}.out: no page has that name" for out in sorted(goldens - pages)]

print("\n".join(bad) or f"codes: {len(used)}, all explained and tested")
sys.exit(bool(bad))
