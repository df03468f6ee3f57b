#!/usr/bin/env python3
"""The rules of the house that a machine can check; each prints path:line: what is wrong.

Needs clang-format 14 for the last one, and says so when it is missing.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
# Tracked files, and new ones that git does not ignore; every file where there is no git.
listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                        capture_output=True, check=False)
if listed.returncode == 0:
    files = [root / name for name in listed.stdout.decode().split("\0") if name]
else:
    files = [f for f in root.rglob("*") if f.is_file() and "build" not in f.relative_to(root).parts]
files = sorted(f for f in files if f.is_file())

BANNED_WORDS = {"utils", "util", "helper", "helpers", "misc", "manager", "impl", "process", "handle"}
# These are allowed with another word: common_factor, not common.
BANNED_ALONE = {"common"}
# The language has a data type of this name.
LANGUAGE_WORDS = {"handle", "Handle", "is_handle", "kHandle"}
# Cut in two so that this file passes its own test.
MARKS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
# A definition or declaration of a type, function or variable whose name holds a banned word.
DECLARES = re.compile(r"\b(?:class|struct|enum|namespace|using|concept|auto|void|bool|int|const|[A-Z]\w*[>&*]*)\s+[&*]*([A-Za-z_]\w*)\s*(?=[({;=:])")
CONFLICT = re.compile(r"(?:<{7}|>{7}) ")
MOST_COLUMNS = 100  # of Markdown prose
# The program writes these; a test compares them.
WRITTEN_PAGES = {"docs/operators.md", "docs/onnx-operators.md", "docs/relay-operators.md", "docs/gpu-instructions.md"}
bad = []


def say(path, number, what):
    bad.append(f"{path.relative_to(root)}:{number}: {what}")


def words_of(name):
    """foo_bar, FooBar and kFooBar as lower-case words."""
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def code_only(line):
    """The line without string literals and comments."""
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', line).split("//")[0]


def limit_of(path):
    relative = path.relative_to(root)
    if relative.parts[0] == "tests":
        return 600
    return 250 if relative.parts[1:2] == ("ops",) and path.suffix == ".cc" else 400


def check_columns(path, lines):
    """Prose of a Markdown page; fenced and indented code and rows of tables are exempt."""
    fenced, indented, blank = False, False, True
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        indented = line.startswith("    ") and (blank or indented)
        blank = not line.strip()
        is_code = fenced or indented or line.startswith("|")
        if len(line) > MOST_COLUMNS and not is_code:
            say(path, number, f"{len(line)} columns; {MOST_COLUMNS} is the limit of prose")


# Phrases that only this project used, and the standard term. A line with "words: allow" is exempt.
DIALECT = [(re.compile(pattern, re.I), term) for pattern, term in (
    (r"\bfunctions? from outside\b", "external function"),
    (r"\bmade[- ]up\b", "generated, random"),
    (r"\bhangs? on\b", "depends on"),
    (r"\bonly the run knows\b", "known at run time"),
    (r"\band (?:its|their) kin\b", "and related functions, by name"),
    (r"\bwho has arrived\b", "the threads that have arrived"),
    (r"\bwhat that says\b", "what is declared"),
    (r"\balike\b", "equal, uniform"),
    (r"\bbrings? along\b", "carries"),
    (r"\bgives? on\b", "forwards"),
    (r"\bin the words of\b", "as text"),
    (r"\bthat (?:is|are) (?-i:none)\b", "invalid, malformed"),
    (r"(?<!there )\b(?:is|was) no (?:number|value|tensor|identifier|dtype|variable|multiple|size|sequence)\b", "is not a"),
    (r"\bnobody\b", "no thread, no one; unused"),
    (r"\bbehind (?:the|each) other\b", "consecutive"),
    (r"\b(?:gives?|gave|given) back\b", "returns"),
    (r"\bthe run (?:says|knows)\b", "dynamic, known at run time"),
    (r"\bstands? (?:beside|behind)\b", "is next to, is after"),
    (r"\blook again and again\b", "wait in a loop"),
    (r"\b(?:another|some|several) turns?\b", "iterations"),
)]
# In messages of generator/, where a reader sees the sentence alone.
MESSAGES = [(re.compile(pattern), term) for pattern, term in (
    (r"(?<!would )\b(?:has|have) to be\b", "must be"),
    (r"\bis (?:given|defined) twice\b", "more than once"),
    (r"'s Python\b|\bis Python's\b", "is not supported"),
    (r"\bstands? (?:alone|elsewhere|before|outside)\b", "must be"),
    (r"\bwhere it is not bound\b", "use of unbound"),
    (r"\bfrom outside\b", "external"),
)]
NOMINAL = re.compile(r"// (?:What|How|Which|Whether|That|Why|Where|Who)\b")


def messages(path, number, line):
    """String literals of generator/: sentences in standard terms."""
    parts = path.relative_to(root).parts
    if parts[0] != "generator" or parts[:3] == ("generator", "reader", "relay_text") or "words: allow" in line:
        return
    for literal in re.findall(r'"(?:\\.|[^"\\])*"', line.partition("//")[0]):
        for pattern, term in MESSAGES:
            if pattern.search(literal):
                say(path, number, f"'{pattern.search(literal)[0]}' in a message: write '{term}'")


def check_words(path, lines):
    """Comments of C++ and Python, prose, and messages: standard terms."""
    for number, line in enumerate(lines, 1):
        if path.suffix in (".md", ".py"):
            comment = line
        else:
            comment = line.partition("//")[2]
            messages(path, number, line)
        for pattern, term in DIALECT:
            if pattern.search(comment) and "words: allow" not in line:
                say(path, number, f"'{pattern.search(comment)[0]}': write '{term}', or allow the line by 'words: allow'")
    if path.suffix == ".h" and path.relative_to(root).parts[0] == "generator" and lines and NOMINAL.match(lines[0]):
        say(path, 1, "a header's first sentence says what the code does: 'Checks ...', not 'Whether ...'")


for path in files:
    relative = path.relative_to(root)
    if path.suffix not in (".h", ".cc", ".c", ".def", ".py", ".cmake", ".md", ".tmpl", ".txt", ".sh", "") or relative.parts[:2] == ("tests", "fuzz") and path.suffix == "":
        continue
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        continue
    lines = text.splitlines()
    # Documents show scripts as commands.
    if text.startswith("#!") and not os.access(path, os.X_OK):
        say(path, 1, "a file that begins with #! is executable: chmod +x")
    for number, line in enumerate(lines, 1):
        if CONFLICT.match(line):
            say(path, number, "a mark of a merge conflict")
    # What a test feeds the program is not ours to judge.
    if relative.parts[0] != "tests" or path.suffix in (".h", ".cc", ".py"):
        for number, line in enumerate(lines, 1):
            if MARKS.search(line):
                say(path, number, "a mark for later: do it, or write down where it is decided")
    if path.suffix == ".md" and str(relative) not in WRITTEN_PAGES:
        check_columns(path, lines)
        check_words(path, lines)
    if relative.parts[0] == "generator" or relative.parts[0] == "tests" and path.suffix in (".h", ".cc", ".py") and path.name != "check_style.py":
        check_words(path, lines)
    if path.suffix not in (".h", ".cc"):
        continue

    if len(lines) > limit_of(path):
        say(path, len(lines), f"{len(lines)} lines; {limit_of(path)} is the limit: split it along a seam")
    for word in words_of(path.stem):
        if word in BANNED_WORDS or path.stem in BANNED_ALONE:
            say(path, 1, f"'{word}' says nothing: name the file after what it does")
    is_emulation = relative.parts[:2] == ("runtime-c", "emulation")
    if path.suffix == ".h" and (is_emulation or relative.parts[0] in ("generator", "tests")):
        parts = relative.parts if relative.parts[0] == "tests" else relative.parts[1:]
        guard = "LATHE_" + re.sub(r"\W", "_", "_".join(parts)).upper() + "_"
        for directive in (f"#ifndef {guard}", f"#define {guard}", f"#endif  // {guard}"):
            if directive not in lines:
                say(path, 1, f"include guard: no line '{directive}'")
    if relative.parts[0] == "generator":
        if not text.startswith(("//", "#include")):
            say(path, 1, "starts with what the file is for, or with its own header")
        if path.suffix == ".h" and not text.startswith("//"):
            say(path, 1, "a header starts with a comment that says what it is for")
        if path.suffix == ".cc" and path.name != "main.cc":
            # Its own header, or the one whose name it extends: a class too long for one file.
            # The operators of a family share the header that lists them.
            stems = path.stem.split("_")
            stems = ["_".join(stems[:n]) for n in range(len(stems), 0, -1)]
            headers = [path.with_name(f"{stem}.h") for stem in stems]
            headers = [h for h in headers if h.exists()]
            if not headers and "ops" not in relative.parts:
                say(path, 1, f"has no header {path.stem}.h")
            elif headers and f'#include "{headers[0].relative_to(root)}"' not in lines[:12]:
                say(path, 1, f"does not include {headers[0].name} first")
    raw = False  # inside a raw string, whose text is another language
    for number, line in enumerate(lines, 1):
        if raw:
            raw = ')"' not in line and not re.search(r'\)\w*"', line)
            continue
        code = code_only(line)
        raw = re.search(r'R"\w*\(', line) is not None and not re.search(r'R"\w*\(.*\)\w*"', line)
        if "std::string_view" in code:
            say(path, number, "std::string_view: absl::string_view is what Abseil speaks here")
        if re.search(r"#include <(iostream|format|regex)>", code):
            say(path, number, "that header is heavy, or not there; see CONTRIBUTING.md")
        if re.search(r"\bdynamic_cast\b|\btypeid\b", code):
            say(path, number, "run-time type information: use a closed std::variant and Match")
        if re.search(r"\bthrow\b", code) and relative.parts[0] == "generator":
            say(path, number, "no exceptions of our own: diagnostics.h, status.h, check.h")
        for name in DECLARES.findall(code):
            hit = BANNED_WORDS.intersection(words_of(name)) | BANNED_ALONE.intersection([name.lower()])
            hit = hit if name not in LANGUAGE_WORDS else set()
            if hit:
                say(path, number, f"'{name}': '{hit.pop()}' says nothing")

# Lists with a file per entry, which are found by name.
LISTS = ("docs/diagnostics", "tests/diagnostics", "tests/fuzz/corpus")
for folder, count in sorted(collections.Counter(path.parent for path in files).items()):
    if count > 100 and not str(folder.relative_to(root)).startswith(LISTS):
        bad.append(f"{folder.relative_to(root)}: {count} files; 100 is the limit: split it into rooms")

formatter = shutil.which("clang-format-14") or shutil.which("clang-format")
if formatter is None:
    bad.append("clang-format is not installed (Debian: apt-get install clang-format)")
else:
    sources = [str(f) for f in files if f.suffix in (".h", ".cc", ".c") and f.relative_to(root).parts[0] in ("generator", "tests", "include", "runtime-c")]
    run = subprocess.run([formatter, "--dry-run", "-Werror", *sources], capture_output=True, text=True, check=False)
    wrong = sorted({re.sub(r":.*", "", line) for line in run.stderr.splitlines() if "clang-format-violations" in line})
    bad += [f"{pathlib.Path(f).relative_to(root)}:1: run clang-format -i on it" for f in wrong]

print("\n".join(bad) or f"style: {len(files)} files, clean")
sys.exit(bool(bad))
