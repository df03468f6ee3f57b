#include "generator/plan/draw_packing.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/plan/peak.h"

namespace lathe::plan {
namespace {

struct Row {
  int step = 0;
  int64_t bytes = 0;
  std::vector<size_t> alive;
};

// The steps from the first to the last in at most `rows` stretches, each by its fullest step. Only
// a step in which something starts can be fuller than the one before it.
std::vector<Row> FullestSteps(absl::Span<const Block> blocks, int rows) {
  if (blocks.empty()) return {};
  std::vector<size_t> by_first;
  int64_t first = blocks[0].first;
  int64_t last = blocks[0].last;
  for (size_t i = 0; i < blocks.size(); ++i) {
    by_first.push_back(i);
    first = std::min<int64_t>(first, blocks[i].first);
    last = std::max<int64_t>(last, blocks[i].last);
  }
  std::stable_sort(by_first.begin(), by_first.end(),
                   [blocks](size_t a, size_t b) { return blocks[a].first < blocks[b].first; });
  const int64_t count = std::min<int64_t>(rows, last - first + 1);
  std::vector<Row> result;
  std::vector<size_t> alive;
  size_t next = 0;
  for (int64_t row = 0; row < count; ++row) {
    const int64_t from = first + (last - first + 1) * row / count;
    const int64_t to = first + (last - first + 1) * (row + 1) / count;
    Row fullest;
    fullest.bytes = -1;
    for (int64_t step = from; step < to;) {
      for (; next < by_first.size() && blocks[by_first[next]].first <= step; ++next) {
        alive.push_back(by_first[next]);
      }
      alive.erase(std::remove_if(alive.begin(), alive.end(),
                                 [&](size_t i) { return blocks[i].last < step; }),
                  alive.end());
      int64_t bytes = 0;
      for (size_t i : alive) bytes += blocks[i].size;
      if (bytes > fullest.bytes) fullest = {static_cast<int>(step), bytes, alive};
      step = next < by_first.size() ? blocks[by_first[next]].first : to;
    }
    result.push_back(std::move(fullest));
  }
  return result;
}

class Canvas {
 public:
  Canvas(int columns, int64_t height) : columns_(columns), height_(height) {}

  std::string Line(const Row& row, absl::Span<const Block> blocks,
                   absl::Span<const int64_t> offsets, absl::Span<const std::string> names) const {
    std::string line(columns_, '.');
    std::vector<size_t> alive = row.alive;
    std::stable_sort(alive.begin(), alive.end(),
                     [offsets](size_t a, size_t b) { return offsets[a] < offsets[b]; });
    size_t from = 0;
    for (size_t i : alive) {
      if (blocks[i].size == 0) continue;
      from = std::max(from, ColumnOf(offsets[i]));
      const size_t to = std::min(std::max(ColumnOf(offsets[i] + blocks[i].size), from + 1),
                                 static_cast<size_t>(columns_));
      if (from >= to) continue;
      const std::string name = i < names.size() ? names[i] : absl::StrCat(i);
      line.replace(from, to - from, Bar(name, to - from));
      from = to;
    }
    return line;
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

  // As a double: bytes times columns may leave 64 bits, and a column is not that exact.
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
  int64_t height = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    height = std::max(height, offsets[i] + blocks[i].size);
  }
  const Peak peak = FindPeak(blocks);
  const int columns = std::max(options.columns, 1);
  const Canvas canvas(columns, std::max<int64_t>(height, 1));
  std::string text = absl::StrFormat("%8s %12s  0%*d\n", "step", "bytes", columns - 1, height);
  for (const Row& row : FullestSteps(blocks, std::max(options.rows, 1))) {
    absl::StrAppendFormat(&text, "%8d %12d  %s%s\n", row.step, row.bytes,
                          canvas.Line(row, blocks, offsets, names),
                          row.step == peak.step ? "  peak" : "");
  }
  return text;
}

}  // namespace lathe::plan
