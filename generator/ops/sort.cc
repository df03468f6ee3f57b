// Implements sort, argsort, topk, median and the scans cumsum, cumprod.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/ranks.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

absl::Status CheckAxis(InferContext& c, const Call& call, const TensorInfo& x) {
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  if (x.ndim == ir::kUnknownRank) return absl::OkStatus();
  return NormalAxis(c, call, "axis", axis, x.ndim).status();
}

}  // namespace

Result InferSort(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(CheckAxis(c, call, *x));
  if (call.op()->name == "relax.sort") return c.InfoOf(call.args[0]);
  const DType dtype = FindDType(call, "dtype");
  return WithDType(c.ir(), *x, dtype.is_void() ? x->dtype : dtype);
}

absl::StatusOr<ir::PrimFunc> ComputeSort(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  const bool positions = call.op()->name == "relax.argsort";
  ir::BufferRef ranks = Ranks(te, x, axis, FindBool(call, "descending"));
  ir::BufferRef out = te.Allocate("out", x->shape, te.result_dtype());
  te.Assign("place", out, x->shape, [&](const Indices& at) {
    Indices to = at;
    to[axis] = te.At(ranks, at);
    return Te::Store{to, positions ? at[axis] : te.At(x, at)};
  });
  return te.Finish({out});
}

// The first k elements in order, or all when there are fewer or k is 0.
Result InferTopk(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(CheckAxis(c, call, *x));
  LATHE_ASSIGN_OR_RETURN(const int64_t k, NeedInt(c, call, "k"));
  LATHE_ASSIGN_OR_RETURN(const std::string kind,
                         NeedOneOf(c, call, "ret_type", {"both", "values", "indices"}));
  TensorInfo kept = *x;
  kept.shape = std::monostate();
  if (const Dims* from = DimsOf(c, *x)) {
    Dims dims = *from;
    PrimRef& dim = dims[FromFront(IntAttr(call, "axis"), x->ndim)];
    if (k > 0) dim = c.Simplify(c.ir().Make(ir::BinaryOp::kMin, dim, c.ir().Int(k)));
    kept.shape = std::move(dims);
  }
  StructInfoRef values = WithDType(c.ir(), kept, x->dtype);
  const DType dtype = FindDType(call, "dtype");
  StructInfoRef indices = WithDType(c.ir(), kept, dtype.is_void() ? x->dtype : dtype);
  if (kind == "both") return c.ir().Tuple({values, indices});
  return kind == "values" ? values : indices;
}

absl::StatusOr<ir::PrimFunc> ComputeTopk(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  ir::BufferRef ranks = Ranks(te, x, axis, FindBool(call, "largest"));
  // Sorts all elements and returns the first ones.
  const auto ordered = [&](bool positions, DType dtype) {
    ir::BufferRef all = te.Allocate("ordered", x->shape, dtype);
    te.Assign("place", all, x->shape, [&](const Indices& at) {
      Indices to = at;
      to[axis] = te.At(ranks, at);
      return Te::Store{to, positions ? at[axis] : te.At(x, at)};
    });
    return te.Compute("out", te.result_dims(), dtype,
                      [&](const Indices& at) { return te.At(all, at); });
  };
  const std::string kind = FindString(call, "ret_type");
  std::vector<ir::BufferRef> outputs;
  if (kind != "indices") outputs.push_back(ordered(false, x->dtype));
  if (kind != "values") {
    outputs.push_back(ordered(true, te.result_dtype(kind == "both" ? 1 : 0)));
  }
  return te.Finish(outputs);
}

