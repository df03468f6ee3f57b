// Imports Col2Im, which adds the blocks of an image, stored as columns, at their places.
#include <algorithm>

#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// The attributes of each spatial axis.
struct BlockSteps {
  std::vector<int64_t> strides, dilations, before, after;
};

absl::StatusOr<BlockSteps> StepsOf(NodeCall& n, size_t axes) {
  constexpr int64_t kMost = 1 << 24;
  BlockSteps steps;
  steps.strides = n.Ints("strides", std::vector<int64_t>(axes, 1));
  steps.dilations = n.Ints("dilations", std::vector<int64_t>(axes, 1));
  const std::vector<int64_t> pads = n.Ints("pads", std::vector<int64_t>(2 * axes, 0));
  if (steps.strides.size() != axes || steps.dilations.size() != axes || pads.size() != 2 * axes) {
    return n.Error() << "strides, dilations and pads do not match " << axes
                     << " spatial dimensions";
  }
  const auto within = [](const std::vector<int64_t>& values, int64_t low) {
    return std::all_of(values.begin(), values.end(),
                       [&](int64_t v) { return low <= v && v <= kMost; });
  };
  if (!within(steps.strides, 1) || !within(steps.dilations, 1) || !within(pads, 0)) {
    return n.Error() << "a stride, dilation or pad is out of range";
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(axes);
  steps.before.assign(pads.begin(), middle);
  steps.after.assign(middle, pads.end());
  return steps;
}

// The number of blocks along axis `i`.
PrimRef BlocksAlong(NodeCall& n, const BlockSteps& steps, size_t i, PrimRef size, PrimRef block) {
  ScalarMath& m = n.math();
  const PrimRef span = m.Mul(m.Sub(block, m.Int(1)), m.Int(steps.dilations[i]));
  const PrimRef room = m.Sub(m.Add(size, m.Int(steps.before[i] + steps.after[i] - 1)), span);
  const PrimRef last = m.FloorDiv(n.Simplify(room), m.Int(steps.strides[i]));
  return n.Simplify(m.Max(m.Add(last, m.Int(1)), m.Int(0)));
}

// Sums `value` over the elements of a block. Bools are true if any is.
ir::BufferRef SumOverBlock(
    Te& te, const Dims& dims, const Dims& block, DType dtype,
    const std::function<PrimRef(DType wide, const Indices& at, const Indices& r)>& value) {
  if (!dtype.is_bool()) return te.SumUp("out", dims, block, dtype, value);
  const ops::Reducer any = {{te.ir().Bool(false)}, [&](const Indices& acc, const Indices& v) {
                              return std::vector<PrimRef>{te.math().Or(acc[0], v[0])};
                            }};
  return te.Reduce("out", dims, block, any,
                   [&](const Indices& at, const Indices& r) { return value(dtype, at, r); });
}

}  // namespace

absl::StatusOr<Results> ImportCol2Im(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  if (from.size() != 3) return n.Error() << "the input must have rank 3, got " << from.size();
  const auto axes = n.CountOf(n.In(1), kMaxRank - 2);
  const auto declared = n.ElementsOf(1) ? std::nullopt : n.DeclaredDims(0);
  const bool checks = axes && declared && std::ssize(*declared) == *axes + 2;
  std::optional<Dims> image;
  if (checks) {
    image.emplace(declared->begin() + 2, declared->end());
  } else {
    image = SizesIn(n, 1);
  }
  const auto block = SizesIn(n, 2);
  LATHE_RETURN_IF_ERROR(n.status());
  if (!image || !block || image->empty()) {
    return n.Unsupported() << "an image or a block of a dynamic number of dimensions is not "
                              "supported";
  }
  if (block->size() != image->size()) {
    return n.Error() << "'block_shape' has " << block->size() << " entries for " << image->size()
                     << " dimensions of the image";
  }
  LATHE_RETURN_IF_ERROR(n.NeedSizes(*image));
  LATHE_RETURN_IF_ERROR(n.NeedSizes(*block));
  LATHE_ASSIGN_OR_RETURN(const BlockSteps steps, StepsOf(n, image->size()));
  const PrimRef taps = n.Product(*block, 0, block->size());
  if (NodeCall::IntOf(taps) == 0) return n.Error() << "a block must not be empty";
  Dims counts;
  for (size_t i = 0; i < image->size(); ++i) {
    counts.push_back(BlocksAlong(n, steps, i, (*image)[i], (*block)[i]));
  }
  const PrimRef blocks = n.Product(counts, 0, counts.size());
  const auto columns = NodeCall::IntOf(from[2]), wanted = NodeCall::IntOf(blocks);
  if (columns && wanted && *columns != *wanted) {
    return n.Error() << "the image has " << *wanted << " blocks, but the input has " << *columns
                     << " columns";
  }
  const auto height = NodeCall::IntOf(from[1]), each = NodeCall::IntOf(taps);
  if (height && each && *height % *each != 0) {
    return n.Error() << "columns of " << *height << " elements do not consist of blocks of "
                     << *each;
  }
  const PrimRef safe = each ? taps : n.math().Max(taps, n.ir().Int(1));
  Dims dims = {from[0], n.Simplify(n.math().FloorDiv(from[1], safe))};
  dims.insert(dims.end(), image->begin(), image->end());
  Operands args = {x};
  if (checks) args.push_back(n.In(1));
  return n.Kernel("col2im", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (checks) NeedEntries(n, te, 1, *image, "the shape of the image");
    NeedSame(n, te, m.Mul(dims[1], taps), from[1], "the elements of the blocks");
    NeedSame(n, te, blocks, from[2], "the number of blocks");
    return SumOverBlock(
        te, dims, *block, n.TypeOf(x), [&](DType wide, const Indices& at, const Indices& r) {
          // Each element of the block reaches this pixel from at most one block.
          Indices which;
          PrimRef reaches = m.ir().Bool(true);
          for (size_t i = 0; i < r.size(); ++i) {
            const PrimRef stride = m.Int(steps.strides[i]);
            const PrimRef place = m.Sub(m.Add(at[i + 2], m.Int(steps.before[i])),
                                        m.Mul(r[i], m.Int(steps.dilations[i])));
            const PrimRef begins = m.Eq(m.FloorMod(place, stride), m.Int(0));
            which.push_back(m.FloorDiv(place, stride));
            reaches = m.And(reaches, m.And(begins, m.InRange(which[i], m.Int(0), counts[i])));
          }
          const PrimRef row = m.Add(m.Mul(at[1], taps), m.Flatten(r, *block));
          const PrimRef value = te.At(te.Input(0), {at[0], row, m.Flatten(which, counts)});
          return m.IfThenElse(reaches, m.Cast(value, wide), m.Const(0, wide));
        });
  });
}

}  // namespace lathe::onnx
