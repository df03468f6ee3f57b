#!/usr/bin/env python3
"""Writes what TVM's tests of operators expect of inference, each expectation a program of its own.

    harvest_inference.py CHECKOUT OUT [--only TEXT]

Needs a Python with pytest and apache-tvm of the checkout's version. The tests in
CHECKOUT/tests/python/relax/test_op_*.py are run, with three functions of TVM listened to: a call
that is normalised, a type that is asserted of it, two functions that are asserted to be the same.
Tests that would build and run something are left out. OUT/programs gets a module for each, in which
the call's free variables are parameters, those first that are shapes of others; OUT/manifest.json
says of each

    file, test, line    where it is and where it came from
    kind                infer    the result of the call `gv` has the type of the parameter `want`
                                 of `signature`, whose parameter `got` is there to be replaced
                        reject   the call must be refused
                        pair     the function's result has that type
    operator            what is called
"""
import argparse
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True

import pytest  # pylint: disable=wrong-import-position
import tvm  # pylint: disable=wrong-import-position
from tvm import relax, tirx  # pylint: disable=wrong-import-position

METADATA = re.compile(r'metadata\["[\w.]+"\]\[(\d+)\]')
RETURNS = re.compile(r"\) -> .*:$", re.MULTILINE)


def where():
    """The file, function and line of the test that is being run."""
    frame = sys._getframe(2)
    while frame is not None:
        name = pathlib.Path(frame.f_code.co_filename).name
        if name.startswith("test_op_") and frame.f_code.co_name != "_check_inference":
            return name, frame.f_code.co_name, frame.f_lineno
        frame = frame.f_back
    return "", "", 0


def same(left, right):
    return left.__chandle__() == right.__chandle__()


def add_new(nodes, node):
    if not any(same(node, other) for other in nodes):
        nodes.append(node)


class Held:
    """Returns the parts of types: devices, meshes, shapes and variables."""

    def __init__(self):
        self.devices = []
        self.meshes = []
        self.shapes = []
        self.variables = []
        self.bound = []

    def dimension(self, value):
        if isinstance(value, tirx.Var):
            add_new(self.bound, value)

        def visit(node):
            if isinstance(node, tirx.Var):
                add_new(self.variables, node)

        tirx.stmt_functor.post_order_visit(value, visit)

    def type(self, ty):
        if isinstance(ty, tvm.ir.TupleType):
            for field in ty.fields:
                self.type(field)
        elif isinstance(ty, relax.TensorType):
            if ty.vdevice is not None:
                add_new(self.devices, ty.vdevice)
            if isinstance(ty.shape, relax.Var):
                add_new(self.shapes, ty.shape)
                self.type(ty.shape.ty)
            for value in ty.shape.values if isinstance(ty.shape, relax.ShapeExpr) else []:
                self.dimension(value)
        elif isinstance(ty, relax.ShapeType):
            for value in ty.values or []:
                self.dimension(value)
        elif isinstance(ty, relax.distributed.DTensorType):
            add_new(self.meshes, ty.device_mesh)
            self.type(ty.tensor_ty)


class Recorder:
    """Listens while tests run, and keeps what they expect."""

    def __init__(self):
        self.entries = []
        self.unwritten = []
        self.calls = []
        self.raising = 0

    def normalize(self, original):
        def listen(builder, expr):
            if not isinstance(expr, relax.Call):
                return original(builder, expr)
            try:
                result = original(builder, expr)
            except BaseException:
                if self.raising:
                    self.record("reject", expr, None)
                raise
            self.calls.append((expr, result))
            del self.calls[:-16]
            return result

        return listen

    def assert_equal(self, original):
        def listen(left, right, *args, **kwargs):
            original(left, right, *args, **kwargs)
            if isinstance(left, relax.Function) and isinstance(right, relax.Function):
                self.record_pair(left, right)
            elif isinstance(left, tvm.ir.Type) or isinstance(right, tvm.ir.Type):
                for call, result in reversed(self.calls):
                    if same(result.ty, left) or same(result.ty, right):
                        self.record("infer", call, right if same(result.ty, left) else left)
                        return

        return listen

    def raises(self, original):
        recorder = self

        def listen(*args, **kwargs):
            context = original(*args, **kwargs)
            if not hasattr(context, "__enter__"):
                return context

            class Counting:
                def __enter__(self):
                    recorder.raising += 1
                    return context.__enter__()

                def __exit__(self, *what):
                    recorder.raising -= 1
                    return context.__exit__(*what)

            return Counting()

        return listen

    def add(self, kind, text, signature, operator):
        name, test, line = where()
        self.entries.append({"test": f"{name}::{test}", "line": line, "kind": kind,
                             "operator": operator, "text": text, "signature": signature})

    def record(self, kind, call, expected):
        operator = call.op.name if isinstance(call.op, tvm.ir.Op) else type(call.op).__name__
        try:
            text, signature = write(call, expected)
        except Exception as error:  # pylint: disable=broad-except
            name, test, line = where()
            reason = str(error).strip().splitlines()
            self.unwritten.append({"test": f"{name}::{test}", "line": line, "kind": kind,
                                   "operator": operator, "why": reason[-1] if reason else ""})
            return
        self.add(kind, text, signature, operator)

    def record_pair(self, left, right):
        """The function that is written with less is the one that is asked; both are the same now."""
        module = tvm.IRModule({"main": left})
        text = module.script(show_meta=False, show_all_ty=False)
        text = text.replace("private=True", "pure=False")
        signature = signature_of(right.params, right.ret_ty, Held())
        self.add("pair", RETURNS.sub("):", text), signature, "pair")