// The middle element, or the lower of two.
absl::StatusOr<ir::PrimFunc> ComputeMedian(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const std::optional<std::vector<int64_t>> axes = FindInts(call, "axis");
  std::vector<bool> gone(ndim, !axes.has_value());
  if (axes.has_value()) {
    for (int64_t axis : *axes) gone[FromFront(axis, ndim)] = true;
  }
  Dims rows_dims, over;
  PrimRef length = m.Int(1);
  for (int i = 0; i < ndim; ++i) {
    (gone[i] ? over : rows_dims).push_back(x->shape[i]);
    if (gone[i]) length = m.Mul(length, x->shape[i]);
  }
  rows_dims.push_back(length);
  const int last = static_cast<int>(rows_dims.size()) - 1;
  ir::BufferRef rows = te.Compute("rows", rows_dims, x->dtype, [&](const Indices& at) {
    const Indices inside = m.Unflatten(at.back(), over);
    Indices from;
    for (size_t i = 0, kept = 0, reduced = 0; i < gone.size(); ++i) {
      from.push_back(gone[i] ? inside[reduced++] : at[kept++]);
    }
    return te.At(x, from);
  });
  ir::BufferRef ranks = Ranks(te, rows, last, false);
  const bool some = std::all_of(over.begin(), over.end(), [](PrimRef extent) {
    const int64_t* known = AsInt(extent);
    return known != nullptr && *known > 0;
  });
  const auto middle = [&](bool position, int result) {
    const DType dtype = te.result_dtype(result);
    ir::BufferRef ordered = te.Allocate("ordered", rows_dims, dtype);
    te.Assign("place", ordered, rows_dims, [&](const Indices& at) {
      Indices to = at;
      to.back() = te.At(ranks, at);
      return Te::Store{to, position ? at.back() : te.At(rows, at)};
    });
    return te.Compute("out", te.result_dims(result), dtype, [&](const Indices& at) {
      const bool keeps = FindBool(call, "keepdims");
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        if (!keeps || !gone[i]) from.push_back(at[i]);
      }
      from.push_back(m.FloorDiv(m.Sub(length, m.Int(1)), m.Int(2)));
      const PrimRef found = te.At(ordered, from);
      if (some) return found;
      // An empty axis gives NaN (0 for integers) and the index -1.
      const PrimRef nothing = m.Const(position ? -1 : dtype.is_floating() ? NAN : 0, dtype);
      return m.IfThenElse(m.Lt(m.Int(0), length), found, nothing);
    });
  };
  std::vector<ir::BufferRef> outputs = {middle(false, 0)};
  if (te.results().size() > 1) outputs.push_back(middle(true, 1));
  return te.Finish(outputs);
}

// Without an axis, of the flat tensor.
Result InferCumulative(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  DType dtype = FindDType(call, "dtype");
  if (dtype.is_void()) dtype = x->dtype;
  if (!IsNone(call, "axis")) {
    LATHE_RETURN_IF_ERROR(CheckAxis(c, call, *x));
    return WithDType(c.ir(), *x, dtype);
  }
  if (x->dims() == nullptr) return c.ir().Tensor(1, dtype, x->vdevice);
  return c.ir().Tensor(Dims{Product(c, *x->dims())}, dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeCumulative(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const DType dtype = te.result_dtype();
  const std::optional<int64_t> written = FindInt(call, "axis");
  const int axis = FromFront(written.value_or(0), static_cast<int>(te.result_dims().size()));
  const bool sum = call.op()->name == "relax.cumsum";
  const Reducer reducer = sum ? te.Sum(dtype) : te.Prod(dtype);
  const bool exclusive = FindBool(call, "exclusive");
  const auto element = [&](const Indices& at) {
    return te.At(x, written.has_value() ? at : m.Unflatten(at[0], x->shape));
  };
  return te.Finish({te.Scan("out", te.result_dims(), axis, reducer, [&](const Indices& at) {
    if (!exclusive) return element(at);
    Indices before = at;
    before[axis] = m.Sub(at[axis], m.Int(1));
    const PrimRef first = m.Eq(at[axis], m.Int(0));
    return m.IfThenElse(first, m.Cast(reducer.identity[0], x->dtype), element(before));
  })});
}

}  // namespace lathe::ops
