"""Runs models on TFLM or LiteRT: oracle_worker.py tflm|litert|litert-optimized JOBS RESULTS

JOBS is a pickled list of (model, [[input bytes] of each step], [output dtype]). Appends one pickled
result per job: the list of output bytes of all steps, or the text of an error. Some models end the process; the caller starts it
again behind the job that did.
"""
import os
import pickle
import sys

import numpy


def shaped(data, dtype, shape):
    return numpy.frombuffer(data, dtype).reshape(shape)


def run_tflm(model, steps, types):
    from tflite_micro.python.tflite_micro import runtime
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=4 << 20)
    results = []
    for inputs in steps:
        for i, data in enumerate(inputs):
            details = interpreter.get_input_details(i)
            interpreter.set_input(shaped(data, details["dtype"], details["shape"]), i)
        interpreter.invoke()
        results += [numpy.asarray(interpreter.get_output(i)).tobytes() for i in range(len(types))]
    return results


def litert_interpreter(model, optimized):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    if not optimized:
        try:
            return Interpreter(model_content=model,
                               experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
        except ValueError:  # an operator without a reference kernel
            pass
    return Interpreter(
        model_content=model,
        experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)


def run_litert(model, steps, types):
    interpreter = litert_interpreter(model, sys.argv[1] == "litert-optimized")
    interpreter.allocate_tensors()
    results = []
    for inputs in steps:
        for details, data in zip(interpreter.get_input_details(), inputs, strict=True):
            interpreter.set_tensor(details["index"],
                                   shaped(data, details["dtype"], details["shape"]))
        interpreter.invoke()
        results += [numpy.asarray(interpreter.get_tensor(d["index"])).tobytes()
                    for d in interpreter.get_output_details()]
    return results


def main():
    run = run_tflm if sys.argv[1] == "tflm" else run_litert
    with open(sys.argv[2], "rb") as file:
        jobs = pickle.load(file)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    with open(sys.argv[3], "ab", buffering=0) as file:
        for job in jobs:
            try:
                result = run(*job)
            except Exception as error:
                result = "%s: %s" % (type(error).__name__, error)
            file.write(pickle.dumps(result))


if __name__ == "__main__":
    main()