def write(call, expected):
    """The module whose function makes the call, and the signature that says what is expected."""
    free = list(relax.analysis.free_vars(call))
    params = [v for v in free if not isinstance(v.ty, tvm.ir.PrimType)]
    held = Held()
    for param in params:
        held.type(param.ty)
    bound = list(held.bound)
    if expected is not None:
        held.type(expected)
    loose = [v for v in free if isinstance(v.ty, tvm.ir.PrimType)]
    for variable in held.variables:
        add_new(loose, variable)
    loose = [v for v in loose if not any(same(v, b) for b in bound)]
    sizes = [v for v in loose if str(v.ty) == "int64"]
    params += [v for v in loose if str(v.ty) != "int64"]
    shapes = list(held.shapes)
    params = shapes + [p for p in params if not any(same(p, shape) for shape in shapes)]
    if sizes:
        params.append(relax.Var("sizes", relax.ShapeType(sizes)))

    constants = []

    def constant(node):
        if isinstance(node, relax.Constant) and node.data.shape:
            data = node.data.numpy()
            constants.append(f'R.const({data.tolist()}, "{data.dtype}")')

    relax.analysis.post_order_visit(call, constant)
    value = relax.Var("gv", relax.AnyType())
    block = relax.BindingBlock([relax.VarBinding(value, call)])
    text = show(params, relax.SeqExpr([block], value), held)
    text = text.replace(": R.Any =", " =").replace(") -> R.Any:", "):")
    text = METADATA.sub(lambda match: constants[int(match.group(1))], text)
    return text, None if expected is None else signature_of(params, expected, held)


def signature_of(params, expected, held):
    want = relax.Var("want", expected)
    return show([*params, want, relax.Var("got", relax.AnyType())], want, held)


def show(params, body, held):
    function = relax.Function(params, body, relax.AnyType(), is_pure=False)
    module = tvm.IRModule({"main": function.with_attr("global_symbol", "main")})
    if held.devices:
        module.update_global_info("vdevice", held.devices)
    if held.meshes:
        module.update_global_info("mesh", held.meshes)
    return module.script(show_meta=False)


def listen(recorder):
    def skip(*_args, **_kwargs):
        pytest.skip("inference builds nothing")

    relax.BlockBuilder.normalize = recorder.normalize(relax.BlockBuilder.normalize)
    tvm.ir.assert_structural_equal = recorder.assert_equal(tvm.ir.assert_structural_equal)
    pytest.raises = recorder.raises(pytest.raises)
    tvm.compile = tvm.relax.build = tvm.build = skip


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="", help="files whose names have this text")
    options = parser.parse_args()
    files = sorted((options.checkout / "tests/python/relax").glob("test_op_*.py"))
    files = [str(file) for file in files if options.only in file.name]
    recorder = Recorder()
    listen(recorder)
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=line", "-W", "ignore", *files])
    programs = options.out / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    for number, entry in enumerate(recorder.entries):
        entry["file"] = f"programs/{number:05}.py"
        (options.out / entry["file"]).write_text(entry.pop("text"))
    manifest = {"programs": recorder.entries, "unwritten": recorder.unwritten}
    (options.out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    kinds = [entry["kind"] for entry in recorder.entries]
    print(f"{kinds.count('infer')} expectations, {kinds.count('reject')} rejections, "
          f"{kinds.count('pair')} pairs, {len(recorder.unwritten)} not written")


if __name__ == "__main__":
    main()
