// Time as the packers see it: only the moments at which most is alive, numbered.
#ifndef LATHE_PLAN_SECTIONS_H_
#define LATHE_PLAN_SECTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// A block on the axis of sections: alive in [begin, end).
struct Bar {
  int64_t size = 0;   // with padding up to the unit
  int64_t bytes = 0;  // without: what has to be below the capacity
  int begin = 0;
  int end = 0;
  int64_t align = 1;
  int64_t length = 0;  // of its life, in steps
};

inline bool AliveTogether(const Bar& a, const Bar& b) { return a.begin < b.end && b.begin < a.end; }

inline int64_t AlignUp(int64_t offset, int64_t align) {
  return (offset + align - 1) / align * align;
}

struct Sections {
  std::vector<Bar> bars;
  int count = 0;
  int64_t unit = 1;  // divides every alignment, so every offset
};

// The bars of blocks, on the axis of steps.
Sections BarsOf(absl::Span<const Block> blocks);

// Keeps, of any axis, the sections at which something has started and something ends before the
// next start: what is alive at any other time is alive at one of these too. Two bars are alive
// together before exactly when they are after.
void Compress(Sections& sections);

// The bars' numbers in groups, such that no bar of one is alive together with one of another, and
// no group can be split further. Ordered by time.
std::vector<std::vector<int>> IndependentGroups(absl::Span<const Bar> bars,
                                                std::vector<int> numbers);

// The sizes of `numbers` that are alive in each section, in all.
std::vector<int64_t> SectionTotals(const Sections& sections);

// No packing of these bars is lower: in some section all that lies in it has to be stacked.
int64_t LowerBound(const Sections& sections);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_SECTIONS_H_
