// Imports padding.
#include <algorithm>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/pad.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

enum class Border { kConstant, kEdge, kReflect, kSymmetric };

// The index inside the tensor that a padded place repeats.
PrimRef Repeated(ScalarMath& m, Border border, PrimRef index, PrimRef size) {
  const PrimRef last = m.Sub(size, m.Int(1));
  if (border == Border::kEdge) return m.Min(m.Max(index, m.Int(0)), last);
  const bool symmetric = border == Border::kSymmetric;
  const PrimRef below = m.Sub(m.Int(symmetric ? -1 : 0), index);
  const PrimRef mirror = m.Sub(m.Mul(m.Int(2), last), index);
  const PrimRef above = symmetric ? m.Add(mirror, m.Int(1)) : mirror;
  const PrimRef from_start = m.Select(m.Lt(index, m.Int(0)), below, index);
  return m.Select(m.Lt(last, index), above, from_start);
}

Operand PaddedByKernel(OpCall& c, const Operand& x, const std::optional<Operand>& value,
                       const PadWidths& widths, Border border) {
  const Dims from = c.DimsOf(x);
  Dims dims;
  for (size_t i = 0; i < from.size(); ++i) {
    const PrimRef more = c.math().Add(widths[i].before, widths[i].after);
    dims.push_back(c.Simplify(c.math().Add(from[i], more)));
  }
  Operands args = {x};
  if (value) args.push_back(*value);
  const DType dtype = c.TypeOf(x);
  return c.Kernel("pad", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      Indices source;
      PrimRef inside = m.ir().Bool(true);
      for (size_t i = 0; i < at.size(); ++i) {
        PrimRef index = m.Sub(at[i], widths[i].before);
        const bool padded =
            OpCall::IntOf(widths[i].before) != 0 || OpCall::IntOf(widths[i].after) != 0;
        if (padded && border == Border::kConstant) {
          inside = m.And(inside, m.InRange(index, m.Int(0), from[i]));
        } else if (padded) {
          index = Repeated(m, border, index, from[i]);
        }
        source.push_back(index);
      }
      const PrimRef element = te.At(te.Input(0), source);
      if (border != Border::kConstant) return element;
      return m.IfThenElse(inside, element, m.Cast(te.At(te.Input(1), {}), dtype));
    });
  });
}

absl::StatusOr<std::vector<std::vector<int64_t>>> WidthPairs(OpCall& c, const std::string& name,
                                                             size_t rank) {
  std::vector<std::vector<int64_t>> pairs = c.IntLists(name);
  if (pairs.size() != rank) {
    return c.Error() << name << " has " << pairs.size() << " pairs for " << rank << " dimensions";
  }
  for (const std::vector<int64_t>& pair : pairs) {
    if (pair.size() != 2) return c.Error() << name << " has to consist of pairs";
  }
  return pairs;
}

// Mirrored widths cannot exceed what there is to mirror.
absl::Status CheckMirrored(OpCall& c, const Dims& dims,
                           const std::vector<std::vector<int64_t>>& pairs, int64_t less) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto size = OpCall::IntOf(dims[i]);
    if (size && std::max(pairs[i][0], pairs[i][1]) > *size - less) {
      return c.Error() << "dimension " << i << " has too few elements to mirror";
    }
  }
  return absl::OkStatus();
}

PadWidths WidthsOf(OpCall& c, const std::vector<std::vector<int64_t>>& pairs) {
  PadWidths widths;
  for (const std::vector<int64_t>& pair : pairs) {
    widths.push_back({c.ir().Int(pair[0]), c.ir().Int(pair[1])});
  }
  return widths;
}

}  // namespace

Operand PaddedBy(OpCall& c, const Operand& x, const Operand& value, const PadWidths& widths) {
  return PaddedByKernel(c, x, value, widths, Border::kConstant);
}

absl::StatusOr<Operand> ImportPad(OpCall& c) {
  const Operand x = c.Arg(0), value = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "pad_mode", {"constant", "edge", "reflect"}));
  const Dims dims = c.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(const auto pairs, WidthPairs(c, "pad_width", dims.size()));
  const std::string& mode = c.Str("pad_mode");
  bool negative = false;
  std::vector<int64_t> flat;
  for (const std::vector<int64_t>& pair : pairs) {
    flat.insert(flat.end(), pair.begin(), pair.end());
    negative |= pair[0] < 0 || pair[1] < 0;
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto size = OpCall::IntOf(dims[i]);
    if (size && *size + pairs[i][0] + pairs[i][1] < 0) {
      return c.Error() << "dimension " << i << " gets a size below 0";
    }
  }
  if (mode == "reflect") {
    LATHE_RETURN_IF_ERROR(CheckMirrored(c, dims, pairs, 1));
    return PaddedByKernel(c, x, std::nullopt, WidthsOf(c, pairs), Border::kReflect);
  }
  if (mode == "edge") {
    return PaddedByKernel(c, x, std::nullopt, WidthsOf(c, pairs), Border::kEdge);
  }
  const auto known = c.ConstantNumbers(1);
  if (known && known->size() == 1 && !negative) {
    return c.Op("relax.nn.pad", {x}, {{"pad_width", ListOf(flat)}, {"pad_value", (*known)[0]}});
  }
  return PaddedBy(c, x, c.Reshape(value, {}), WidthsOf(c, pairs));
}

