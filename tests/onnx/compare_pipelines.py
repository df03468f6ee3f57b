#!/usr/bin/env python3
"""Classical models against ONNX Runtime: compare_pipelines.py LATHE [--only TEXT] [--rows N] [--compiled]

Trains models and pipelines of scikit-learn, LightGBM and XGBoost on random data, exports them with
skl2onnx and onnxmltools, and runs them with ONNX Runtime and with `lathe run`, on 1, 7 and N rows.
Labels must be equal, and scores within 1e-6, relative and absolute. Scores of support vector
machines are sums of large terms of both signs, so they must be within 1e-7 of the sum of the
magnitudes of the coefficients; ONNX Runtime is no closer to the exact sum than that. With --compiled, `lathe validate`
also compiles each model for any number of rows and compares the C with the interpreter. The exit
code is 1 when something differs, and 77 when a package is missing:

    python3 -m venv /tmp/skl && /tmp/skl/bin/pip install scikit-learn skl2onnx onnxruntime \\
        onnxmltools lightgbm xgboost
    /tmp/skl/bin/python tests/onnx/compare_pipelines.py build/fast/bin/lathe --compiled
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    import onnxruntime
    import sklearn
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from sklearn import (calibration, compose, ensemble, feature_selection, impute, linear_model, naive_bayes,
                     neighbors, neural_network, pipeline, preprocessing, svm, tree)

warnings.filterwarnings("ignore")
TARGETS = {"": 18, "ai.onnx.ml": 3}
FEATURES = 5


def numbers(rows, seed):
    return np.random.RandomState(seed).standard_normal((rows, FEATURES)).astype(np.float32)


def classes(x, count):
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.3 * np.sin(5 * x[:, 3])
    return np.searchsorted(np.quantile(score, np.arange(1, count) / count), score)


def names(labels):
    return np.array(["setosa", "versicolor", "virginica", "other one"])[labels]


def classifiers():
    forest = ensemble.RandomForestClassifier
    yield "tree", tree.DecisionTreeClassifier(max_depth=6, random_state=0)
    yield "forest", forest(20, max_depth=8, random_state=0)
    yield "forest, full depth", forest(10, random_state=0)
    yield "extra trees", ensemble.ExtraTreesClassifier(10, max_depth=6, random_state=0)
    yield "boosting", ensemble.GradientBoostingClassifier(n_estimators=20, random_state=0)
    yield "histogram boosting", ensemble.HistGradientBoostingClassifier(max_iter=20)
    yield "bagging", ensemble.BaggingClassifier(n_estimators=5, random_state=0)
    yield "ada boost", ensemble.AdaBoostClassifier(n_estimators=5, random_state=0)
    yield "voting", ensemble.VotingClassifier(
        [("a", linear_model.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=4))], voting="soft", flatten_transform=False)
    yield "stacking", ensemble.StackingClassifier(
        [("a", linear_model.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=4))])
    yield "logistic regression", linear_model.LogisticRegression()
    yield "SGD", linear_model.SGDClassifier(loss="log_loss", random_state=0)
    yield "perceptron", linear_model.Perceptron()
    yield "ridge", linear_model.RidgeClassifier()
    yield "linear SVC", svm.LinearSVC()
    yield "calibrated", calibration.CalibratedClassifierCV(svm.LinearSVC(), cv=2)
    for kernel in ("linear", "poly", "rbf", "sigmoid"):
        yield f"SVC {kernel}", svm.SVC(kernel=kernel)
        yield f"SVC {kernel} with probability", svm.SVC(kernel=kernel, probability=True, random_state=0)
    yield "SVC poly of degree 2", svm.SVC(kernel="poly", degree=2, coef0=0.5)
    yield "SVC poly of degree 5", svm.SVC(kernel="poly", degree=5, coef0=0.5)
    yield "nu SVC", svm.NuSVC(nu=0.2)
    yield "naive Bayes", naive_bayes.GaussianNB()
    yield "Bernoulli naive Bayes", naive_bayes.BernoulliNB()
    yield "nearest neighbors", neighbors.KNeighborsClassifier(3)
    yield "perceptrons", neural_network.MLPClassifier((8, 8), max_iter=200, random_state=0)


def regressors():
    yield "tree", tree.DecisionTreeRegressor(max_depth=6, random_state=0)
    yield "forest", ensemble.RandomForestRegressor(20, max_depth=8, random_state=0)
    yield "boosting", ensemble.GradientBoostingRegressor(n_estimators=20, random_state=0)
    yield "histogram boosting", ensemble.HistGradientBoostingRegressor(max_iter=20)
    yield "linear", linear_model.LinearRegression()
    yield "lasso", linear_model.Lasso(0.01)
    yield "SVR", svm.SVR()
    yield "SVR linear", svm.SVR(kernel="linear")
    yield "SVR poly", svm.SVR(kernel="poly")
    yield "nu SVR", svm.NuSVR()
    yield "nearest neighbors", neighbors.KNeighborsRegressor(3)
    yield "perceptrons", neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=200, random_state=0)
    yield "linear SVR", svm.LinearSVR()


def preparations():
    yield "scaler", preprocessing.StandardScaler()
    yield "min-max", preprocessing.MinMaxScaler()
    yield "robust", preprocessing.RobustScaler()
    yield "max-abs", preprocessing.MaxAbsScaler()
    for norm in ("l1", "l2"):
        yield f"normalizer {norm}", preprocessing.Normalizer(norm)
    yield "binarizer", preprocessing.Binarizer(threshold=0.3)
    yield "polynomials", preprocessing.PolynomialFeatures(2)
    yield "bins", preprocessing.KBinsDiscretizer(4, encode="onehot-dense")
    yield "selection", feature_selection.SelectKBest(k=3)
    yield "imputer", impute.SimpleImputer()


class Case:
    """A model, and the inputs for a number of rows and a seed."""

    def __init__(self, name, model, inputs):
        self.name, self.model, self.inputs = name, model, inputs


def dense(name, estimator, y_of, options=None):
    x = numbers(400, 1)
    estimator.fit(x, y_of(x))
    model = to_onnx(estimator, x[:1], target_opset=TARGETS, options=options)
    return Case(name, model, lambda rows, seed: {"X": numbers(rows, seed)})


def missing(rows, seed):
    x = numbers(rows, seed)
    x[np.random.RandomState(seed + 1).rand(*x.shape) < 0.2] = np.nan
    return x


def columns():
    """A table with numbers, missing numbers and a column of words."""
    words = np.array(["red", "green", "blue", "a longer word"])
    steps = compose.ColumnTransformer([
        ("numbers", pipeline.make_pipeline(impute.SimpleImputer(), preprocessing.StandardScaler()), [0, 1, 2, 3, 4]),
        ("words", preprocessing.OneHotEncoder(handle_unknown="ignore"), [5]),
    ])

    def frame(rows, seed):
        colors = words[np.random.RandomState(seed + 2).randint(0, 3 if seed == 1 else 4, rows)]
        return missing(rows, seed), colors.reshape(-1, 1)

    model = pipeline.make_pipeline(steps, linear_model.LogisticRegression())
    x, colors = frame(400, 1)
    y = classes(np.nan_to_num(x) + (colors == "red"), 3)
    model.fit(np.concatenate([x.astype(object), colors], axis=1), names(y))
    types = [("x", FloatTensorType([None, FEATURES])), ("color", StringTensorType([None, 1]))]
    exported = to_onnx(model, initial_types=types, target_opset=TARGETS)
    return Case("columns with words", exported, lambda rows, seed: dict(zip(("x", "color"), frame(rows, seed))))


def boosters():
    try:
        import lightgbm
        import onnxmltools
        import xgboost
        from onnxmltools.convert.common.data_types import FloatTensorType as Floats
    except ImportError as none:
        print(f"without LightGBM and XGBoost: {none}")
        return
    x = numbers(400, 1)
    types = [("X", Floats([None, FEATURES]))]
    for count in (2, 3):
        y = classes(x, count)
        for name, model, convert in (
                ("LightGBM", lightgbm.LGBMClassifier(n_estimators=10, verbose=-1), onnxmltools.convert_lightgbm),
                ("XGBoost", xgboost.XGBClassifier(n_estimators=10), onnxmltools.convert_xgboost)):
            model.fit(x, y)
            yield Case(f"{name}, {count} classes", convert(model, initial_types=types, target_opset=15),
                       lambda rows, seed: {"X": missing(rows, seed)})
    y = x[:, 0] + x[:, 1] * x[:, 2]
    for name, model, convert in (
            ("LightGBM", lightgbm.LGBMRegressor(n_estimators=10, verbose=-1), onnxmltools.convert_lightgbm),
            ("XGBoost", xgboost.XGBRegressor(n_estimators=10), onnxmltools.convert_xgboost)):
        model.fit(x, y)
        yield Case(f"{name}, regression", convert(model, initial_types=types, target_opset=15),
                   lambda rows, seed: {"X": missing(rows, seed)})


def cases():
    """Functions that make a case, by name: exporters fail for some models, which is reported."""
    for name, model in classifiers():
        for count in (2, 3):
            yield f"{name}, {count} classes", lambda m=model, c=count, k=name: dense(
                f"{k}, {c} classes", sklearn.base.clone(m), lambda x: classes(x, c))
    for name in ("forest", "logistic regression", "SVC rbf", "boosting", "naive Bayes", "nearest neighbors"):
        model = dict(classifiers())[name]
        for count in (2, 3):
            yield f"{name}, {count} words", lambda m=model, c=count, k=name: dense(
                f"{k}, {c} words", sklearn.base.clone(m), lambda x: names(classes(x, c)))
    yield "forest, scores as a matrix", lambda: dense(
        "forest, scores as a matrix", ensemble.RandomForestClassifier(5, max_depth=4, random_state=0),
        lambda x: classes(x, 3), {"zipmap": False})
    for name, model in regressors():
        yield f"{name}, regression", lambda m=model, k=name: dense(
            f"{k}, regression", m, lambda x: x[:, 0] + x[:, 1] * x[:, 2])
    yield "forest, 3 targets", lambda: dense(
        "forest, 3 targets", ensemble.RandomForestRegressor(5, max_depth=5, random_state=0),
        lambda x: x[:, :3] * x[:, 1:4])
    yield "linear, 3 targets", lambda: dense("linear, 3 targets", linear_model.LinearRegression(),
                                             lambda x: x[:, :3] * x[:, 1:4])
    yield "one-class SVM", lambda: dense("one-class SVM", svm.OneClassSVM(nu=0.2), lambda x: None)
    yield "isolation forest", lambda: dense(
        "isolation forest", ensemble.IsolationForest(n_estimators=5, random_state=0), lambda x: None)
    for name, model in preparations():
        yield f"{name}, logistic regression", lambda m=model, k=name: dense(
            f"{k}, logistic regression", pipeline.make_pipeline(m, linear_model.LogisticRegression()),
            lambda x: classes(x, 3))
    yield "columns with words", columns
    boosted = boosters()
    for case in boosted:
        yield case.name, lambda c=case: c


def bytes_of(strings):
    """Strings as rows of bytes, as Lathe stores them."""
    flat = [s.encode() for s in strings.ravel()]
    width = max(len(s) for s in flat)
    rows = np.zeros((len(flat), width), np.uint8)
    for row, text in zip(rows, flat):
        row[:len(text)] = list(text)
    return rows.reshape(strings.shape + (width,))


def strings_of(rows):
    flat = rows.reshape(-1, rows.shape[-1])
    return np.array([bytes(r).rstrip(b"\0").decode() for r in flat]).reshape(rows.shape[:-1])


def tolerance(model):
    """1e-6, or more for support vector machines."""
    sums = [0]
    for node in model.graph.node:
        attributes = {a.name: list(a.floats) for a in node.attribute}
        if node.op_type.startswith("SVM"):
            sums.append(sum(abs(c) for c in attributes["coefficients"]))
    return max(1e-6, 1e-7 * max(sums))


def differ(wanted, got, limit):
    """Says how a result differs; an empty string if it does not."""
    if isinstance(wanted, list):  # maps
        wanted = np.array([list(row.values()) for row in wanted])
    if wanted.dtype.kind in "OU":
        got = strings_of(got)
    if wanted.size != got.size:
        return f"{got.shape} for {wanted.shape}"
    got = got.reshape(wanted.shape)
    if wanted.dtype.kind in "OUi":
        count = int(np.sum(wanted != got))
        return f"{count} of {wanted.size} labels differ" if count else ""
    far = np.abs(wanted - got) > limit * np.maximum(1, np.abs(wanted))
    far |= np.isnan(wanted) != np.isnan(got)
    return f"{int(far.sum())} of {wanted.size} scores differ, by {np.nanmax(np.abs(wanted - got)):g}" if far.any() else ""


def compare(case, lathe, folder, rows, compiled):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(case.model.SerializeToString(), options)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    lines = []
    for count in (1, 7, rows):
        inputs = case.inputs(count, 5)
        fed = {k: v.astype(object) if v.dtype.kind in "OU" else v for k, v in inputs.items()}
        wanted = session.run(None, fed)
        np.savez(folder / "in.npz", **{k: bytes_of(v) if v.dtype.kind in "OU" else v for k, v in inputs.items()})
        verbs = [["run", "--input", "in.npz", "-o", "out.npz"]]
        if compiled:
            verbs.append(["validate", "--data", "in.npz", "--cflags=-O1"])
        for verb in verbs:
            run = subprocess.run([lathe, verb[0], "model.onnx", *verb[1:]], cwd=folder, capture_output=True, text=True)
            if run.returncode != 0:
                text = (run.stderr + run.stdout).strip().splitlines()
                return [f"{verb[0]} ends with {run.returncode}: {text[0] if text else ''}"]
        arrays = np.load(folder / "out.npz")
        for output, want, name in zip(session.get_outputs(), wanted, arrays.files):
            line = differ(want, arrays[name], tolerance(case.model))
            if line:
                lines.append(f"{count} rows, {output.name}: {line}")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lathe")
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--compiled", action="store_true")
    args = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    same, failed, unexported = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in cases():
            if args.only not in name:
                continue
            try:
                case = make()
            except Exception as error:  # the exporter does not support the model
                unexported.append(f"{name}: {str(error).splitlines()[0][:100]}")
                continue
            lines = compare(case, str(pathlib.Path(args.lathe).resolve()), pathlib.Path(folder), args.rows,
                            args.compiled)
            failed += bool(lines)
            same += not lines
            for line in lines:
                print(f"{name}: {line}", flush=True)
    for line in unexported:
        print(f"not exported: {line}")
    print(f"{same} models equal, {failed} different, {len(unexported)} not exported")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
