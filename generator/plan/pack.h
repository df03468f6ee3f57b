// Where blocks with known lives lie so that they need few bytes in all: quick packers first, then
// an exact search as far as a limit lets it. The same blocks give the same packing on every
// machine.
#ifndef LATHE_PLAN_PACK_H_
#define LATHE_PLAN_PACK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace lathe::plan {

// Bytes that are needed in the steps [first, last].
struct Block {
  int64_t size = 0;
  int first = 0;
  int last = 0;
  int64_t align = 1;  // its offset is a multiple of it
};

struct Packing {
  std::vector<int64_t> offsets;  // one for each block
  int64_t height = 0;            // where the topmost block ends
  int64_t lower_bound = 0;  // no packing is lower: bytes alive at one time, or proved by search
  bool optimal = false;     // height is lower_bound
  int64_t steps = 0;        // what the exact search took
};

// Two to three seconds of search where the quick packers have not reached the lower bound.
constexpr int64_t kDefaultPackSteps = 400'000'000;

struct PackLimits {
  // For the exact search, in blocks and sections looked at: work, not time, so that a slow machine
  // finds the same packing.
  int64_t steps = kDefaultPackSteps;
  // A packing of this height will do; without it the lowest is looked for.
  std::optional<int64_t> capacity;
};

// What Pack can take: sizes that are not negative, alignments from 1 to 2^40, lives that do not end
// before they start, less than 2^60 bytes in all with every block padded to its alignment.
absl::Status CheckBlocks(absl::Span<const Block> blocks);

// For blocks that CheckBlocks accepts.
Packing Pack(absl::Span<const Block> blocks, const PackLimits& limits = {});

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_H_
