#include "generator/plan/draw_packing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/plan/first_fit_overlapping.h"
#include "generator/plan/peak.h"

namespace lathe::plan {
namespace {

struct Row {
  int step = 0;
  int64_t bytes = 0;
  std::vector<size_t> alive;
};

// Divides the steps into at most `rows` ranges and returns the fullest step of each.
std::vector<Row> FullestSteps(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                              int rows) {
  if (blocks.empty()) return {};
  std::vector<int64_t> changes;  // steps
  for (const Block& b : blocks) {
    changes.insert(changes.end(), {b.first, static_cast<int64_t>(b.last) + 1});
  }
  std::sort(changes.begin(), changes.end());
  const int64_t first = changes.front();
  const int64_t steps = changes.back() - first;
  const int64_t count = std::min<int64_t>(rows, steps);
  std::vector<Row> result;
  size_t next = 0;
  for (int64_t row = 0; row < count; ++row) {
    const int64_t end = first + steps * (row + 1) / count;
    Row fullest{0, -1, {}};
    for (int64_t step = first + steps * row / count; step < end;) {
      while (next < changes.size() && changes[next] <= step) ++next;
      const int64_t bytes = BytesInUse(blocks, offsets, static_cast<int>(step));
      if (bytes > fullest.bytes) fullest = {static_cast<int>(step), bytes, {}};
      step = next < changes.size() ? changes[next] : end;
    }
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].first <= fullest.step && fullest.step <= blocks[i].last) {
        fullest.alive.push_back(i);
      }
    }
    result.push_back(std::move(fullest));
  }
  return result;
}

class Canvas {
 public:
  Canvas(int columns, int64_t height) : columns_(columns), height_(height) {}

  // Returns the bars, and the blocks that other bars cover in part or entirely.
  std::pair<std::string, std::string> Line(const Row& row, absl::Span<const Block> blocks,
                                           absl::Span<const int64_t> offsets,
                                           absl::Span<const std::string> names) const {
    std::string line(columns_, '.'), hidden;
    std::vector<size_t> alive = row.alive;
    std::stable_sort(alive.begin(), alive.end(),
                     [offsets](size_t a, size_t b) { return offsets[a] < offsets[b]; });
    size_t from = 0;
    int64_t end = 0;
    for (size_t i : alive) {
      if (blocks[i].size == 0) continue;
      const std::string name = i < names.size() ? names[i] : absl::StrCat(i);
      if (offsets[i] < end) {
        absl::StrAppend(&hidden, hidden.empty() ? "  overlapped: " : ", ", name, " at ", offsets[i],
                        "..", offsets[i] + blocks[i].size);
      }
      if (offsets[i] + blocks[i].size <= end) continue;  // covered
      end = offsets[i] + blocks[i].size;
      from = std::max(from, ColumnOf(offsets[i]));
      const size_t to = std::min(std::max(ColumnOf(offsets[i] + blocks[i].size), from + 1),
                                 static_cast<size_t>(columns_));
      if (from >= to) continue;
      line.replace(from, to - from, Bar(name, to - from));
      from = to;
    }
    return {std::move(line), std::move(hidden)};
  }

 private:
  static std::string Bar(const std::string& name, size_t width) {
    if (width == 1) return "#";
    std::string bar(width, '=');
    const size_t shown = std::min(name.size(), width - 2);
    bar.replace(1, shown, name, 0, shown);
    bar.front() = '[';
    bar.back() = ']';
    return bar;
  }

  // Uses double because bytes times columns may overflow 64 bits. Rounding errors do not matter.
  size_t ColumnOf(int64_t offset) const {
    return static_cast<size_t>(
        static_cast<double>(offset) / static_cast<double>(height_) * columns_ + 0.5);
  }

  int columns_;
  int64_t height_;
};

}  // namespace

std::string DrawPacking(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                        absl::Span<const std::string> names, const DrawOptions& options) {
  const int64_t height = HeightOf(blocks, offsets);
  const std::vector<Row> drawn = FullestSteps(blocks, offsets, std::max(options.rows, 1));
  const auto peak = std::max_element(drawn.begin(), drawn.end(),
                                     [](const Row& a, const Row& b) { return a.bytes < b.bytes; });
  const int columns = std::max(options.columns, 1);
  const Canvas canvas(columns, std::max<int64_t>(height, 1));
  std::string text = absl::StrFormat("%8s %12s  0%*d\n", "step", "bytes", columns - 1, height);
  for (const Row& row : drawn) {
    const auto [bars, overlapped] = canvas.Line(row, blocks, offsets, names);
    absl::StrAppendFormat(&text, "%8d %12d  %s%s%s\n", row.step, row.bytes, bars,
                          row.step == peak->step ? "  peak" : "", overlapped);
  }
  return text;
}

}  // namespace lathe::plan
