// Matches the dequantization of integers of which several share a scale: those of a channel, or
// those of a block along an axis.
//
//   float(integers[i, j]) * scales[i / 32, j]
//   float(int(integers[i, j]) - int(zeros[j])) * scales[j]
#ifndef LATHE_NEST_WEIGHT_BLOCKS_H_
#define LATHE_NEST_WEIGHT_BLOCKS_H_

#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::nest {

struct Dequantized {
  const ir::Load* integers = nullptr;
  const ir::Load* scales = nullptr;
  const ir::Load* zeros = nullptr;  // null: 0
};

// Returns the parts of `e`, whatever their indices are.
std::optional<Dequantized> DequantizedBy(ir::PrimRef e);

// Returns the parts of the value that `stage` stores, below its named values.
std::optional<Dequantized> DequantizedBy(ir::Context& context, const ir::NestStage& stage);

struct WeightBlocks {
  int64_t axis = 0;   // of the integers
  int64_t block = 0;  // positions along `axis` that share a scale; 0: a scale for each position

  bool operator==(const WeightBlocks&) const = default;
};

// Returns the blocks if the indices of `scales`, a load of scales or zero points, are those of
// `integers`: only the one along the axis, or all of them, with that of the axis divided by the
// block.
std::optional<WeightBlocks> BlocksOf(const ir::Load& integers, const ir::Load& scales);

}  // namespace lathe::nest

#endif  // LATHE_NEST_WEIGHT_BLOCKS_H_
