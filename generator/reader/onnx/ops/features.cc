// Imports operators of ai.onnx.ml that prepare features: selection, scaling, normalization,
// imputation.
#include <algorithm>
#include <cmath>
#include <string>

#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

const DType kFeature = DType::Float(32);

// A list of one value for all features or of one for each; `list` names it.
absl::Status NeedPerFeature(NodeCall& n, const char* list, size_t length, PrimRef features) {
  if (length == 1) return absl::OkStatus();
  const auto known = NodeCall::IntOf(features);
  if (length != 0 && (!known || *known == static_cast<int64_t>(length))) return absl::OkStatus();
  return n.Error() << "attribute '" << list << "' has " << length << " elements for "
                   << (known ? std::to_string(*known) : "any number of")
                   << " features; it needs one, or one for each";
}

// The entry of a table of one value or of one per feature, for the element at `at`.
PrimRef PerFeature(Te& te, int input, const Indices& at) {
  const bool one = NodeCall::IntOf(te.Input(input)->shape[0]) == 1;
  return te.At(te.Input(input), {one ? te.math().Int(0) : at.back()});
}

void NeedFeatures(Te& te, PrimRef features, size_t length) {
  if (length == 1 || NodeCall::IntOf(features)) return;
  te.Need(te.math().Eq(features, te.math().Int(static_cast<int64_t>(length))),
          "the input needs as many features as the model");
}

}  // namespace

absl::StatusOr<Results> ImportBinarizer(NodeCall& n) {
  const double threshold = n.Float("threshold", 0);
  return n.Elementwise("binarizer", {n.In(0)}, [&](ScalarMath& m, const Scalars& x) {
    const DType t = x[0]->dtype();
    // A threshold of integers may be a fraction.
    const DType real = t.is_floating() ? t : DType::Float(64);
    const PrimRef above = m.Lt(m.Const(threshold, real), m.Cast(x[0], real));
    return m.Select(above, m.Const(1, t), m.Const(0, t));
  });
}

absl::StatusOr<Results> ImportArrayFeatureExtractor(NodeCall& n) {
  const Operand x = n.In(0), which = n.In(1);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  Dims dims = n.DimsOf(x);
  const Dims by = n.DimsOf(which);
  dims.back() = n.Product(by, 0, by.size());
  if (dims.size() == 1) dims.insert(dims.begin(), n.ir().Int(1));
  const bool flat = n.Rank(x) == 1;
  return n.Kernel("features", {x, which}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, n.TypeOf(x), [&](Indices at) {
      const PrimRef index = m.Cast(te.At(te.Input(1), m.Unflatten(at.back(), by)), DType::Int(64));
      at.back() = index;
      if (flat) at.erase(at.begin());
      return te.At(te.Input(0), at);
    });
  });
}

absl::StatusOr<Results> ImportScaler(NodeCall& n) {
  const std::vector<double> offset = n.Floats("offset", {0}), scale = n.Floats("scale", {1});
  const Operand x = n.Cast(n.In(0), kFeature);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  const Dims dims = n.DimsOf(x);
  const PrimRef features = dims.back();
  LATHE_RETURN_IF_ERROR(NeedPerFeature(n, "offset", offset.size(), features));
  LATHE_RETURN_IF_ERROR(NeedPerFeature(n, "scale", scale.size(), features));
  const Operands args = {x, NumberTable(n, offset, kFeature), NumberTable(n, scale, kFeature)};
  return n.Kernel("scaler", args, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedFeatures(te, features, std::max(offset.size(), scale.size()));
    return te.Compute("out", dims, kFeature, [&](const Indices& at) {
      const PrimRef moved = m.Sub(te.At(te.Input(0), at), PerFeature(te, 1, at));
      return m.Mul(moved, PerFeature(te, 2, at));
    });
  });
}

