#include "generator/plan/order_bars.h"

#include <algorithm>

namespace lathe::plan {
namespace {

// Returns the maximum of `totals` over a range in O(1), after O(n log n) preparation (sparse
// table).
class RangeMax {
 public:
  explicit RangeMax(absl::Span<const int64_t> totals) {
    rows_.emplace_back(totals.begin(), totals.end());
    for (size_t width = 1; 2 * width <= totals.size(); width *= 2) {
      const std::vector<int64_t>& below = rows_.back();
      std::vector<int64_t> row(below.size() - width);
      for (size_t i = 0; i < row.size(); ++i) row[i] = std::max(below[i], below[i + width]);
      rows_.push_back(std::move(row));
    }
  }

  int64_t Of(int begin, int end) const {
    size_t row = 0;
    while ((2 << row) <= end - begin) ++row;
    return std::max(rows_[row][begin], rows_[row][end - (1 << row)]);
  }

 private:
  std::vector<std::vector<int64_t>> rows_;  // rows_[k][i] is over [i, i + 2^k)
};

// Uses double because products of bytes and steps may overflow 64 bits. Doubles are deterministic
// across machines, and their precision is enough to sort.
double ValueOf(const Bar& bar, Key key, double pressure) {
  switch (key) {
    case Key::kSize:
      return static_cast<double>(bar.size);
    case Key::kLength:
      return static_cast<double>(bar.length);
    case Key::kWidth:
      return bar.end - bar.begin;
    case Key::kArea:
      return static_cast<double>(bar.size) * static_cast<double>(bar.length);
    case Key::kSectionArea:
      return static_cast<double>(bar.size) * (bar.end - bar.begin);
    case Key::kPressure:
      return pressure;
    case Key::kEarly:
      return -bar.begin;
    case Key::kLate:
      return bar.end;
  }
  return 0;
}

}  // namespace

void SortBars(const Sections& sections, absl::Span<const int64_t> totals, const Ordering& ordering,
              std::vector<int>& numbers) {
  struct Entry {
    std::array<double, 3> values;
    int number;
  };
  const RangeMax most(totals);
  std::vector<Entry> entries;
  entries.reserve(numbers.size());
  for (int i : numbers) {
    const Bar& bar = sections.bars[i];
    const double pressure = static_cast<double>(most.Of(bar.begin, bar.end));
    Entry entry{{}, i};
    for (size_t k = 0; k < ordering.size(); ++k) {
      entry.values[k] = ValueOf(bar, ordering[k], pressure);
    }
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.values != b.values ? a.values > b.values : a.number < b.number;
  });
  for (size_t k = 0; k < entries.size(); ++k) numbers[k] = entries[k].number;
}

}  // namespace lathe::plan
