// Compresses time for the packers: keeps and numbers only the steps with locally maximal sets of
// live blocks.
#ifndef LATHE_PLAN_SECTIONS_H_
#define LATHE_PLAN_SECTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// A block on the axis of sections: alive in [begin, end).
struct Bar {
  int64_t size = 0;   // padded to a multiple of the unit
  int64_t bytes = 0;  // without padding; these must be within the capacity
  int begin = 0;
  int end = 0;
  int64_t align = 1;
  int64_t length = 0;  // lifetime in steps
};

inline bool AliveTogether(const Bar& a, const Bar& b) { return a.begin < b.end && b.begin < a.end; }

struct Sections {
  std::vector<Bar> bars;
  int count = 0;
  int64_t unit = 1;  // divides every alignment, and so every offset
};

// Converts blocks to bars on the axis of steps.
Sections BarsOf(absl::Span<const Block> blocks);

// Renumbers the axis so that only sections remain in which a bar starts and a bar ends before the
// next start. Every other set of live bars is a subset of one that remains, so bars conflict after
// compression exactly if they did before.
void Compress(Sections& sections);

// Partitions `numbers` into the smallest groups such that bars of different groups are never alive
// together. Ordered by time.
std::vector<std::vector<int>> IndependentGroups(absl::Span<const Bar> bars,
                                                std::vector<int> numbers);

// Returns the total size of the bars alive in each section.
std::vector<int64_t> SectionTotals(const Sections& sections);

// Returns a lower bound of every packing: the bars alive in one section have to be stacked.
int64_t LowerBound(const Sections& sections);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_SECTIONS_H_
