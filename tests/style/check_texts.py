#!/usr/bin/env python3
"""Texts of a program on their way into generated files: check_texts.py

In generator/emit a name or text of the program (a field of ir/ that is one, or ToString of an expression) stands
only where something makes an identifier, a comment or a literal of it, where a message quotes it, or where it is
compared or looked up. Every field of ir/ that is a text has a line in tests/hostile/texts.list: the doors of
tests/hostile that put hostile ones into it, or why no program can.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of the program's own, by how they are written in emit/.
RAW = re.compile(r"\bir::ToString\((?!\w+->dtype|\w*dtype)|"
                 r"\b(?:buffer|tensor|kernel|routine|routine_|global|piece|acc|sum|callee|packed|step|func|s|t|e)"
                 r"(?:->|\.)(?:name|function|origin|what|message|scope|hint)\b|->As<ir::StringImm>\(\)->value")
# What takes them: makers of checked texts, messages, comparisons, tables.
TAKES = re.compile(r"Unique\(|CommentText\(|CommentLines\(|CString\(|MakeCName\(|ExternName\(|CannotPrint\(|Cannot\(|"
                   r"UnimplementedError\(|refuse\(|diags|Unsupported\(|wrong\(|[=!]= |\.find\(|\.at\(|\.contains\(|"
                   r"\.insert\(|\.count\(|StartsWith\(|NewPointer\(|FindVectorFunction\(|IsCall\(|SupportedOn\w*\(|"
                   r"Find\(|UniqueName\(|extern_symbols|functions\.insert|Named\(|hint\b|called = ")
# Of CName's type, and what the function around it hands to one of those.
ALLOWED = ("callee.name, ", "kernel.name, \"(\"", "sum.name", "callee.function.", "step.function.valid()",
           "Spell(step.function)", "Callee(model, id, step.function)", "Body(kernel.func.body, kernel.name)",
           "Packed(packed->function, step.loc)", "std::string text = kernel.origin;", "return s.function;",
           "absl::string_view name = call_.args[1]->As<ir::StringImm>()->value;", "absl::StrCat(\"the call of '\"",
           "model.kernels[s.kernel].name.str()")
# Files whose texts are tables of ours, or whose statement is longer than this looks.
OURS = {"print_vector_functions.cc", "template.cc", "emit.cc", "side_effects.cc", "kernel_sizes.cc"}


def statements(text):
    """Statements and the lines that they begin in, comments left out."""
    text = re.sub(r"//[^\n]*", "", text)
    at = 1
    for part in re.split(r"(?<=[;{}])", text):
        yield at + len(part) - len(part.lstrip("\n")), part
        at += part.count("\n")


def unchecked():
    problems = []
    for path in sorted((ROOT / "generator/emit").rglob("*.cc")):
        if path.name in OURS:
            continue
        for line, statement in statements(path.read_text()):
            allowed = any(words in " ".join(statement.split()) for words in ALLOWED)
            if RAW.search(statement) and not TAKES.search(statement) and not allowed:
                problems.append("%s:%d: a text of the program that nothing has checked: %s" % (
                    path.relative_to(ROOT), line, " ".join(statement.split())[:120]))
    return problems


def fields():
    """Struct.field of each text that ir/ keeps."""
    found = set()
    for path in sorted((ROOT / "generator/ir").rglob("*.h")):
        struct = ""
        for line in path.read_text().splitlines():
            begin = re.match(r"struct (\w+) \{", line)
            struct = begin.group(1) if begin else struct
            if re.match(r"\};", line):
                struct = ""
            field = re.match(r"  (?:std::vector<)?std::string>? (\w+)(?: = [^;]*)?;", line)
            if struct and field:
                found.add("%s.%s" % (struct, field.group(1)))
    return found


def unlisted():
    problems, listed = [], {}
    doors = set(re.findall(r"^-- (\w+)\.py --$", (ROOT / "tests/hostile/doors.txtar").read_text(), re.M))
    doors |= {"onnx_" + name for name in re.findall(r'^    \{"(\w+)", &Texts::', (
        ROOT / "tests/hostile/onnx_doors.cc").read_text(), re.M)}
    for number, line in enumerate((ROOT / "tests/hostile/texts.list").read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        field, _, how = line.partition(": ")
        listed[field] = how
        if not how.startswith("ours"):
            for door in how.split():
                if door not in doors:
                    problems.append("tests/hostile/texts.list:%d: there is no door %s" % (number, door))
    here = fields()
    problems += ["%s, a text of ir/, has no line in tests/hostile/texts.list" % f for f in sorted(here - set(listed))]
    problems += ["tests/hostile/texts.list: %s is no text of ir/" % f for f in sorted(set(listed) - here)]
    return problems


def main():
    problems = unchecked() + unlisted()
    print("\n".join(problems + ["texts: %s" % (len(problems) or "clean")]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
