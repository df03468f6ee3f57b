"""What is on this machine: its GPU, as nvidia-smi tells, the target for it, nvcc, PyTorch."""
import os
import pathlib
import shutil
import subprocess

ARCHITECTURES = {"8.0": "sm_80", "8.6": "sm_86", "8.9": "sm_89", "9.0": "sm_90a", "10.0": "sm_100", "12.0": "sm_120"}
FIELDS = ["name", "driver_version", "compute_cap", "clocks.sm", "clocks.max.sm", "clocks.mem", "power.draw", "power.limit", "temperature.gpu",
          "clocks_event_reasons.active"]


def nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def ask(field, device=None):
    """One at a time: a driver that does not know one of them answers nothing. With no device, of the first that programs see."""
    if device is None:
        device = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0] or "0"
    if shutil.which("nvidia-smi") is None:
        return ""
    said = subprocess.run(["nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader,nounits", "-i", str(device)],
                          capture_output=True, text=True, check=False)
    return said.stdout.strip() if said.returncode == 0 and "N/A" not in said.stdout else ""


def gpu(device=None):
    return {field: ask(field, device) for field in FIELDS}


def target_of(capability):
    """Returns the target of the GPU, or of the closest older GPU as PTX, which the driver translates."""
    if capability in ARCHITECTURES:
        return f"cuda:{ARCHITECTURES[capability]}"
    number = lambda text: tuple(int(part) for part in text.split("."))
    before = [known for known in ARCHITECTURES if number(known) <= number(capability) and known != "9.0"] if capability else []
    return f"cuda:{ARCHITECTURES[max(before, key=number)] if before else 'sm_80'}+ptx"


def torch_of(python):
    """What PyTorch it has, and what is wrong with it; one of the two is empty."""
    said = subprocess.run([python, "-c", "import torch; print(torch.__version__, torch.cuda.is_available())"],
                          capture_output=True, text=True, check=False)
    if said.returncode != 0:
        return "", f"PyTorch is not installed for {python}"
    version, sees = said.stdout.split()[-2:]
    return (version, "") if sees == "True" else ("", f"PyTorch {version} sees no GPU")


def libraries():
    """What nvcc is told to find cuBLAS when a program starts."""
    found = nvcc()
    folder = pathlib.Path(found).resolve().parents[1] / "lib64" if found else None
    return ["-lcublas", *(["-Xlinker", "-rpath", "-Xlinker", str(folder)] if folder else [])]


def has_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0
