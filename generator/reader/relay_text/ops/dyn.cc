// Imports the operators whose shapes are tensors. Constants give the plain operator; for others the
// shape is read at run time.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/make_tensor.h"
#include "generator/reader/relay_text/ops/pad.h"
#include "generator/reader/relay_text/ops/reshape_codes.h"
#include "generator/reader/relay_text/ops/resize.h"
#include "generator/reader/relay_text/ops/run_time_list.h"
#include "generator/reader/relay_text/ops/slice_of.h"
#include "generator/reader/relay_text/ops/sort_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<int64_t> LengthOfList(OpCall& c, int i) {
  const Operand list = c.Arg(i);
  if (!c.status().ok()) return c.status();
  LATHE_RETURN_IF_ERROR(RequireRank(c, list, 1, absl::StrCat("argument ", i + 1)));
  const auto length = OpCall::IntOf(c.DimsOf(list)[0]);
  constexpr int64_t kMostRank = 16;
  if (!length || *length > kMostRank) {
    return c.Unsupported() << "a list of unknown length, or of more than " << kMostRank;
  }
  return *length;
}

absl::StatusOr<Dims> ShapeArgument(OpCall& c, int i) {
  if (const auto known = c.ConstantNumbers(i)) {
    Dims dims;
    constexpr double kMostSize = 1e15;
    for (const double size : *known) {
      if (!(size >= 0 && size <= kMostSize)) return c.Error() << "a size of " << size;
      dims.push_back(c.ir().Int(static_cast<int64_t>(size)));
    }
    return dims;
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t length, LengthOfList(c, i));
  return ShapeOfList(c, c.Arg(i), length);
}

Dims ComputedSizes(OpCall& c, const Operands& args, size_t count, const SizeFn& size) {
  const DType wide = DType::Int(64);
  const Operand list = c.Kernel("sizes", args, [&](Te& te) {
    ScalarMath& m = te.math();
    Scalars sizes;
    for (size_t i = 0; i < count; ++i) sizes.push_back(m.Cast(size(te, i), wide));
    return te.Compute("out", {m.Int(static_cast<int64_t>(count))}, wide, [&](const Indices& at) {
      PrimRef value = sizes[0];
      for (size_t i = 1; i < count; ++i) {
        value = m.Select(m.Eq(at[0], m.Int(static_cast<int64_t>(i))), sizes[i], value);
      }
      return value;
    });
  });
  return ShapeOfList(c, list, static_cast<int64_t>(count));
}

PrimRef ListElement(Te& te, int input, size_t k) {
  const PrimRef at = te.math().Int(static_cast<int64_t>(k));
  return te.math().Cast(te.At(te.Input(input), {at}), DType::Int(64));
}

namespace {

// The sizes that the codes in input 0 of a kernel give: 0 copies a dimension, -3 multiplies two,
// and -1 is the rest.
Scalars SizesOfCodes(Te& te, const Dims& from, PrimRef all, size_t count, bool allow_zero) {
  ScalarMath& m = te.math();
  const auto source = [&](PrimRef at) {
    PrimRef dim = m.Int(1);
    for (size_t k = 0; k < from.size(); ++k) {
      dim = m.Select(m.Eq(at, m.Int(static_cast<int64_t>(k))), from[k], dim);
    }
    return dim;
  };
  Scalars sizes;
  PrimRef cursor = m.Int(0);
  for (size_t i = 0; i < count; ++i) {
    const PrimRef code = ListElement(te, 0, i);
    const PrimRef merges = m.Eq(code, m.Int(-3));
    te.Need(m.Or(m.Le(m.Int(-1), code), merges), "dyn.reshape needs codes of at least -1, or -3");
    PrimRef size = m.Select(merges, m.Mul(source(cursor), source(m.Add(cursor, m.Int(1)))), code);
    if (!allow_zero) size = m.Select(m.Eq(code, m.Int(0)), source(cursor), size);
    sizes.push_back(size);
    cursor = m.Add(cursor, m.Select(merges, m.Int(2), m.Int(1)));
  }
  PrimRef others = m.Int(1);
  for (const PrimRef size : sizes) others = m.Mul(others, m.Max(size, m.Int(1)));
  const PrimRef rest = m.FloorDiv(all, others);
  for (PrimRef& size : sizes) size = m.Select(m.Eq(size, m.Int(-1)), rest, size);
  return sizes;
}

}  // namespace

