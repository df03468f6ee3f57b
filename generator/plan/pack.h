// Assigns offsets to blocks with known lifetimes so that the total height is small. Runs fast
// heuristics first, then an exact search up to a work limit, unless too many blocks are alive
// together. Equal blocks give equal packings on every machine.
#ifndef LATHE_PLAN_PACK_H_
#define LATHE_PLAN_PACK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace lathe::plan {

// A number of bytes that is needed in the steps [first, last].
struct Block {
  int64_t size = 0;
  int first = 0;
  int last = 0;
  int64_t align = 1;  // divides the offset
};

inline bool AliveTogether(const Block& a, const Block& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Block `read` ends in the step in which `written` begins. They may share bytes if `read` starts at
// least `distance` bytes above the start of `written`.
struct BlockOverlap {
  size_t read = 0;
  size_t written = 0;
  int64_t distance = 0;
};

struct Packing {
  std::vector<int64_t> offsets;  // one for each block
  int64_t height = 0;            // end of the topmost block
  int64_t lower_bound = 0;       // of every packing: the peak of live bytes, or proved by search
  bool optimal = false;          // height equals lower_bound
  int64_t steps = 0;             // work of the exact search
};

// The default takes two to three seconds if the heuristics do not reach the lower bound.
constexpr int64_t kDefaultPackSteps = 400'000'000;

struct PackLimits {
  // Limits the exact search by the number of blocks and sections visited. Time would make the
  // result depend on the machine.
  int64_t steps = kDefaultPackSteps;
  // Stops at a packing of at most this height. Without it, searches for the lowest packing.
  std::optional<int64_t> capacity;
};

// Checks the preconditions of Pack: sizes of at least 0, alignments from 1 to 2^40, lifetimes that
// do not end before they start, and less than 2^60 bytes in total, padding included.
absl::Status CheckBlocks(absl::Span<const Block> blocks);

// Packs blocks that CheckBlocks accepts.
Packing Pack(absl::Span<const Block> blocks, const PackLimits& limits = {});

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_H_
