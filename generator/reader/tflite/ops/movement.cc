// Imports operators that move elements or make constants, with shapes known at compile time.
#include <algorithm>
#include <numeric>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// The declared shape of the result is concrete, so the operand that names it is not needed.
absl::StatusOr<Results> ImportReshape(OpCall& c) {
  int64_t in = 1, out = 1;
  for (const int64_t size : c.In(0).shape) in *= size;
  for (const int64_t size : c.Out().shape) out *= size;
  if (in != out) return c.Error() << "it reshapes " << in << " elements to " << out;
  return c.Reshape(c.Arg(0), c.OutDims());
}

absl::StatusOr<Results> ImportTranspose(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, c.NeedInts(1, "the axes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> order, c.Axes(axes, c.Rank(c.Arg(0))));
  if (std::ssize(order) != c.Rank(c.Arg(0))) {
    return c.Error() << "it names " << order.size() << " axes of " << c.Rank(c.Arg(0));
  }
  return c.Transposed(c.Arg(0), order);
}

absl::StatusOr<Results> ImportConcatenation(OpCall& c) {
  const int64_t activation = c.Int("activation");
  LATHE_RETURN_IF_ERROR(RequireSameType(c));
  const DType dtype = c.OutType();
  if (dtype == DType::Int(8)) LATHE_RETURN_IF_ERROR(RequireSameQuantization(c));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0))));
  Operands parts = c.Args();
  if (dtype == DType::UInt(8)) {
    for (int i = 0; i < c.inputs(); ++i) {
      auto& part = parts[static_cast<size_t>(i)];
      LATHE_ASSIGN_OR_RETURN(part, RescaledTo(c, part, c.InAffine(i), c.OutAffine()));
    }
  }
  Operand made = parts[0];
  if (parts.size() > 1) {
    made = c.Op("relax.concat", {{ir::TupleExpr{std::move(parts)}}}, {{"axis", axis}});
  }
  if (dtype.is_floating()) return FloatActivation(c, made, activation);
  return made;
}

absl::StatusOr<Results> ImportPack(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSameType(c));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(c.Arg(0)) + 1));
  return c.Op("relax.stack", {{ir::TupleExpr{c.Args()}}}, {{"axis", axis}});
}

absl::StatusOr<Results> ImportUnpack(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const int64_t count = c.In(0).shape[static_cast<size_t>(axis)];
  if (count != c.outputs()) {
    return c.Error() << "axis " << axis << " has " << count << " positions, and the model names "
                     << c.outputs() << " results";
  }
  Operands parts;
  Dims dims = c.DimsOf(x);
  dims.erase(dims.begin() + axis);
  for (int64_t k = 0; k < count; ++k) {
    const Operand part = SlicedAlong(c, x, axis, k, k + 1);
    parts.push_back(c.Reshape(part, dims));
  }
  return parts;
}

Operand SlicedAlong(OpCall& c, const Operand& x, int axis, int64_t begin, int64_t end) {
  const auto tuple = [&](int64_t value) {
    return Operand{ir::TupleExpr{{{ir::PrimValue{c.ir().Int(value)}}}}};
  };
  return c.Op("relax.strided_slice", {x, tuple(axis), tuple(begin), tuple(end), tuple(1)});
}

namespace {

absl::StatusOr<Results> SplitBy(OpCall& c, const Operand& x, int64_t written,
                                std::vector<int64_t> sizes) {
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(written, c.Rank(x)));
  const int64_t all = c.Shape(x)[static_cast<size_t>(axis)];
  int64_t open = -1, sum = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1 && open < 0) {
      open = static_cast<int64_t>(i);
    } else if (sizes[i] < 0) {
      return c.Error() << "a part has the size " << sizes[i];
    } else {
      sum += sizes[i];
    }
  }
  if (open >= 0) sizes[static_cast<size_t>(open)] = all - sum;
  if ((open < 0 && sum != all) || sum > all) {
    return c.Error() << "the parts have " << sum << " positions of " << all;
  }
  Operands parts;
  int64_t begin = 0;
  for (const int64_t size : sizes) {
    parts.push_back(sizes.size() == 1 ? x : SlicedAlong(c, x, axis, begin, begin + size));
    begin += size;
  }
  return parts;
}

}  // namespace