absl::StatusOr<Operand> ImportDynReshape(OpCall& c) {
  const Operand x = c.Arg(0);
  const Dims from = c.DimsOf(x);
  if (const auto codes = c.ConstantInts(1)) {
    LATHE_ASSIGN_OR_RETURN(const Dims dims, ReshapedDims(c, from, *codes, c.Bool("allowzero")));
    return c.Reshape(x, dims);
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t length, LengthOfList(c, 1));
  if (length == 0) return c.Reshape(x, {});
  const bool allow_zero = c.Bool("allowzero");
  const PrimRef all = c.Product(from, 0, from.size());
  const auto count = static_cast<size_t>(length);
  const Dims dims = ComputedSizes(c, {c.Arg(1)}, count, [&](Te& te, size_t i) {
    return SizesOfCodes(te, from, all, count, allow_zero)[i];
  });
  return c.Reshape(x, dims);
}

absl::StatusOr<Operand> ImportDynBroadcastTo(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const Dims dims, ShapeArgument(c, 1));
  return SpreadTo(c, c.Arg(0), dims);
}

absl::StatusOr<Operand> ImportDynFull(OpCall& c) {
  const bool full = c.op() == "dyn.full";
  LATHE_ASSIGN_OR_RETURN(const Dims dims, ShapeArgument(c, full ? 1 : 0));
  if (!full) {
    const DType dtype = c.DTypeAttr("dtype").value_or(DType::Float(32));
    return Filled(c, dims, c.op() == "dyn.ones" ? 1 : 0, dtype);
  }
  LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(0), 0, "the value"));
  return FilledBy(c, c.Arg(0), dims, c.DTypeAttr("dtype").value_or(c.TypeOf(c.Arg(0))));
}

absl::StatusOr<Operand> ImportDynTile(OpCall& c) {
  Operand x = c.Arg(0);
  if (const auto reps = c.ConstantInts(1)) return Tiled(c, x, *reps);
  LATHE_ASSIGN_OR_RETURN(const int64_t length, LengthOfList(c, 1));
  Dims from = c.DimsOf(x);
  const size_t rank = std::max(from.size(), static_cast<size_t>(length));
  from.insert(from.begin(), rank - from.size(), c.ir().Int(1));
  x = c.Reshape(x, from);
  if (rank == 0) return x;
  const size_t first = rank - static_cast<size_t>(length);
  const Dims dims = ComputedSizes(c, {c.Arg(1)}, rank, [&](Te& te, size_t i) {
    return i < first ? from[i] : te.math().Mul(from[i], ListElement(te, 0, i - first));
  });
  return c.Kernel("tile", {x}, [&](Te& te) {
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices source;
      for (size_t i = 0; i < rank; ++i) source.push_back(te.math().FloorMod(at[i], from[i]));
      return te.At(te.Input(0), source);
    });
  });
}

namespace {

// A scalar argument as a size.
absl::StatusOr<PrimRef> SizeArgument(OpCall& c, int i) {
  const Operand x = c.Arg(i);
  const Dims dims = c.DimsOf(x);
  const bool single = dims.empty() || (dims.size() == 1 && OpCall::IntOf(dims[0]) == 1);
  if (!single) return c.Error() << "argument " << i + 1 << " has to be a scalar";
  if (const auto known = c.ConstantInts(i)) return c.ir().Int((*known)[0]);
  if (!c.status().ok()) return c.status();
  return ShapeOfList(c, c.Reshape(x, {c.ir().Int(1)}), 1)[0];
}

}  // namespace

absl::StatusOr<Operand> ImportDynOneHot(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PrimRef depth, SizeArgument(c, 3));
  return OneHot(c, c.Arg(0), c.Arg(1), c.Arg(2), depth);
}

absl::StatusOr<Operand> ImportDynTopk(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PrimRef k, SizeArgument(c, 1));
  if (const auto known = OpCall::IntOf(k)) return TopK(c, *known);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0))));
  LATHE_ASSIGN_OR_RETURN(const Operand sorted, TopK(c, 0));
  const bool both = c.Str("ret_type") == "both";
  Operands results;
  for (const Operand& all :
       both ? Operands{c.Field(sorted, 0), c.Field(sorted, 1)} : Operands{sorted}) {
    Dims dims = c.DimsOf(all);
    dims[static_cast<size_t>(axis)] = k;
    results.push_back(c.Kernel("first", {all}, [&](Te& te) {
      return te.Compute("out", dims, c.TypeOf(all),
                        [&](const Indices& at) { return te.At(te.Input(0), at); });
    }));
  }
  return both ? TupleOf(results) : results[0];
}

