"""The pages of operators: what `lathe ops` knows of each, with an example and what it becomes in Relax."""
import concurrent.futures
import html
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import onnx_text
import relax_examples
import relay_examples
import tflite_examples

TESTS = Path(__file__).resolve().parents[2] / "tests"
SUFFIX = {"onnx": ".onnx", "tflite": ".tflite", "relay": ".relay", "relax": ".py"}
TITLES = {"onnx": "ONNX", "tflite": "TFLite", "relay": "Relay", "relax": "Relax"}


class Operator:
    """An operator of one format. `how` says what the tests do with its example: validate, compile or check it."""

    def __init__(self, kind, name, facts, columns, attributes, refused=""):
        self.kind, self.name, self.facts, self.columns, self.attributes = kind, name, facts, columns, attributes
        self.refused, self.text, self.data, self.how = refused, "", b"", "validate"

    @property
    def file(self):
        return self.name + SUFFIX[self.kind]

    def show(self, text, data=None, how="validate"):
        self.text, self.data, self.how = text, text.encode() if data is None else data, how


def rows_of(lathe, kind):
    done = subprocess.run([lathe, "ops", "--from", kind, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["operators"]


def pretty_onnx(text):
    """One node a line."""
    head, _, rest = text.partition("]> ")
    depth, start = 0, 0
    for at in range(len(rest) - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(rest[at], 0)
        if depth == 0:
            start = at
            break
    signature = rest[:start].strip().replace(" => ", "\n    => ").replace(") <", ")\n    <")
    nodes, depth, begin, body = [], 0, 0, rest[start + 1:-1].strip()
    for at, sign in enumerate(body):
        depth += 1 if sign in "({[" else -1 if sign in ")}]" else 0
        # A node ends with its operands, which attributes in angle brackets may come before.
        if sign == ")" and depth == 0 and body[at + 1:at + 2] in ("", " ") and "=" in body[begin:at] and not open_angle(body[begin:at]):
            nodes.append(body[begin:at + 1].strip())
            begin = at + 1
    return "%s]>\n%s {\n%s}\n" % (head, signature, "".join("  %s\n" % node for node in nodes))


def open_angle(text):
    plain = re.sub(r'"[^"]*"', "", text).replace("=>", "")
    return plain.count("<") > plain.count(">")


def onnx_operators(lathe):
    examples = dict(line.split(" | ", 1) for line in (TESTS / "docs/onnx_examples.list").read_text().splitlines() if not line.startswith("#"))
    for row in rows_of(lathe, "onnx"):
        full = "%s.%s" % (row["domain"], row["name"])
        versions = "%d to %d" % (row["since"], row["until"]) if "until" in row else "from %d on" % row["since"]
        one = Operator("onnx", row["name"] if row["domain"] == "ai.onnx" else full,
                       [("Domain", row["domain"]), ("Versions of the operator set", versions), ("Required inputs", str(row["inputs"]))],
                       ("Attribute", "Type"), [(a["name"], a["type"]) for a in row["attributes"]])
        if full in examples:
            one.show(pretty_onnx(examples[full]), onnx_text.model_bytes(examples[full]))
        yield one


def tflite_operators(lathe):
    rows = rows_of(lathe, "tflite")
    examples = tflite_examples.examples(rows)
    for row in rows:
        number = "custom" if row["number"] == tflite_examples.CUSTOM else str(row["number"])
        if not row["supported"]:
            yield Operator("tflite", row["name"], [("Number", number)], (), [], row["reason"])
            continue
        one = Operator("tflite", row["name"], [("Number", number), ("Required inputs", str(row["inputs"]))],
                       ("Option", "Type", "Default"), [(o["name"], o["type"], str(o["default"])) for o in row["options"]])
        if row["name"] in examples:
            one.show(*examples[row["name"]])
        yield one


def relay_operators(lathe):
    examples = relay_examples.examples()
    for row in rows_of(lathe, "relay"):
        if not row["supported"]:
            yield Operator("relay", row["name"], [], (), [], row["reason"])
            continue
        one = Operator("relay", row["name"], [("Arguments", str(row.get("arguments", "several")))], ("Attribute", "Type", "Default"),
                       [(a["name"], a["type"], a.get("default", "required")) for a in row["attributes"]])
        if row["name"] in examples:
            one.show(examples[row["name"]])
        yield one


def relax_operators(lathe):
    examples = relax_examples.from_table()
    listed, only = relax_examples.from_list()
    examples.update(listed)
    text = subprocess.run([lathe, "ops", "--markdown"], stdout=subprocess.PIPE, text=True, check=True).stdout
    computed = dict(re.findall(r"^\| `(R\.[\w.]+)\(.*`[^|]*\|[^|]*\| (.*) \|$", text, re.M))
    for row in rows_of(lathe, "relax"):
        call = row["call"].split("(")[0]
        one = Operator("relax", call[len("R."):], [("Call", row["call"]), ("Effects", "none" if row["pure"] else "yes, it is impure"),
                                                   ("Computed as", computed.get(call, "loop nest"))],
                       ("Parameter", "Kind", "Default"),
                       [(p["name"], p["kind"], "required" if p["required"] else str(p.get("default", "none"))) for p in row["parameters"]])
        if call in examples:
            one.show(examples[call], how={"compiled": "compile", "checked": "check"}.get(only.get(call), "validate"))
        yield one


KINDS = {"relax": relax_operators, "onnx": onnx_operators, "tflite": tflite_operators, "relay": relay_operators}


def all_operators(lathe):
    return [operator for kind in KINDS.values() for operator in kind(lathe)]


def in_relax(lathe, operators):
    """What `lathe inspect` prints of each example, in the order of the operators."""
    def inspect(operator):
        if not operator.data or operator.kind == "relax":
            return ""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, operator.file)
            Path(path).write_bytes(operator.data)
            done = subprocess.run([lathe, "inspect", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                raise SystemExit("the example of %s cannot be read:\n%s" % (operator.name, done.stderr))
            return done.stdout
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(inspect, operators))


def rows(cells, tag="td"):
    return "<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, cell, tag) for cell in cells)


def commands_of(operator):
    name = re.sub(r"\W", "_", operator.name).lower()
    shown = {"check": ["lathe check %s"], "compile": ["lathe compile %s -n " + name + " -o " + name],
             "validate": ["lathe compile %s -n " + name + " -o " + name, "lathe validate %s"]}[operator.how]
    return "\n".join("$ " + line % operator.file for line in shown)


def page_of(operator, relax):
    out = ["<h1>%s</h1>" % html.escape(operator.name)]
    kind = TITLES[operator.kind]
    listed = "%sdocs/%s.html" % ("../../", "operators" if operator.kind == "relax" else operator.kind + "-operators")
    out.append('<p>An <a href="%s">operator of %s</a>.%s</p>' % (listed, kind, " It is refused: %s." % html.escape(operator.refused) if operator.refused else ""))
    if operator.facts:
        out.append('<div class="wide"><table><tbody>%s</tbody></table></div>' % "\n".join(rows(("<strong>%s</strong>" % k, html.escape(v))) for k, v in operator.facts))
    if operator.attributes:
        out.append('<h2 id="attributes">%ss</h2>\n<div class="wide"><table><thead>%s</thead><tbody>\n%s</tbody></table></div>' % (
            operator.columns[0], rows(operator.columns, "th"), "\n".join(rows(["<code>%s</code>" % html.escape(a[0])] + [html.escape(v) for v in a[1:]]) for a in operator.attributes)))
    if operator.data:
        out.append('<h2 id="example">Example</h2>\n<p><a href="%s">%s</a>:</p>\n<pre><code>%s</code></pre>' % (operator.file, operator.file, html.escape(operator.text, quote=False)))
        out.append("<pre><code>%s\n</code></pre>" % commands_of(operator))
        if operator.how != "validate":
            out.append("<p>%s</p>" % ("The program provides what it calls." if operator.how == "compile" else "It is read and evaluated, but not compiled."))
    if relax:
        out.append('<h2 id="relax">In Relax</h2>\n<p>What <code>lathe inspect</code> prints:</p>\n<pre><code>%s</code></pre>' % html.escape(relax, quote=False))
    return "\n".join(out)
