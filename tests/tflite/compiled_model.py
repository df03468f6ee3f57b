"""Compiles a TFLite model to C with lathe and calls it in this process, with arrays of numpy.

    model = CompiledModel(lathe, "kws.tflite", folder)
    outputs = model.run([array])

Needs numpy and a C compiler.
"""
import numpy

from compiled_bytes import CompiledBytes, Refused  # noqa: F401

DTYPES = {
    "int8_t": numpy.int8, "uint8_t": numpy.uint8, "int16_t": numpy.int16,
    "int32_t": numpy.int32, "int64_t": numpy.int64, "float": numpy.float32,
    "double": numpy.float64, "uint16_t": numpy.uint16, "uint32_t": numpy.uint32,
    "uint64_t": numpy.uint64, "bool": numpy.bool_, "_Bool": numpy.bool_,
}


class SeveralFunctions(Exception):
    """A model whose signatures became functions, none of which is `main`."""


class CompiledModel(CompiledBytes):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        if not self.c_outputs:
            raise SeveralFunctions
        self.inputs = [(DTYPES[t], name, length) for t, name, length in self.c_inputs]
        self.outputs = [(DTYPES[t], name, length) for t, name, length in self.c_outputs]

    def run(self, arrays):
        ins = [numpy.ascontiguousarray(a, dtype).tobytes()
               for (dtype, _, _), a in zip(self.inputs, arrays, strict=True)]
        return [numpy.frombuffer(data, dtype)
                for data, (dtype, _, _) in zip(self.run_bytes(ins), self.outputs)]
