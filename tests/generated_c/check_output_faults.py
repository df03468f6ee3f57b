#!/usr/bin/env python3
"""Whether a bundle can be torn: check_output_faults.py LATHE

Compiles a model over an older bundle, and into no folder, again and again, and lets strace fail or kill each call of the
operating system that changes files, one after another; then on a disk that is full. What is there afterwards is the old
bundle, the new one or none. Needs strace; the disk needs the right to mount one, and is left out without it.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

CALLS = ["openat", "write", "fsync", "close", "mkdir", "link", "rename", "renameat2", "unlink", "rmdir"]
FAULTS = ["signal=KILL", "error=ENOSPC", "error=EIO", "error=EINTR"]
MODEL = """from tvm.script import ir as I, relax as R

@I.ir_module
class Net:
    @R.function
    def main(x: R.Tensor((8,), "float32")):
        y = R.%s(x)
        return R.%s(y)
"""


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()} if folder.exists() else None


def run(words):
    return subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def compile_words(lathe, model, out):
    return [lathe, "compile", model, "-n", "net", "-o", out]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("strace") or run(["strace", "-o", "/dev/null", "true"]).returncode != 0:
        print("skipped: strace is not installed, or may not trace")
        return
    lathe = pathlib.Path(sys.argv[1]).resolve()
    bad, injected = [], 0
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        old_model, new_model = scratch / "old.py", scratch / "new.py"
        old_model.write_text(MODEL % ("exp", "negative"))
        new_model.write_text(MODEL % ("tanh", "sum"))
        texts = {}
        for which, model in (("old", old_model), ("new", new_model)):
            done = run(compile_words(lathe, model, scratch / which))
            if done.returncode != 0:
                sys.exit(done.stdout.decode())
            texts[which] = contents(scratch / which)
        place, out, log = scratch / "place", scratch / "place/out", scratch / "log"
        for exists in (True, False):
            allowed = [texts["new"], texts["old"] if exists else None]
            for call in CALLS:
                for fault in FAULTS:
                    for when in range(1, 1000):
                        shutil.rmtree(place, ignore_errors=True)
                        place.mkdir()
                        if exists:
                            shutil.copytree(scratch / "old", out)
                        run(["strace", "-f", "-qq", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={when}",
                             *compile_words(lathe, new_model, out)])
                        if not any(mark in log.read_text(errors="replace") for mark in ("INJECTED", "killed")):
                            break
                        injected += 1
                        if contents(out) not in allowed:
                            bad.append(f"{call} {fault} when={when}, {'over an older bundle' if exists else 'into no folder'}")
        full_disk(lathe, new_model, scratch, texts, bad)
    print("\n".join(bad))
    print(f"{injected} faults, {len(bad)} torn bundles")
    sys.exit(bool(bad) or injected < 100)


def full_disk(lathe, model, scratch, texts, bad):
    disk = scratch / "disk"
    disk.mkdir()
    if run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).returncode != 0:
        print("without a full disk: mount may not be used")
        return
    try:
        shutil.copytree(scratch / "old", disk / "out")
        with open(disk / "filling", "wb", buffering=0) as f:
            try:
                while f.write(b"x" * 512):
                    pass
            except OSError:
                pass
        done = run(compile_words(lathe, model, disk / "out"))
        if done.returncode != 5 or contents(disk / "out") != texts["old"]:
            bad.append(f"a full disk: exit code {done.returncode}\n{done.stdout.decode()}")
    finally:
        run(["umount", disk])


if __name__ == "__main__":
    main()
