// Imports operators that pad, and those that move elements between space, channels and batches.
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
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
  ir::AttrList widths;
  for (size_t axis = 0; axis < form.before.size(); ++axis) {
    widths.emplace_back(form.before[axis]);
    widths.emplace_back(form.after[axis]);
  }
  return Results{c.Op("relax.nn.pad", {c.Arg(0)},
                      {{"pad_width", std::move(widths)}, {"pad_value", ir::AttrValue(value)}})};
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
