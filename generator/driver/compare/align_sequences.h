// Aligns two sequences: finds equal elements in the same order, then similar ones between them.
#ifndef LATHE_DRIVER_COMPARE_ALIGN_SEQUENCES_H_
#define LATHE_DRIVER_COMPARE_ALIGN_SEQUENCES_H_

#include <string>
#include <vector>

namespace lathe::driver {

// The keys of an element: equal elements have the same `whole`, similar ones the same `kind`.
struct SequenceKey {
  std::string whole;
  std::string kind;
};

// An element of both sequences, or of one: the other index is -1.
struct AlignedPair {
  int a = -1, b = -1;
  bool equal = false;  // in `whole`; otherwise only in `kind`
};

// If a.size() * b.size() exceeds this, both sequences are cut in half and aligned separately, so
// that the time is bounded.
inline constexpr double kMaxAlignedCells = 1e8;

// Returns each element once, in the order of both sequences; of those between two pairs, the
// elements of `a` come first. The number of equal pairs is a maximum, except for long sequences
// (kMaxAlignedCells).
std::vector<AlignedPair> AlignSequences(const std::vector<SequenceKey>& a,
                                        const std::vector<SequenceKey>& b);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_ALIGN_SEQUENCES_H_
