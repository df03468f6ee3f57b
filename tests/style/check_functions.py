#!/usr/bin/env python3
"""Checks that functions of generator/ have at most 80 lines; prints path:line: name for longer ones.

A longer function is allowed if it is one flat switch, match or table. long_functions.list names these,
each as `path name reason`. An entry that is not needed is an error, too.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 80
CONTROL = re.compile(r"^(?:if|for|while|switch|else|do|return|case|catch|try)\b")
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b[^()]*$")
NAME = re.compile(r"([~\w:]+(?:<[^<>]*>)?|operator\S+)\s*\(")


def blank(text):
    """Returns the text with the contents of comments and literals replaced by spaces."""
    literal = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return literal.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def functions(text):
    """Yields name, first line and number of lines of each function definition."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), blank(text), flags=re.M)
    scopes = []  # for each open brace: "scope", "other", or a (name, first line) of a function
    start = 0  # of the current declaration or statement
    parens = 0
    for match in re.finditer(r"[{};()]|\b(?:public|private|protected)\s*:", code):
        token, at = match[0], match.start()
        if token in "()":
            parens += 1 if token == "(" else -1
        elif token == "{":
            head = code[start:at].strip()
            inside = not scopes or scopes[-1] == "scope"
            found = NAME.search(head)
            if inside and parens == 0 and SCOPE.search(head) and not found:
                scopes.append("scope")
            elif inside and parens == 0 and found and not CONTROL.match(head) and "=" not in head[:found.start()]:
                first = start + len(code[start:at]) - len(code[start:at].lstrip())
                scopes.append((found[1], code.count("\n", 0, first) + 1))
            elif inside and parens == 0 and SCOPE.search(head.split("(")[0]) and not re.search(r"\)\s*(?:const|override|noexcept)?\s*$", head):
                scopes.append("scope")
            else:
                scopes.append("other")
            if parens == 0:
                start = at + 1
        elif token == "}":
            opened = scopes.pop() if scopes else "other"
            if isinstance(opened, tuple):
                yield opened[0], opened[1], code.count("\n", 0, at) + 2 - opened[1]
            if parens == 0:
                start = at + 1
        elif parens == 0:
            start = match.end()


def main():
    listed = {}
    allowed = ROOT / "tests/style/long_functions.list"
    for line in allowed.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            path, name, reason = line.split(None, 2)
            listed[path, name] = reason
    bad, long = [], set()
    for path in sorted((ROOT / "generator").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        for name, first, count in functions(path.read_text()):
            if count <= LIMIT:
                continue
            relative = path.relative_to(ROOT / "generator").as_posix()
            long.add((relative, name))
            if (relative, name) not in listed:
                bad.append(f"generator/{relative}:{first}: {name} has {count} lines; {LIMIT} is the limit: split it along a seam")
    for relative, name in sorted(set(listed) - long):
        bad.append(f"tests/style/long_functions.list: {relative} {name} is not long; remove it")
    print("\n".join(bad) or "functions: clean")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
