#include "generator/ir/row_groups.h"

#include <algorithm>

#include "generator/ir/defined_operations.h"
#include "generator/support/check.h"

namespace lathe::ir {
namespace {

class NamedNumbers {
 public:
  NamedNumbers(absl::string_view name, absl::Span<const int64_t> numbers)
      : names_(NumbersOfDefined(name)), numbers_(numbers) {
    LATHE_CHECK(names_.size() == numbers_.size(), "an operation has all of its numbers");
  }
  int64_t operator[](absl::string_view name) const {
    const auto it = std::find(names_.begin(), names_.end(), name);
    LATHE_CHECK(it != names_.end(), "the operation has this number");
    return numbers_[static_cast<size_t>(it - names_.begin())];
  }

 private:
  const std::vector<absl::string_view> names_;
  const absl::Span<const int64_t> numbers_;
};

// Lines outside of the image are not read. Each line is written before the next one is read.
RowGroup GroupOfLines(const NamedNumbers& of) {
  const int64_t length = of["length"], lines = of["lines"], fresh = of["fresh"];
  int64_t first = of["top"] + (lines - fresh) * of["dilation"];
  for (int64_t y = 0; y < fresh && first < 0; ++y) first += of["dilation"];
  return {first * length, lines * (of["before"] + length + of["after"]),
          first >= 0 && first < of["height"], false};
}

// Returns how many rows the operation computes next, after `done` rows.
int64_t RowsTogether(absl::string_view name, const NamedNumbers& of, int64_t done) {
  const int64_t rows = of["rows"];
  if (name == kHeliumProducts) return rows >= kHeliumRows ? kHeliumRows : 1;
  const int64_t together = name == kQuadProducts ? of["together"] : 2;
  if (done + together <= rows) return together;
  return together > 1 && done + 2 <= rows ? 2 : 1;
}

}  // namespace

std::vector<RowGroup> GroupsOfDefined(absl::string_view name, absl::Span<const int64_t> numbers) {
  const NamedNumbers of(name, numbers);
  if (name == kPaddedLines) return {GroupOfLines(of)};
  // The channel is the outer loop.
  if (IsChannelProducts(name)) return {{0, of["columns"] * of["channels"], true, false}};
  // Pairs are widened before they are multiplied, gathered quads are copied, and Helium stores
  // results after all sums.
  const int64_t rows = of["rows"];
  const bool reads_first = name != kQuadProducts || of["gathered"] != 0;
  std::vector<RowGroup> groups;
  for (int64_t done = 0; done < rows;) {
    const int64_t together = RowsTogether(name, of, done);
    // The last rows of Helium overlap those before.
    const int64_t first = std::min(done, rows - together);
    done = first + together;
    groups.push_back({first * of["step"], done * of["columns"], true, reads_first});
  }
  return groups;
}

}  // namespace lathe::ir
