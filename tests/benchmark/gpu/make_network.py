#!/usr/bin/env python3
"""A network for gpu_speed.py and inputs that it can have: make_network.py NAME FOLDER INPUTS.npz SIZES, sizes as JSON.

Writes FOLDER/NAME/model.onnx, as tests/peers/export_models.py makes it, where it is not there yet, and INPUTS.npz where
random numbers of any size would be none that it takes. Needs numpy and onnx.
"""
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "peers"))
import export_models  # noqa: E402

name, folder, inputs, sizes = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
builder, about = export_models.MODELS[name]()
if not (folder / name / "model.onnx").exists():
    builder.save(folder)
if "limits" in about:
    random, shape = np.random.RandomState(1), (sizes["batch"], sizes["sequence"])
    drawn = {port: random.randint(0, limit, shape) for port, limit in about["limits"].items()}
    drawn["attention_mask"] = np.ones(shape, np.int64)
    np.savez(inputs, **drawn)