absl::StatusOr<Operand> ImportDynSqueeze(OpCall& c) {
  const auto axes = c.ConstantInts(1);
  if (!axes) return c.Unsupported() << "axes that are known only at run time";
  return Squeezed(c, c.Arg(0), axes);
}

absl::StatusOr<Operand> ImportDynExpandDims(OpCall& c) {
  const Operand x = c.Arg(0);
  const int64_t count = c.Int("num_newaxis");
  constexpr int64_t kMostAxes = 32;
  if (count < 0 || count > kMostAxes) return c.Error() << count << " new axes";
  Dims dims = c.DimsOf(x);
  const auto axes = c.ConstantInts(1);
  if (axes && axes->size() == 1) {
    LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis((*axes)[0], c.Rank(x) + 1));
    dims.insert(dims.begin() + axis, static_cast<size_t>(count), c.ir().Int(1));
    return c.Reshape(x, dims);
  }
  LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(1), 0, "the axis"));
  const auto rank = static_cast<int64_t>(dims.size());
  const auto size_at = [&](Te& te, size_t i) {
    ScalarMath& m = te.math();
    const auto place = static_cast<int64_t>(i);
    const PrimRef written = m.Cast(te.At(te.Input(0), {}), DType::Int(64));
    const PrimRef axis =
        m.Select(m.Lt(written, m.Int(0)), m.Add(written, m.Int(rank + 1)), written);
    te.Need(m.And(m.Le(m.Int(0), axis), m.Le(axis, m.Int(rank))),
            "the axis of dyn.expand_dims is out of range");
    const PrimRef before = place < rank ? dims[i] : m.Int(1);
    const PrimRef after = place < count ? m.Int(1) : dims[i - static_cast<size_t>(count)];
    const PrimRef added = m.Lt(m.Int(place), m.Add(axis, m.Int(count)));
    return m.Select(m.Lt(m.Int(place), axis), before, m.Select(added, m.Int(1), after));
  };
  if (rank + count == 0) return x;
  return c.Reshape(x, ComputedSizes(c, {c.Arg(1)}, static_cast<size_t>(rank + count), size_at));
}

namespace {

// Repeats the elements at the edges, or mirrors the data there.
Operand PaddedByData(OpCall& c, const Operand& x, const PadWidths& pads, bool mirrored) {
  const Dims from = c.DimsOf(x);
  return c.Kernel("pad", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    Dims dims;
    for (size_t i = 0; i < from.size(); ++i) {
      dims.push_back(m.Add(m.Add(pads[i].before, from[i]), pads[i].after));
    }
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices source;
      for (size_t i = 0; i < at.size(); ++i) {
        PrimRef place = m.Sub(at[i], pads[i].before);
        const PrimRef last = m.Sub(from[i], m.Int(1));
        if (mirrored) {
          place = m.Select(m.Lt(place, m.Int(0)), m.Neg(place), place);
          place = m.Select(m.Lt(last, place), m.Sub(m.Add(last, last), place), place);
        }
        source.push_back(m.Min(m.Max(place, m.Int(0)), last));
      }
      return te.At(te.Input(0), source);
    });
  });
}

}  // namespace

absl::StatusOr<Operand> ImportDynPad(OpCall& c) {
  const Operand x = c.Arg(0), widths = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "pad_mode", {"constant", "edge", "reflect"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, widths, 2, "the pad widths"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(2), 0, "the pad value"));
  const Dims from = c.DimsOf(x);
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, c.DimsOf(widths)[0], c.ir().Int(c.Rank(x)), "the pad widths"));
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(widths)[1], c.ir().Int(2), "a pair of pad widths"));
  PadWidths pads;
  Dims flat;
  if (const auto known = c.ConstantInts(1)) {
    flat = c.DimsFrom(*known);
  } else if (!from.empty()) {
    const Operand list = c.Reshape(widths, {c.ir().Int(2 * c.Rank(x))});
    flat = ShapeOfList(c, list, 2 * c.Rank(x));
  }
  for (size_t i = 0; i < from.size(); ++i) pads.push_back({flat[2 * i], flat[2 * i + 1]});
  if (c.Str("pad_mode") == "constant") return PaddedBy(c, x, c.Arg(2), pads);
  return PaddedByData(c, x, pads, c.Str("pad_mode") == "reflect");
}

absl::StatusOr<Operand> ImportDynResize2d(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "method", {"nearest_neighbor", "linear", "cubic"}));
  LATHE_ASSIGN_OR_RETURN(const Dims size, ShapeArgument(c, 1));
  if (size.size() != 2) return c.Error() << "size has " << size.size() << " values";
  if (c.Str("coordinate_transformation_mode") == "tf_crop_and_resize") {
    return c.Unsupported() << "a region that is a tensor";
  }
  return Resized(c, c.Arg(0), size);
}