absl::StatusOr<Results> ImportSplit(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, c.NeedInts(0, "the axis"));
  const int64_t count = c.outputs();
  if (axis.size() != 1 || count == 0) return c.Error() << "it has no axis or no results";
  LATHE_ASSIGN_OR_RETURN(const int normal, c.Axis(axis[0], c.Rank(c.Arg(1))));
  const int64_t all = c.In(1).shape[static_cast<size_t>(normal)];
  if (all % count != 0)
    return c.Error() << "axis " << normal << " of " << all << " positions has no " << count
                     << " equal parts";
  return SplitBy(c, c.Arg(1), normal,
                 std::vector<int64_t>(static_cast<size_t>(count), all / count));
}

absl::StatusOr<Results> ImportSplitV(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, c.NeedInts(1, "the sizes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, c.NeedInts(2, "the axis"));
  if (axis.size() != 1 || std::ssize(sizes) != c.outputs()) {
    return c.Error() << "it has " << sizes.size() << " sizes and " << c.outputs() << " results";
  }
  return SplitBy(c, c.Arg(0), axis[0], sizes);
}

absl::StatusOr<Results> ImportShape(OpCall& c) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  return c.builder().Constant(c.OutType(), {std::ssize(shape)},
                              std::vector<double>(shape.begin(), shape.end()));
}
absl::StatusOr<Results> ImportRank(OpCall& c) {
  return c.Number(static_cast<double>(c.In(0).shape.size()), c.OutType());
}

absl::StatusOr<Results> ImportZerosLike(OpCall& c) {
  return c.Op("relax.zeros", {ImportBuilder::Shape(c.OutDims())}, {{"dtype", c.OutType()}});
}

absl::StatusOr<Results> ImportFill(OpCall& c) {
  const Operand value = c.Reshape(c.Arg(1), {});
  return c.BroadcastTo(value, c.OutDims());
}

absl::StatusOr<Results> ImportBroadcastTo(OpCall& c) {
  return c.BroadcastTo(c.Arg(0), c.OutDims());
}

absl::StatusOr<Results> ImportBroadcastArgs(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> a, c.NeedInts(0, "the first shape"));
  LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> b, c.NeedInts(1, "the second shape"));
  if (a.size() < b.size()) std::swap(a, b);
  b.insert(b.begin(), a.size() - b.size(), 1);
  std::vector<double> made;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
      return c.Error() << "sizes " << a[i] << " and " << b[i] << " do not broadcast";
    }
    made.push_back(static_cast<double>(a[i] == 1 ? b[i] : a[i]));
  }
  return c.builder().Constant(c.OutType(), {std::ssize(made)}, made);
}

absl::StatusOr<Results> ImportTile(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> repeats, c.NeedInts(1, "the multiples"));
  ir::AttrList list;
  for (const int64_t n : repeats) list.emplace_back(n);
  return c.Op("relax.tile", {c.Arg(0)}, {{"repeats", std::move(list)}});
}

absl::StatusOr<Results> ImportReverse(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, c.NeedInts(1, "the axes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> normal, c.Axes(axes, c.Rank(c.Arg(0))));
  Operand x = c.Arg(0);
  for (const int axis : normal) x = c.Op("relax.flip", {x}, {{"axis", axis}});
  return x;
}

namespace {

struct PadForm {
  std::vector<int64_t> before, after;
};
absl::StatusOr<PadForm> PaddingOf(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> pads, c.NeedInts(1, "the paddings"));
  const int rank = c.Rank(c.Arg(0));
  if (std::ssize(pads) != 2 * rank) {
    return c.Error() << "it has " << pads.size() << " paddings for " << rank << " dimensions";
  }
  PadForm form;
  for (int axis = 0; axis < rank; ++axis) {
    form.before.push_back(pads[static_cast<size_t>(2 * axis)]);
    form.after.push_back(pads[static_cast<size_t>(2 * axis + 1)]);
    if (form.before.back() < 0 || form.after.back() < 0)
      return c.Error() << "a padding is negative";
  }
  return form;
}

Operand Padded(OpCall& c, const Operand& x, const PadForm& form, const Operand& value) {
  const Dims in = c.DimsOf(x);
  Dims dims;
  for (size_t axis = 0; axis < in.size(); ++axis) {
    dims.push_back(
        c.Simplify(c.math().Add(in[axis], c.math().Int(form.before[axis] + form.after[axis]))));
  }
  return c.Kernel("pad", {x, value}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      PrimRef inside = nullptr;
      Indices from;
      for (size_t axis = 0; axis < at.size(); ++axis) {
        from.push_back(m.Sub(at[axis], m.Int(form.before[axis])));
        if (form.before[axis] == 0 && form.after[axis] == 0) continue;
        const PrimRef within = m.InRange(from.back(), m.Int(0), in[axis]);
        inside = inside == nullptr ? within : m.And(inside, within);
      }
      const PrimRef element = te.At(te.Input(0), from);
      if (inside == nullptr) return element;
      return m.IfThenElse(inside, element, te.At(te.Input(1), {}));
    });
  });
}

}  // namespace