absl::StatusOr<Results> ImportImputer(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  const Dims dims = n.DimsOf(x);
  const DType t = n.TypeOf(x);
  const bool ints = t.is_integer();
  const std::vector<int64_t> whole = n.Ints("imputed_value_int64s");
  const std::vector<double> reals = n.Floats("imputed_value_floats");
  const size_t length = ints ? whole.size() : reals.size();
  const PrimRef features = dims.back();
  LATHE_RETURN_IF_ERROR(
      NeedPerFeature(n, ints ? "imputed_value_int64s" : "imputed_value_floats", length, features));
  const Operand table = ints ? n.Cast(IntTable(n, whole), t) : NumberTable(n, reals, t);
  const double replaced = n.Float("replaced_value_float", 0);
  const int64_t replaced_whole = n.Int("replaced_value_int64", 0);
  return n.Kernel("imputer", {x, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedFeatures(te, features, length);
    return te.Compute("out", dims, t, [&](const Indices& at) {
      const PrimRef value = te.At(te.Input(0), at);
      PrimRef missing = m.Ne(value, value);
      if (ints) {
        missing = m.Eq(m.Cast(value, DType::Int(64)), m.Int(replaced_whole));
      } else if (!std::isnan(replaced)) {
        missing = m.Eq(value, m.Const(replaced, t));
      }
      return m.Select(missing, PerFeature(te, 1, at), value);
    });
  });
}

// Divides each row by its maximum, by the sum of its magnitudes, or by its length. A row for which
// this is zero stays as it is.
absl::StatusOr<Results> ImportNormalizer(NodeCall& n) {
  const std::string norm = n.String("norm", "MAX");
  if (norm != "MAX" && norm != "L1" && norm != "L2") {
    return n.Error() << "unknown norm '" << norm << "'; known: MAX, L1, L2";
  }
  const Operand given = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const Operand x, FeatureRows(n, given, kFeature));
  const Dims dims = n.DimsOf(x);
  const Operand out = n.Kernel("normalizer", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef zero = m.Const(0, kFeature);
    ir::BufferRef size =
        te.Reduce("size", {dims[0]}, {dims[1]}, norm == "MAX" ? te.Max(kFeature) : te.Sum(kFeature),
                  [&](const Indices& at, const Indices& r) {
                    const PrimRef value = te.At(te.Input(0), {at[0], r[0]});
                    if (norm == "MAX") return value;
                    return norm == "L1" ? m.Call("abs", {value}) : m.Mul(value, value);
                  });
    return te.Compute("out", dims, kFeature, [&](const Indices& at) {
      PrimRef by = te.At(size, {at[0]});
      if (norm == "L2") by = m.Call("sqrt", {by});
      by = m.Select(m.Eq(by, zero), m.Const(1, kFeature), by);
      return m.Div(te.At(te.Input(0), at), by);
    });
  });
  return n.Rank(given) == 1 ? n.Reshape(out, n.DimsOf(given)) : out;
}

// Joins the columns of the inputs. Each is cut, or padded with zeros, to its declared width.
absl::StatusOr<Results> ImportFeatureVectorizer(NodeCall& n) {
  std::vector<int64_t> widths = n.Ints("inputdimensions");
  if (widths.empty()) {
    for (int i = 0; i < n.inputs(); ++i) {
      const Dims dims = n.DimsOf(n.In(i));
      const auto width = dims.empty() ? std::nullopt : NodeCall::IntOf(dims.back());
      if (!width)
        return n.Unsupported() << "a symbolic width without 'inputdimensions' is not supported";
      widths.push_back(*width);
    }
  }
  if (std::ssize(widths) != n.inputs()) {
    return n.Error() << "'inputdimensions' has " << widths.size() << " elements for " << n.inputs()
                     << " inputs";
  }
  constexpr int64_t kMaxColumns = int64_t{1} << 24;
  Operands columns;
  for (int i = 0; i < n.inputs(); ++i) {
    const int64_t width = widths[static_cast<size_t>(i)];
    if (width < 0 || width > kMaxColumns) {
      return n.Error() << "element " << i << " of 'inputdimensions' is " << width;
    }
    LATHE_ASSIGN_OR_RETURN(const Operand x, FeatureRows(n, n.In(i), kFeature));
    const Dims dims = n.DimsOf(x);
    if (NodeCall::IntOf(dims[1]) == width) {
      columns.push_back(x);
      continue;
    }
    columns.push_back(n.Kernel("fit_columns", {x}, [&](Te& te) {
      ScalarMath& m = te.math();
      return te.Compute("out", {dims[0], m.Int(width)}, kFeature, [&](const Indices& at) {
        return m.IfThenElse(m.Lt(at[1], dims[1]), te.At(te.Input(0), at), m.Const(0, kFeature));
      });
    }));
  }
  if (columns.size() == 1) return columns[0];
  return n.Op("relax.concat", {Operand{ir::TupleExpr{columns}}}, {{"axis", int64_t{1}}});
}

}  // namespace lathe::onnx