absl::StatusOr<Operand> ImportDynUpsampling(OpCall& c) {
  const int rank = c.op() == "dyn.nn.upsampling3d" ? 3 : 2;
  std::vector<double> scales;
  Operands args;
  for (int i = 1; i <= rank; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, c.Arg(i), 0, "each scale"));
    args.push_back(c.Arg(i));
    if (const auto known = c.ConstantNumbers(i)) scales.push_back((*known)[0]);
  }
  if (std::ssize(scales) == rank) {
    LATHE_ASSIGN_OR_RETURN(const Dims size, ScaledSize(c, c.Arg(0), scales));
    return Upsampled(c, c.Arg(0), size);
  }
  LATHE_ASSIGN_OR_RETURN(
      const Dims space, ScaledSize(c, c.Arg(0), std::vector<double>(static_cast<size_t>(rank), 1)));
  const Dims size = ComputedSizes(c, args, space.size(), [&](Te& te, size_t i) {
    ScalarMath& m = te.math();
    const DType real = DType::Float(64);
    const PrimRef scale = m.Cast(te.At(te.Input(static_cast<int>(i)), {}), real);
    return m.Call("nearbyint", {m.Mul(m.Cast(space[i], real), scale)});
  });
  return Upsampled(c, c.Arg(0), size);
}

absl::StatusOr<Operand> ImportDynStridedSlice(OpCall& c) {
  const Operand x = c.Arg(0);
  const auto begin = c.ConstantInts(1), end = c.ConstantInts(2), strides = c.ConstantInts(3);
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "slice_mode", {"end", "size"}));
  const bool sizes = c.Str("slice_mode") == "size";
  if (begin && end && strides) {
    return StridedSlice(c, x, {*begin, *end, *strides, std::nullopt, sizes});
  }
  const Dims from = c.DimsOf(x);
  size_t lengths[3] = {};
  for (int i = 0; i < 3; ++i) {
    LATHE_ASSIGN_OR_RETURN(const int64_t length, LengthOfList(c, i + 1));
    lengths[i] = static_cast<size_t>(length);
    if (lengths[i] > from.size()) return c.Error() << "more bounds than dimensions";
  }
  if (from.empty()) return x;
  // The first element, the stride and the number of elements along an axis.
  struct Range {
    PrimRef first, stride, count;
  };
  const auto range = [&](Te& te, int lists, size_t i) {
    ScalarMath& m = te.math();
    const PrimRef zero = m.Int(0), one = m.Int(1), last = m.Sub(from[i], one);
    const PrimRef stride = !sizes && i < lengths[2] ? ListElement(te, lists + 2, i) : PrimRef(one);
    const PrimRef down = m.Lt(stride, zero);
    const auto bound = [&](PrimRef at) {
      const PrimRef wrapped = m.Select(m.Lt(at, zero), m.Add(at, from[i]), at);
      return m.Min(m.Max(wrapped, m.Select(down, m.Int(-1), zero)), m.Select(down, last, from[i]));
    };
    const PrimRef first =
        i < lengths[0] ? bound(ListElement(te, lists, i)) : m.Select(down, last, zero);
    PrimRef stop = m.Select(down, m.Int(-1), from[i]);
    if (i < lengths[1]) {
      const PrimRef written = ListElement(te, lists + 1, i);
      const PrimRef by_size =
          m.Select(m.Lt(written, zero), from[i], m.Min(m.Add(first, written), from[i]));
      stop = sizes ? by_size : bound(written);
    }
    const PrimRef span = m.Select(down, m.Sub(first, stop), m.Sub(stop, first));
    const PrimRef step = m.Max(m.Select(down, m.Neg(stride), stride), one);
    const PrimRef count = m.FloorDiv(m.Add(span, m.Sub(step, one)), step);
    return Range{first, stride, m.Max(count, zero)};
  };
  const Operands lists = {c.Arg(1), c.Arg(2), c.Arg(3)};
  const Dims dims =
      ComputedSizes(c, lists, from.size(), [&](Te& te, size_t i) { return range(te, 0, i).count; });
  return c.Kernel("strided_slice", {x, lists[0], lists[1], lists[2]}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices source;
      for (size_t i = 0; i < at.size(); ++i) {
        const Range along = range(te, 1, i);
        source.push_back(m.Add(along.first, m.Mul(at[i], along.stride)));
      }
      return te.At(te.Input(0), source);
    });
  });
}

}  // namespace lathe::relay
