#!/usr/bin/env python3
"""Writes every TVMScript program of a checkout of apache/tvm to a file of its own.

    harvest_tvmscript.py CHECKOUT OUT

A program is one decorated definition (an I.ir_module class, an R.function, a T.prim_func), the
outermost only, found in CHECKOUT/tests/python. Each goes to OUT/programs with the imports that its
file makes of tvm.script; OUT/manifest.json says of each

    file, source, line, test    where it is and where it came from
    kind                        module, function or prim_func
    pure                        no host Python: no free names, no lambda, comprehension, f-string,
                                conditional expression, '*', numpy, emit_te, macro, tvm.*
    raises                      it stands inside `with pytest.raises(...)`
    check_well_formed           false when the decorator says so
    verdict                     accept, reject or null: what TVM's own test says of it
    because                     the line of the test that says so
    error_line                  the line of the program that must be named, where the test says it

Tests say so by pytest.raises around the program, by check_well_formed and its like called with it,
by check_error, which takes an undecorated function, and by pytest.raises around from_source. What
tests of code generators say (in folders of that name) is of instructions and not of programs.
"""
import argparse
import ast
import builtins
import json
import pathlib
import textwrap

NAMESPACES = {"I", "R", "T", "Tx", "tvm", "relax", "tirx", "tir", "np", "ir", "rx"}
HOST_ATTRIBUTES = (".emit_te", ".macro", ".inline")
HOST_NODES = {
    ast.ListComp: "comprehension",
    ast.SetComp: "comprehension",
    ast.DictComp: "comprehension",
    ast.GeneratorExp: "comprehension",
    ast.Lambda: "lambda",
    ast.IfExp: "conditional",
    ast.Starred: "starred",
    ast.JoinedStr: "f-string",
}
RELAX_FUNCTIONS = {"R.function", "relax.function", "tvm.script.relax.function",
                   "relax_parser.function"}


def decorator(node):
    """The kind of program that `node` is and the keywords of its decorator, or (None, {})."""
    for item in node.decorator_list:
        call = item if isinstance(item, ast.Call) else None
        name = ast.unparse(call.func if call else item)
        keywords = {}
        for keyword in call.keywords if call else []:
            if isinstance(keyword.value, ast.Constant):
                keywords[keyword.arg] = keyword.value.value
        if isinstance(node, ast.ClassDef) and name.split(".")[-1] == "ir_module":
            return "module", keywords
        if isinstance(node, ast.FunctionDef):
            if name in RELAX_FUNCTIONS:
                return "function", keywords
            if name.split(".")[-1] == "prim_func":
                return "prim_func", keywords
    return None, {}


def host_features(node):
    """What of `node` needs Python to run: kinds of expressions, and free names."""
    features, loaded, bound = set(), set(), {node.name}
    todo = list(ast.iter_child_nodes(node))
    while todo:
        item = todo.pop()
        if type(item) in HOST_NODES:
            features.add(HOST_NODES[type(item)])
        if isinstance(item, ast.Name):
            (loaded if isinstance(item.ctx, ast.Load) else bound).add(item.id)
        elif isinstance(item, ast.arg):
            bound.add(item.arg)
        elif isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            bound.add(item.name)
        elif isinstance(item, ast.Attribute):
            text = ast.unparse(item)
            if text.startswith("np."):
                features.add("numpy")
            if text.startswith(("tvm.", "relax.", "tirx.", "tir.")) and not text.startswith(
                    "tvm.script"):
                features.add("tvm")
            if text.endswith(HOST_ATTRIBUTES):
                features.add("meta")
        todo.extend(ast.iter_child_nodes(item))
    free = loaded - bound - set(dir(builtins)) - NAMESPACES
    return sorted(features | {f"name {name}" for name in free})


def is_script_import(node):
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return module == "__future__" or module == "tvm" or module.startswith("tvm.script")
    return isinstance(node, ast.Import) and any(a.name == "tvm" for a in node.names)


# The tests in these folders judge code generators and their instructions, not programs.
OTHER_JUDGES = {"codegen"}

# The errors that mean a bad program; others are of passes, schedules and run time.
PROGRAM_ERRORS = ("DiagnosticError", "Exception", "ValueError", "TypeError", "RuntimeError",
                  "InternalError", "TVMError")
CHECKS = ("check_well_formed", "well_formed", "verify_well_formed")


def expects_error(node):
    """True for `with pytest.raises(...)` of an error that a program can be."""
    if not isinstance(node, ast.With):
        return False
    text = ast.unparse(node.items[0].context_expr)
    return "raises" in text and any(error in text for error in PROGRAM_ERRORS)


def stated_verdicts(test, lines):
    """What the checks in a test say: (line, name of the program, verdict, the text that says so)."""
    found = []

    def visit(node, negated, raises):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            negated = not negated
        raises = raises or expects_error(node)
        if isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func).split(".")[-1]
            program = node.args[0]
            if name in CHECKS and isinstance(program, ast.Name):
                verdict = "reject" if negated or raises else "accept"
                found.append((node.lineno, program.id, verdict, lines[node.lineno - 1].strip()))
        for child in ast.iter_child_nodes(node):
            visit(child, negated, raises)

    visit(test, False, False)
    return found


