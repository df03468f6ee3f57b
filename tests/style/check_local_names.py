#!/usr/bin/env python3
"""Fails when two files of a layer, or of a folder of tests/, give one name to two things that are local to them.

Files are compiled together (cmake/UnityBuild.cmake), and which ones depends on where they lie, so what an
unnamed namespace hides is seen by the whole layer. Tests are grouped by folder and never move. Functions may share a name where their parameters differ.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What has no meaning here: comments and literals, raw ones first.
IGNORED = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
NAMESPACE = re.compile(r"(?:inline )?namespace\s*([\w:]*)\s*$")
TYPE = re.compile(r"(?:class|struct|union|enum(?: class| struct)?)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?:\s+final)?\s*(?::(?!:).*)?$", re.DOTALL)
ALIAS = re.compile(r"(?:using|namespace)\s+(\w+)\s*=\s*(?P<target>.*)$", re.DOTALL)
FUNCTION = re.compile(r"^(?!.*\boperator\b)[\w:<>,&*\s\[\]()]*?[\s&*>](\w+)\s*\((.*)\)\s*(?:const|noexcept)?$", re.DOTALL)
USING = re.compile(r"using\s+(?!namespace)(?:::)?(?:lathe::)?((?:\w+::)+)(\w+)$")
# GoogleTest makes a class of these two words.
TEST = re.compile(r"TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)$")
VARIABLE = re.compile(r"^[\w:<>,&*\s()]+?[\s&*>](\w+)\s*(?:\[[^\]]*\]\s*)*$", re.DOTALL)


def line_of(code, start):
    """Returns the line of the first word at or after `start`."""
    word = re.compile(r"\s*").match(code, start).end()
    return code.count("\n", 0, word) + 1


def outside_parentheses(head):
    """Returns the text without parenthesized parts and template arguments."""
    while True:
        less = re.sub(r"\([^()]*\)|<[^<>()]*>", "", head)
        if less == head:
            return head
        head = less


def declarations(text):
    """Each declaration at namespace level: the namespaces around it, its line and its text up to `{`, `=` or `;`."""
    code = IGNORED.sub(lambda m: '""' + "\n" * m[0].count("\n") if m[0][0] in "R\"'" else "\n" * m[0].count("\n"), text)
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: "\n" * m[0].count("\n"), code, flags=re.MULTILINE)
    spaces, start, at = [], 0, 0
    while at < len(code):
        c = code[at]
        if c == ";":
            yield spaces, line_of(code, start), code[start:at].strip()
            start = at + 1
        elif c == "{":
            head = code[start:at].strip()
            opened = NAMESPACE.match(head)
            if head.count("(") > head.count(")"):  # a default argument
                at = code.find("}", at)
            elif opened:
                spaces = spaces + [opened[1]]
                start = at + 1
            else:
                depth = 1
                while depth and at + 1 < len(code):
                    at += 1
                    depth += {"{": 1, "}": -1}.get(code[at], 0)
                # What an initializer has in braces is not the end of it.
                ends = code.find(";", at)
                if "=" in outside_parentheses(head) or not code[at + 1:ends].strip():
                    at = ends if ends >= 0 else len(code)
                yield spaces, line_of(code, start), head
                start = at + 1
        elif c == "}":
            spaces = spaces[:-1]
            start = at + 1
        at += 1


def parameter_types(parameters):
    """The parameters without their names and defaults, which do not tell functions apart."""
    types, depth, last = [], 0, ""
    for c in parameters + ",":
        depth += {"<": 1, "(": 1, "[": 1, ">": -1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0:
            last = re.sub(r"\s*=.*", "", last.strip(), flags=re.DOTALL)
            last = re.sub(r"(?<=[\s&*>])\w+$", "", last) if re.search(r"[\w>][\s&*]+\w+$", last) else last
            types.append(re.sub(r"\bconst\b(?=[^&*]*$)|\s|\b\w+::", "", last))
            last = ""
        else:
            last += c
    return ",".join(types)


def local_names(text):
    """Each name that the file has in an unnamed namespace: namespace, line, kind, name."""
    for spaces, line, head in declarations(text):
        if "" not in spaces:
            continue
        around = "::".join(space for space in spaces if space)
        used = USING.match(head)
        if used:
            yield around, line, f"alias of {used[1]}{used[2]}", used[2]
            continue
        test = TEST.match(head)
        if test:
            yield around, line, "type", f"{test[1]}_{test[2]}_Test"
            continue
        head = re.sub(r"^template\s*<[^{}()]*?>\s*(?=class|struct|using|constexpr|[A-Za-z])", "", head)
        head = re.sub(r"^\[\[\w+\]\]\s*", "", head)
        initialized = "=" in outside_parentheses(head) and "operator" not in head
        defined = head.split("=")[0].strip() if initialized else head
        for kind, pattern, on in (("type", TYPE, head), ("alias", ALIAS, head), ("function", FUNCTION, defined),
                                  ("constant", VARIABLE, defined)):
            found = pattern.match(on)
            if found:
                if kind == "function":
                    kind = f"function({parameter_types(found[2])})"
                elif kind == "alias":
                    kind = "alias of " + re.sub(r"\s|\b\w+::(?=\w+$)", "", found["target"])
                yield around, line, kind, found[1]
                break


def header_names(text):
    """Each name that a header declares: namespace and name."""
    for spaces, _, head in declarations(text):
        head = re.sub(r"^(?:(?:inline|constexpr|const|template\s*<[^{}()]*?>)\s+)+", "", head)
        defined = head.split("=")[0].strip() if "=" in outside_parentheses(head) else head
        for pattern, on in ((TYPE, head), (ALIAS, head), (FUNCTION, defined), (VARIABLE, defined)):
            found = pattern.match(on)
            if found:
                yield "::".join(spaces), found[1]
                break


def clashes(texts):
    """What is wrong with the names of a layer, of whose files `texts` has the text by path."""
    declared, places = {}, collections.defaultdict(dict)
    for path, text in texts.items():
        if path.endswith(".h"):
            declared.update({name: path for name in header_names(text)})
    for path, text in texts.items():
        if not path.endswith(".cc"):
            continue
        for around, line, kind, name in local_names(text):
            if (around, name) in declared:
                header = declared[(around, name)]
                yield f"{path}:{line}: '{name}' is local, and {header} declares the name too: give one of them another"
            places[(around, name)].setdefault(kind, []).append((path, line))
    for (_, name), kinds in sorted(places.items()):
        functions = all(kind.startswith("function") for kind in kinds)
        for group in kinds.values() if functions else [sum(kinds.values(), [])]:
            first, last = min(group), max(group)
            # An alias may be said twice when it says the same.
            if first[0] != last[0] and not (len(kinds) == 1 and next(iter(kinds)).startswith("alias")):
                yield (f"{last[0]}:{last[1]}: '{name}' is local, and so is another in {first[0]}:{first[1]}, which may be "
                       "compiled together: say what each of them is, or share one in a header")


def compiled_together():
    """The lists of files that may be in one group."""
    for layer in sorted(folder for folder in (ROOT / "generator").iterdir() if folder.is_dir()):
        yield sorted(layer.rglob("*.*"))
    for folder in sorted(folder for folder in (ROOT / "tests").rglob("*") if folder.is_dir()):
        # Fuzz targets are programs of one file each.
        if folder.name != "fuzz":
            yield sorted(folder.glob("*.*"))


def main():
    bad = []
    for files in compiled_together():
        files = [file for file in files if file.suffix in (".h", ".cc")]
        bad += clashes({str(file.relative_to(ROOT)): file.read_text() for file in files})
    print("\n".join(bad) or "local names: clean")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