absl::StatusOr<Operand> ImportMirrorPad(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "mode", {"SYMMETRIC", "REFLECT"}));
  const Dims dims = c.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(const auto pairs, WidthPairs(c, "pad_width", dims.size()));
  const bool symmetric = c.Str("mode") == "SYMMETRIC";
  LATHE_RETURN_IF_ERROR(CheckMirrored(c, dims, pairs, symmetric ? 0 : 1));
  return PaddedByKernel(c, x, std::nullopt, WidthsOf(c, pairs),
                        symmetric ? Border::kSymmetric : Border::kReflect);
}

namespace {

// The block sizes of the axes from 1 on, and the pairs that pad or crop these axes.
absl::Status CheckBlocks(OpCall& c, const Operand& x, const std::vector<int64_t>& blocks,
                         const std::vector<std::vector<int64_t>>& pairs) {
  if (std::ssize(blocks) >= c.Rank(x) || pairs.size() != blocks.size()) {
    return c.Error() << "blocks of " << blocks.size() << " axes and " << pairs.size()
                     << " pairs for a tensor of " << c.Rank(x) << " dimensions";
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] < 1) return c.Error() << "a block of " << blocks[i];
    if (pairs[i].size() != 2 || pairs[i][0] < 0 || pairs[i][1] < 0) {
      return c.Error() << "paddings and crops are pairs of sizes";
    }
  }
  return absl::OkStatus();
}

}  // namespace

// Moves blocks of the axes from 1 on into the batch.
absl::StatusOr<Operand> ImportSpaceToBatchNd(OpCall& c) {
  Operand x = c.Arg(0);
  const std::vector<int64_t> blocks = c.Ints("block_shape");
  const std::vector<std::vector<int64_t>> pairs = c.IntLists("paddings");
  LATHE_RETURN_IF_ERROR(CheckBlocks(c, x, blocks, pairs));
  std::vector<int64_t> flat(2 * static_cast<size_t>(c.Rank(x)), 0);
  for (size_t i = 0; i < pairs.size(); ++i) {
    flat[2 * i + 2] = pairs[i][0];
    flat[2 * i + 3] = pairs[i][1];
  }
  x = c.Op("relax.nn.pad", {x}, {{"pad_width", ListOf(flat)}, {"pad_value", c.Float("pad_value")}});
  ScalarMath& m = c.math();
  const Dims from = c.DimsOf(x);
  const int count = static_cast<int>(blocks.size());
  Dims parted = {from[0]}, outer;
  std::vector<int> order;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i);
    const PrimRef block = m.Int(blocks[at]);
    const auto size = OpCall::IntOf(from[at + 1]);
    if (size && *size % blocks[at] != 0) {
      return c.Error() << "a block of " << blocks[at] << " does not divide " << *size;
    }
    outer.push_back(c.Simplify(m.FloorDiv(from[at + 1], block)));
    parted.push_back(outer.back());
    parted.push_back(block);
    order.push_back(2 * i + 2);
  }
  order.push_back(0);
  for (int i = 0; i < count; ++i) order.push_back(2 * i + 1);
  for (int i = count + 1; i < std::ssize(from); ++i) {
    order.push_back(i + count);
    parted.push_back(from[static_cast<size_t>(i)]);
    outer.push_back(from[static_cast<size_t>(i)]);
  }
  PrimRef batch = from[0];
  for (const int64_t block : blocks) batch = c.Simplify(m.Mul(batch, m.Int(block)));
  outer.insert(outer.begin(), batch);
  return c.Reshape(c.Transposed(c.Reshape(x, parted), order), outer);
}

absl::StatusOr<Operand> ImportBatchToSpaceNd(OpCall& c) {
  const Operand x = c.Arg(0);
  const std::vector<int64_t> blocks = c.Ints("block_shape");
  const std::vector<std::vector<int64_t>> crops = c.IntLists("crops");
  LATHE_RETURN_IF_ERROR(CheckBlocks(c, x, blocks, crops));
  ScalarMath& m = c.math();
  const Dims from = c.DimsOf(x);
  const int count = static_cast<int>(blocks.size());
  Dims parted;
  PrimRef batch = from[0];
  int64_t all = 1;
  for (const int64_t block : blocks) {
    parted.push_back(m.Int(block));
    all *= block;
  }
  if (const auto size = OpCall::IntOf(batch); size && *size % all != 0) {
    return c.Error() << "blocks of " << all << " do not divide a batch of " << *size;
  }
  batch = c.Simplify(m.FloorDiv(batch, m.Int(all)));
  parted.push_back(batch);
  parted.insert(parted.end(), from.begin() + 1, from.end());
  std::vector<int> order = {count};
  Dims joined = {batch};
  PadWidths widths = {{m.Int(0), m.Int(0)}};
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i);
    order.push_back(count + 1 + i);
    order.push_back(i);
    joined.push_back(c.Simplify(m.Mul(from[at + 1], m.Int(blocks[at]))));
    widths.push_back({m.Int(-crops[at][0]), m.Int(-crops[at][1])});
  }
  for (int i = count + 1; i < std::ssize(from); ++i) {
    order.push_back(count + i);
    joined.push_back(from[static_cast<size_t>(i)]);
    widths.push_back({m.Int(0), m.Int(0)});
  }
  const Operand whole = c.Reshape(c.Transposed(c.Reshape(x, parted), order), joined);
  const auto cropped = [](const std::vector<int64_t>& crop) {
    return crop[0] != 0 || crop[1] != 0;
  };
  if (std::none_of(crops.begin(), crops.end(), cropped)) return whole;
  return PaddedByKernel(c, whole, std::nullopt, widths, Border::kEdge);
}

}  // namespace lathe::relay