// Pads int8 with the zero point of the result, int16 and others with 0.
absl::StatusOr<Results> ImportPad(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PadForm form, PaddingOf(c));
  const DType dtype = c.OutType();
  if (dtype != c.TypeOf(c.Arg(0))) return c.Error() << "data and result have different types";
  if (c.Has(2)) {
    if (c.TypeOf(c.Arg(2)) != dtype) return c.Error() << "the value to pad with has another type";
    return Padded(c, c.Arg(0), form, c.Reshape(c.Arg(2), {}));
  }
  const double value =
      dtype.is_integer() && dtype.bits == 8 ? static_cast<double>(c.OutAffine().zero) : 0;
  return Padded(c, c.Arg(0), form, c.Number(value, dtype));
}

absl::StatusOr<Results> ImportMirrorPad(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const PadForm form, PaddingOf(c));
  const Operand x = c.Arg(0);
  const std::vector<int64_t>& shape = c.In(0).shape;
  const int64_t edge = c.Int("mode") == 0 ? 1 : 0;  // reflect leaves out the border itself
  Dims dims;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (form.before[axis] > shape[axis] - edge || form.after[axis] > shape[axis] - edge) {
      return c.Error() << "axis " << axis << " of " << shape[axis]
                       << " positions is too short for its mirror image";
    }
    dims.push_back(c.ir().Int(shape[axis] + form.before[axis] + form.after[axis]));
  }
  return c.Kernel("mirror_pad", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t axis = 0; axis < at.size(); ++axis) {
        const PrimRef i = m.Sub(at[axis], m.Int(form.before[axis]));
        const PrimRef low = m.Sub(m.Neg(i), m.Int(1 - edge));
        const PrimRef high = m.Sub(m.Int(2 * shape[axis] - 1 - edge), i);
        const PrimRef inner = m.Select(m.Lt(i, m.Int(0)), low, i);
        from.push_back(m.Select(m.Lt(i, m.Int(shape[axis])), inner, high));
      }
      return te.At(te.Input(0), from);
    });
  });
}

namespace {

// Space between blocks and channels: [N, H, W, C] with blocks of b * b.
absl::StatusOr<Results> Blocks(OpCall& c, bool to_depth) {
  const std::vector<int64_t>& s = c.In(0).shape;
  const int64_t b = c.Int("block_size");
  if (s.size() != 4) return c.Error() << "data must have 4 dimensions";
  const bool divides =
      b > 0 && (to_depth ? s[1] % b == 0 && s[2] % b == 0 : b <= 46340 && s[3] % (b * b) == 0);
  if (!divides) return c.Error() << "blocks of " << b << " do not divide the data";
  if (to_depth) {
    const Operand parts = c.Reshape(c.Arg(0), c.DimsFrom({s[0], s[1] / b, b, s[2] / b, b, s[3]}));
    return c.Reshape(c.Transposed(parts, {0, 1, 3, 2, 4, 5}),
                     c.DimsFrom({s[0], s[1] / b, s[2] / b, b * b * s[3]}));
  }
  const Operand parts = c.Reshape(c.Arg(0), c.DimsFrom({s[0], s[1], s[2], b, b, s[3] / (b * b)}));
  return c.Reshape(c.Transposed(parts, {0, 1, 3, 2, 4, 5}),
                   c.DimsFrom({s[0], s[1] * b, s[2] * b, s[3] / (b * b)}));
}

}  // namespace

