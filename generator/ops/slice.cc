// Implements slices by begin, end and stride: strided_slice, dynamic_strided_slice.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Larger than any dimension: such a bound means "to the end".
constexpr int64_t kBeyond = int64_t{1} << 48;

// `index`, counted from the end when negative, and clamped to the range of a slice with `stride`.
PrimRef ClampIndex(ScalarMath& m, PrimRef index, PrimRef extent, bool down) {
  const PrimRef first = m.Int(down ? -1 : 0);
  const PrimRef last = down ? m.Sub(extent, m.Int(1)) : extent;
  const int64_t* known = AsInt(index);
  if (known != nullptr && *known >= kBeyond) return last;
  if (known != nullptr && *known <= -kBeyond) return first;
  if (known == nullptr) {
    index = m.Select(m.Lt(index, m.Int(0)), m.Add(index, extent), index);
  } else if (*known < 0) {
    index = m.Add(extent, index);
  }
  return m.Min(m.Max(index, first), last);
}

struct Slice {
  PrimRef begin = nullptr;
  PrimRef stride = nullptr;
  PrimRef length = nullptr;
};

// The absolute stride, limited to the largest dimension.
PrimRef StepOf(ScalarMath& m, PrimRef stride, bool down) {
  if (const int64_t* known = AsInt(stride)) {
    return m.Int(down ? -std::max(*known, -kBeyond) : std::min(*known, kBeyond));
  }
  const PrimRef step = down ? m.Neg(m.Max(stride, m.Int(-kBeyond))) : m.Min(stride, m.Int(kBeyond));
  return m.Max(step, m.Int(1));
}

// The slice from begin to end; `down` for a negative stride.
Slice SliceAlong(ScalarMath& m, PrimRef begin, PrimRef end, PrimRef stride, PrimRef extent,
                 bool inbound, bool down) {
  if (!inbound) {
    begin = ClampIndex(m, begin, extent, down);
    end = ClampIndex(m, end, extent, down);
  }
  PrimRef distance = down ? m.Sub(begin, end) : m.Sub(end, begin);
  const PrimRef step = StepOf(m, stride, down);
  PrimRef length = m.FloorDiv(m.Add(distance, m.Sub(step, m.Int(1))), step);
  return {begin, stride, inbound ? length : m.Max(length, m.Int(0))};
}

// The slice that begin, end and stride select from a dimension of `extent`. The sign of an unknown
// stride is tested at run time.
Slice SliceOf(ScalarMath& m, PrimRef begin, PrimRef end, PrimRef stride, PrimRef extent,
              bool inbound) {
  begin = m.Cast(begin, DType::Int(64));
  end = m.Cast(end, DType::Int(64));
  if (const int64_t* known = AsInt(stride)) {
    return SliceAlong(m, begin, end, m.Int(*known), extent, inbound, *known < 0);
  }
  stride = m.Cast(stride, DType::Int(64));
  const Slice up = SliceAlong(m, begin, end, stride, extent, inbound, false);
  const Slice down = SliceAlong(m, begin, end, stride, extent, inbound, true);
  const PrimRef back = m.Lt(stride, m.Int(0));
  return {m.Select(back, down.begin, up.begin), stride, m.Select(back, down.length, up.length)};
}

// False when bounds that are assumed to be in range certainly are not; uncertain ones are checked
// at run time. A slice with a negative stride ends before the first element.
bool AreInBounds(InferContext& c, PrimRef begin, PrimRef end, PrimRef stride, PrimRef extent) {
  ScalarMath m(c.ir());
  begin = m.Cast(begin, DType::Int(64));
  end = m.Cast(end, DType::Int(64));
  const PrimRef back = m.Lt(stride, m.Int(0)), one = m.Int(1);
  const PrimRef least = c.Simplify(m.Select(back, m.Add(end, one), begin));
  const PrimRef most = c.Simplify(m.Select(back, m.Add(begin, one), end));
  const bool starts = c.CanBeAtMost(m.Int(0), least);
  return c.CanBeAtMost(most, extent) && starts;
}

// The bounds as tuples of scalars; strides are 1 by default.
struct Bounds {
  std::vector<PrimRef> axes, begin, end, strides;
};

absl::StatusOr<Bounds> BoundsArgs(InferContext& c, const Call& call) {
  Bounds b;
  LATHE_ASSIGN_OR_RETURN(b.axes, PrimTupleArg(c, call, 1));
  LATHE_ASSIGN_OR_RETURN(b.begin, PrimTupleArg(c, call, 2));
  LATHE_ASSIGN_OR_RETURN(b.end, PrimTupleArg(c, call, 3));
  b.strides.assign(b.axes.size(), c.ir().Int(1));
  if (call.args.size() > 4) {
    LATHE_ASSIGN_OR_RETURN(b.strides, PrimTupleArg(c, call, 4));
  }
  for (const std::vector<PrimRef>* list : {&b.begin, &b.end, &b.strides}) {
    if (list->size() == b.axes.size()) continue;
    return c.Error("op-argument-shape")
           << SurfaceName(call) << " has " << CountOf(b.axes.size(), "axis", "axes") << ", "
           << b.begin.size() << " begins, " << b.end.size() << " ends and " << b.strides.size()
           << " strides";
  }
  for (PrimRef stride : b.strides) {
    if (stride != nullptr && !c.CanDiffer(stride, c.ir().Int(0, stride->dtype()))) {
      return c.Error("op-argument-shape") << "a stride of " << SurfaceName(call) << " is 0";
    }
  }
  return b;
}

