#include "generator/ir/access_order.h"

#include <algorithm>

#include "generator/ir/defined_operations.h"
#include "generator/support/check.h"

namespace lathe::ir {
namespace {

// Finds the numbers of a call by the names of NumbersOfDefined.
class NamedNumbers {
 public:
  NamedNumbers(absl::string_view operation, absl::Span<const int64_t> numbers)
      : names_(NumbersOfDefined(operation)), numbers_(numbers) {
    LATHE_CHECK(names_.size() == numbers_.size(), "a call has all numbers of its operation");
  }

  int64_t operator[](absl::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    LATHE_CHECK(found != names_.end(), "the operation has a number of this name");
    return numbers_[static_cast<size_t>(found - names_.begin())];
  }

 private:
  const std::vector<absl::string_view> names_;
  const absl::Span<const int64_t> numbers_;
};

// Lines outside of the image are filled and not read. Each line is written before the next is read.
AccessPart PaddedLinesPart(const NamedNumbers& n) {
  const int64_t lines = n["lines"], fresh = n["fresh"];
  int64_t first = n["top"] + (lines - fresh) * n["dilation"];
  for (int64_t y = 0; y < fresh && first < 0; ++y) first += n["dilation"];
  return {first * n["length"], lines * (n["before"] + n["length"] + n["after"]),
          first >= 0 && first < n["height"], false};
}

// Returns the number of rows that a product computes next, after `done` rows.
int64_t RowsAtOnce(absl::string_view name, const NamedNumbers& n, int64_t done) {
  const int64_t rows = n["rows"];
  if (IsHeliumProducts(name)) return rows >= kHeliumRows ? kHeliumRows : 1;
  if (IsPairedRow(name)) return 1;
  const int64_t together = IsQuadProducts(name) ? n["together"] : 2;
  if (done + together <= rows) return together;
  return together > 1 && done + 2 <= rows ? 2 : 1;
}

}  // namespace

std::vector<AccessPart> AccessOrder(absl::string_view name, absl::Span<const int64_t> numbers) {
  const NamedNumbers n(name, numbers);
  if (name == kPaddedLines) return {PaddedLinesPart(n)};
  if (name == kUnpackWeights) return {{0, n["words"] * kUnpackElements, true, false}};
  if (name == kJoinColumns) return {{0, n["rows"] * n["columns"], true, false}};
  // The outer loop iterates over channels, so that each channel reads and writes all columns.
  if (IsChannelProducts(name)) return {{0, n["columns"] * n["channels"], true, false}};
  // Pairs of rows are widened before they are multiplied, and Helium stores results after all sums.
  // Quads and rows of pairs do neither, unless they gather their rows in scratch memory.
  const bool in_place = (IsQuadProducts(name) || IsPairedRow(name)) && n["gathered"] == 0;
  const int64_t rows = n["rows"];
  std::vector<AccessPart> parts;
  for (int64_t done = 0; done < rows;) {
    const int64_t at_once = RowsAtOnce(name, n, done);
    // The last rows of Helium overlap the rows before them.
    const int64_t first = std::min(done, rows - at_once);
    done = first + at_once;
    parts.push_back({first * n["step"], done * n["columns"], true, !in_place});
  }
  return parts;
}

}  // namespace lathe::ir