absl::StatusOr<Results> ImportSpaceToDepth(OpCall& c) { return Blocks(c, true); }
absl::StatusOr<Results> ImportDepthToSpace(OpCall& c) { return Blocks(c, false); }

absl::StatusOr<Results> ImportSpaceToBatchNd(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> blocks, c.NeedInts(1, "the block sizes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> pads, c.NeedInts(2, "the paddings"));
  const std::vector<int64_t>& shape = c.In(0).shape;
  const size_t n = blocks.size();
  if (shape.size() < n + 1 || pads.size() != 2 * n)
    return c.Error() << "blocks do not fit the data";
  PadForm form;
  form.before.resize(shape.size());
  form.after.resize(shape.size());
  std::vector<int64_t> padded = shape;
  for (size_t i = 0; i < n; ++i) {
    form.before[i + 1] = pads[2 * i];
    form.after[i + 1] = pads[2 * i + 1];
    padded[i + 1] += pads[2 * i] + pads[2 * i + 1];
    if (blocks[i] <= 0 || pads[2 * i] < 0 || pads[2 * i + 1] < 0 ||
        padded[i + 1] % blocks[i] != 0) {
      return c.Error() << "blocks of " << blocks[i] << " do not divide dimension " << i + 1;
    }
  }
  const DType dtype = c.OutType();
  // TFLM fills int8 with memory that was not written; this is LiteRT's value.
  const double value = dtype.is_integer() ? static_cast<double>(c.OutAffine().zero) : 0;
  const Operand x = Padded(c, c.Arg(0), form, c.Number(value, dtype));
  std::vector<int64_t> split = {shape[0]}, made = {shape[0]};
  std::vector<int> order;
  for (size_t i = 0; i < n; ++i) {
    split.push_back(padded[i + 1] / blocks[i]);
    split.push_back(blocks[i]);
    order.push_back(static_cast<int>(2 * i + 2));
    made[0] *= blocks[i];
    made.push_back(padded[i + 1] / blocks[i]);
  }
  order.push_back(0);
  for (size_t i = 0; i < n; ++i) order.push_back(static_cast<int>(2 * i + 1));
  for (size_t i = n + 1; i < shape.size(); ++i) {
    order.push_back(static_cast<int>(split.size()));
    split.push_back(shape[i]);
    made.push_back(shape[i]);
  }
  return c.Reshape(c.Transposed(c.Reshape(x, c.DimsFrom(split)), order), c.DimsFrom(made));
}

absl::StatusOr<Results> ImportBatchToSpaceNd(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> blocks, c.NeedInts(1, "the block sizes"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> crops, c.NeedInts(2, "the crops"));
  const std::vector<int64_t>& shape = c.In(0).shape;
  const size_t n = blocks.size();
  if (shape.size() < n + 1 || crops.size() != 2 * n) {
    return c.Error() << "blocks do not fit the data";
  }
  int64_t batch = shape[0];
  std::vector<int64_t> split(blocks), made;
  std::vector<int> order = {static_cast<int>(n)};
  for (size_t i = 0; i < n; ++i) {
    if (blocks[i] <= 0 || batch % blocks[i] != 0) {
      return c.Error() << "blocks do not divide the batch of " << shape[0];
    }
    batch /= blocks[i];
    order.push_back(static_cast<int>(n + 1 + i));
    order.push_back(static_cast<int>(i));
  }
  split.push_back(batch);
  made.push_back(batch);
  for (size_t i = 1; i < shape.size(); ++i) {
    if (i > n) order.push_back(static_cast<int>(split.size()));
    split.push_back(shape[i]);
    made.push_back(i <= n ? shape[i] * blocks[i - 1] : shape[i]);
  }
  Operand x =
      c.Reshape(c.Transposed(c.Reshape(c.Arg(0), c.DimsFrom(split)), order), c.DimsFrom(made));
  for (size_t i = 0; i < n; ++i) {
    const int64_t begin = crops[2 * i], end = made[i + 1] - crops[2 * i + 1];
    if (begin < 0 || crops[2 * i + 1] < 0 || begin > end) return c.Error() << "a crop is too large";
    if (begin != 0 || end != made[i + 1]) {
      x = SlicedAlong(c, x, static_cast<int>(i + 1), begin, end);
    }
  }
  return x;
}

}  // namespace lathe::tflite