class Harvest:
    def __init__(self, path, source):
        self.path = path
        self.lines = source.splitlines(keepends=True)
        self.programs = []
        self.imports = []
        self.test = None
        self.because = None  # the innermost pytest.raises
        self.silent = False  # in a test that says nothing of its programs
        self.undecorated = {}  # functions of the test, by name
        self.prefix = "@T.prim_func(s_tir=True)" if "@T.prim_func(s_tir" in source else "@T.prim_func"

    def text(self, first, last):
        return textwrap.dedent("".join(self.lines[first - 1:last]))

    def visit(self, node, raises):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            kind, keywords = decorator(node)
            if kind:
                self.add(node, kind, keywords, raises)
                return
        if is_script_import(node):
            self.imports.append(self.text(node.lineno, node.end_lineno))
        outer_because, outer_silent = self.because, self.silent
        if isinstance(node, ast.With):
            raises = raises or any("raises" in ast.unparse(i.context_expr) for i in node.items)
            if expects_error(node):
                self.because = node
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            marks = " ".join(ast.unparse(d) for d in node.decorator_list)
            # The parts of a rewriter are judged as rewriters, and failures may be expected.
            if "rewriter" in marks or "xfail" in marks:
                self.because, self.silent = None, True
        self.add_checked(node, raises)
        outer_test, outer_imports = self.test, list(self.imports)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            self.test = node
        for child in ast.iter_child_nodes(node):
            self.visit(child, raises)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.imports = outer_imports
        if self.test is node and not self.silent:
            self.add_verdicts(node)
        self.test, self.because, self.silent = outer_test, outer_because, outer_silent

    def add_checked(self, node, raises):
        """Programs that tests give as undecorated functions or as text."""
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            self.undecorated[node.name] = node
        if not isinstance(node, ast.Call) or not node.args:
            return
        name = ast.unparse(node.func).split(".")[-1]
        argument = node.args[0]
        if name == "check_error" and isinstance(argument, ast.Name):
            function = self.undecorated.get(argument.id)
            if function is None:
                return
            line = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
            text = self.prefix + "\n" + self.text(function.lineno, function.end_lineno)
            self.append(function, "prim_func", {}, True, text, node.lineno)
            if line is not None:
                # Counted from the decorator, after the imports.
                self.programs[-1]["error_line"] = line + "".join(self.imports).count("\n") + 1
        elif name == "from_source" and raises and isinstance(argument, ast.Constant):
            if isinstance(argument.value, str) and expects_error(self.because):
                self.append(node, "module", {}, True, argument.value, node.lineno)

    def add(self, node, kind, keywords, raises):
        first = min(d.lineno for d in node.decorator_list)
        self.append(node, kind, keywords, raises, self.text(first, node.end_lineno), first)
        if raises and self.because is not None and not self.silent:
            self.programs[-1]["verdict"] = "reject"
            self.programs[-1]["because"] = self.lines[self.because.lineno - 1].strip()

    def append(self, node, kind, keywords, raises, text, first):
        is_text = isinstance(node, ast.Call)
        features = [] if is_text else host_features(node)
        # In a checked test the program is undecorated, or is text: then the check is what says so.
        checked = is_text or not node.decorator_list
        self.programs.append({
            "source": self.path,
            "line": first,
            "name": None if is_text else node.name,
            "test": self.test.name if self.test else None,
            "kind": kind,
            "pure": not features,
            "features": features,
            "raises": raises,
            "check_well_formed": keywords.get("check_well_formed", True) is not False,
            "decorated": not checked,
            "text": "".join(self.imports) + "\n" + text,
            "verdict": "reject" if checked else None,
            "because": self.lines[first - 1].strip() if checked else None,
            "error_line": None,
        })

    def add_verdicts(self, test):
        """The checks of a test are of the last program of that name before them."""
        for line, name, verdict, because in stated_verdicts(test, self.lines):
            before = [p for p in self.programs
                      if p["test"] == test.name and p["name"] == name and p["line"] < line]
            if before and before[-1]["verdict"] is None:
                before[-1].update(verdict=verdict, because=because)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    root = args.checkout / "tests" / "python"
    programs = []
    skipped = []
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root).as_posix()
        try:
            source = path.read_text(encoding="utf8")
            tree = ast.parse(source)
        except (SyntaxError, UnicodeDecodeError) as error:
            skipped.append(f"{relative}: {error}")
            continue
        harvest = Harvest(relative, source)
        harvest.visit(tree, False)
        if OTHER_JUDGES.intersection(relative.split("/")):
            for program in harvest.programs:
                program.update(verdict=None, because=None)
        programs += harvest.programs
    folder = args.out / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        stem = program["source"][:-3].replace("/", ".")
        program["file"] = f"programs/{stem}.{program['line']}.py"
        (args.out / program["file"]).write_text(program.pop("text"), encoding="utf8")
    manifest = json.dumps({"programs": programs, "skipped": skipped}, indent=1)
    (args.out / "manifest.json").write_text(manifest)
    decorated = [p for p in programs if p["decorated"]]
    verdicts = [p["verdict"] for p in programs if p["pure"]]
    print(f"{len(decorated)} programs, {sum(p['pure'] for p in decorated)} pure, "
          f"{sum(p['raises'] for p in decorated)} in raises, "
          f"{sum(not p['check_well_formed'] for p in decorated)} unchecked; "
          f"{len(programs) - len(decorated)} more in checks of tests; of the pure ones tests "
          f"reject {verdicts.count('reject')}, accept {verdicts.count('accept')}; "
          f"{len(skipped)} files that this Python cannot parse")


if __name__ == "__main__":
    main()
