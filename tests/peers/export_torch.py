#!/usr/bin/env python3
"""Exports architectures of PyTorch with random weights: export_torch.py FOLDER [NAME...] [--lathe LATHE]

Writes FOLDER/NAME/model.onnx for each by torch.onnx.export(dynamo=True), with dynamic batch and length, and
sizes.json for compare_models.py. With --lathe, runs that script, which compiles the models and compares them
with ONNX Runtime. Ends with 77 where Python's torch, onnxscript or onnxruntime is missing.
"""
import argparse
import json
import pathlib
import subprocess
import sys

try:
    import onnxruntime  # noqa: F401
    import onnxscript  # noqa: F401
    import torch

    import torch_audio
    import torch_images
    import torch_text
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MODELS = {**torch_images.MODELS, **torch_audio.MODELS, **torch_text.MODELS}


def export(name, folder):
    torch.manual_seed(1)
    net, inputs, dynamic, sizes = MODELS[name]()
    program = torch.onnx.export(net.eval(), tuple(inputs.values()), input_names=list(inputs), dynamo=True,
                                dynamic_shapes=tuple(dynamic.get(i) for i in inputs), verbose=False)
    path = folder / name / "model.onnx"
    path.parent.mkdir(parents=True, exist_ok=True)
    program.save(str(path), external_data=False)
    (path.parent / "sizes.json").write_text(json.dumps(sizes, indent=1) + "\n")
    print(path, path.stat().st_size, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help=", ".join(MODELS))
    parser.add_argument("--lathe")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in MODELS]
    if unknown:
        parser.error(f"unknown models {', '.join(unknown)}; the models are {', '.join(MODELS)}")
    failed = 0
    for name in options.names or MODELS:
        try:
            export(name, options.folder)
        except Exception as error:  # whatever the exporter does not know
            failed += 1
            print(f"{name}: not exported: {type(error).__name__}: {str(error)[:300]}", flush=True)
    if options.lathe:
        script = pathlib.Path(__file__).with_name("compare_models.py")
        failed += subprocess.run([sys.executable, "-B", script, options.lathe, options.folder, "--seconds", "0"]).returncode
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
