"""Examples of the operators of Relay: texts with one call, from the lists of the tests."""
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests"
TYPE = re.compile(r"(\w+)\(([\d,]*)\)")


def type_of(text):
    if text.startswith("("):
        return "(%s)" % ", ".join(type_of("%s(%s)" % found) for found in TYPE.findall(text))
    dtype, dims = TYPE.match(text).groups()
    return "Tensor[(%s), %s]" % (dims.replace(",", ", "), dtype)


def text_of(expression, types):
    given = [type_of(t) for t in re.split(r"\s*;\s*", types.strip()) if t]
    parameters = ", ".join("%%%s: %s" % (chr(ord("a") + i), t) for i, t in enumerate(given))
    body = "".join("  %s\n" % line for line in re.sub(r"; (?=%|\w)", ";\n", expression).split("\n"))
    return '#[version = "0.0.5"]\ndef @main(%s) {\n%s}\n' % (parameters, body)


def examples():
    """The text of each operator: of relay_examples.list, or else the first call of operators_against_tvm.list."""
    found = {}
    for path in (TESTS / "docs/relay_examples.list", TESTS / "relay/operators_against_tvm.list"):
        for line in path.read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            operators, expression, types = (part.strip() for part in line.split("|", 2))
            # The values of constants are printed by TVM, and what follows `=` is Python.
            if expression.startswith("=") or "meta[" in expression:
                continue
            for operator in operators.split():
                call = re.sub(r"\{(\w+)\}", r'attrs_type_key="relay.attrs.\1Attrs"', expression.replace("$", operator))
                found.setdefault(operator, text_of(call, types))
    return found
