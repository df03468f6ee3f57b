"""Runs programs in TVM's virtual machine, in a process of its own that may die of one of them."""
import multiprocessing

import numpy as np

SECONDS = 60


def to_arrays(value):
    """The tensors of a result, tuples flattened, as numpy arrays; a shape is int64."""
    if hasattr(value, "numpy"):
        return [value.numpy()]
    if type(value).__name__ in ("Shape", "ShapeTuple"):
        return [np.array(list(value), "int64")]
    if isinstance(value, (bool, int, float)):
        return [np.array(value)]
    return [array for field in value for array in to_arrays(field)]


def serve(pipe):
    import tvm
    from tvm import relax
    target = tvm.target.Target({"kind": "llvm", "opt-level": 0})
    while True:
        text, arrays = pipe.recv()
        try:
            module = tvm.script.from_source("# from tvm.script import ir as I\n" + text)
            machine = relax.VirtualMachine(relax.build(module, target), tvm.cpu())
            result = machine["main"](*[tvm.runtime.tensor(array) for array in arrays])
            pipe.send(("ran", to_arrays(result)))
        except BaseException as error:  # pylint: disable=broad-except
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            told = [line for line in lines if line.startswith("error: ")] or lines or [""]
            pipe.send(("refused", (type(error).__name__ + ": " + told[-1])[:300]))


class TvmWorker:
    """Asks the process, and starts another where it died or does not answer."""

    def __init__(self):
        self.context = multiprocessing.get_context("spawn")
        self.worker = None

    def start(self):
        self.pipe, other = self.context.Pipe()
        self.worker = self.context.Process(target=serve, args=(other,), daemon=True)
        self.worker.start()
        other.close()

    def run(self, text, arrays):
        """("ran", arrays), ("refused", why) or ("crashed", how)."""
        if self.worker is None:
            self.start()
        try:
            self.pipe.send((text, arrays))
            if self.pipe.poll(SECONDS):
                return self.pipe.recv()
            outcome = f"no answer in {SECONDS} s"
        except (EOFError, OSError):
            self.worker.join(5)
            outcome = f"exit code {self.worker.exitcode}"
        self.worker.kill()
        self.worker.join()
        self.worker = None
        return "crashed", outcome