bool AllKnown(const std::vector<PrimRef>& list) {
  return std::find(list.begin(), list.end(), nullptr) == list.end();
}

}  // namespace

Result InferStridedSlice(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const Bounds b, BoundsArgs(c, call));
  if (b.axes.empty()) return c.InfoOf(call.args[0]);
  StructInfoRef rank_only = c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  std::vector<int64_t> written;
  for (PrimRef axis : b.axes) {
    const int64_t* known = AsInt(axis);
    if (known == nullptr) return rank_only;
    written.push_back(*known);
  }
  if (x->ndim == ir::kUnknownRank) return rank_only;
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes,
                         NormalAxes(c, call, "axes", written, x->ndim));
  const Dims* from = DimsOf(c, *x);
  if (from == nullptr || !AllKnown(b.begin) || !AllKnown(b.end)) return rank_only;
  const bool inbound = FindBool(call, "assume_inbound");
  ScalarMath m(c.ir());
  Dims dims = *from;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (b.strides[i] == nullptr) return rank_only;
    const PrimRef extent = dims[axes[i]];
    dims[axes[i]] =
        c.Simplify(SliceOf(m, b.begin[i], b.end[i], b.strides[i], extent, inbound).length);
    if (const int64_t* length = AsInt(dims[axes[i]]); length != nullptr && *length < 0) {
      return c.Error("op-argument-shape")
             << SurfaceName(call) << " of " << c.Show(call.args[0]) << " assumes bounds in range, "
             << "but on axis " << axes[i] << " they select " << *length << " elements";
    }
    if (inbound && !AreInBounds(c, b.begin[i], b.end[i], b.strides[i], extent)) {
      return c.Error("op-argument-shape")
             << SurfaceName(call) << " of " << c.Show(call.args[0]) << " assumes bounds in range, "
             << "but on axis " << axes[i] << " they exceed it";
    }
  }
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputeStridedSlice(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  std::vector<std::vector<PrimRef>> lists;
  for (size_t i = 1; i < call.args.size(); ++i) {
    std::vector<PrimRef> list;
    StructInfoRef info = c.InfoOf(call.args[i]);
    if (const auto* shape = info->As<ir::ShapeInfo>(); shape != nullptr && shape->values) {
      list = *shape->values;
    }
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      for (StructInfoRef field : tuple->fields) list.push_back(field->As<ir::PrimInfo>()->value);
    }
    if (!AllKnown(list)) return absl::UnimplementedError("a bound of the slice is not known");
    lists.push_back(std::move(list));
  }
  if (lists.size() == 3) lists.emplace_back(lists[0].size(), m.Int(1));
  std::vector<Slice> slices(x->shape.size());
  for (size_t i = 0; i < lists[0].size(); ++i) {
    const int axis = FromFront(*AsInt(lists[0][i]), static_cast<int>(x->shape.size()));
    slices[axis] = SliceOf(m, lists[1][i], lists[2][i], lists[3][i], x->shape[axis],
                           FindBool(call, "assume_inbound"));
  }
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices from = at;
    for (size_t i = 0; i < from.size(); ++i) {
      if (slices[i].begin == nullptr) continue;
      from[i] = m.Add(m.Mul(at[i], slices[i].stride), slices[i].begin);
    }
    return te.At(x, from);
  })});
}

// The bounds are tensors with one number per dimension; the size of the result is known at run time
// only.
Result InferDynamicStridedSlice(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  const int ndim = x[0]->ndim;
  for (int i = 1; i < 4 && ndim != ir::kUnknownRank; ++i) {
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x[i], 1));
    if (!x[i]->dtype.is_void() && x[i]->dtype != DType::Int(64)) {
      return c.Error("op-argument-dtype")
             << DescribeArg(c, call, i) << " must be int64, got " << ToString(x[i]->dtype);
    }
    const int64_t* length = x[i]->dims() == nullptr ? nullptr : AsInt(x[i]->dims()->front());
    if (length != nullptr && *length != ndim) {
      return c.Error("op-argument-shape") << DescribeArg(c, call, i) << " must have "
                                          << CountOf(ndim, "number") << ", one for each "
                                          << "dimension of the data, got " << *length;
    }
  }
  return c.ir().Tensor(ndim, x[0]->dtype, x[0]->vdevice);
}

}  // namespace lathe::ops
