#include "generator/driver/view/find_blocks.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"

namespace lathe::driver {
namespace {

// Deeper parts of names do not make blocks.
constexpr size_t kMaxBlockDepth = 6;
// A longer list is divided into groups of at most kGroupEntries.
constexpr size_t kMaxListEntries = 150;
constexpr size_t kGroupEntries = 100;
// Blocks of names with more steps are divided where a single result is alive.
constexpr int kLongBlock = 8;
// A result with more readers that spans more than a quarter of the steps, such as an attention
// mask, does not connect the blocks that it passes.
constexpr int kManyReaders = 3;

using ScopeParts = std::vector<std::string>;

// Returns the parts of a name without the last one, which names the step itself. A node of several
// operators has their names, separated by ';'.
ScopeParts ScopeOf(absl::string_view name) {
  ScopeParts parts = absl::StrSplit(name.substr(0, name.find(';')), '/', absl::SkipEmpty());
  if (!parts.empty()) parts.pop_back();
  if (parts.size() > kMaxBlockDepth) parts.resize(kMaxBlockDepth);
  return parts;
}

// Returns the runs of [first, last] whose scopes have the same part at `depth`.
std::vector<StepBlock> RunsOf(const std::vector<ScopeParts>& scopes, int first, int last,
                              size_t depth) {
  std::vector<StepBlock> blocks;
  const auto scope = [&](int at) -> const ScopeParts& { return scopes[static_cast<size_t>(at)]; };
  for (int begin = first; begin <= last;) {
    int end = begin;
    const bool deep = scope(begin).size() > depth;
    while (deep && end < last && scope(end + 1).size() > depth &&
           scope(end + 1)[depth] == scope(begin)[depth]) {
      ++end;
    }
    if (end > begin) {
      std::vector<StepBlock> inner = RunsOf(scopes, begin, end, depth + 1);
      if (begin == first && end == last)
        return inner;  // says nothing that the outer block does not
      const absl::Span<const std::string> parts(scope(begin).data(), depth + 1);
      blocks.push_back({begin, end, absl::StrJoin(parts, "/"), false, std::move(inner)});
    }
    begin = end + 1;
  }
  return blocks;
}

// Returns for each step whether at most one result is alive after it.
std::vector<bool> CutsOf(const std::vector<BlockStep>& steps) {
  const int count = static_cast<int>(steps.size());
  std::vector<int> last_reader(steps.size(), -1), readers(steps.size(), 0);
  for (int at = 0; at < count; ++at) {
    for (int producer : steps[static_cast<size_t>(at)].producers) {
      if (producer < 0 || producer >= at) continue;
      last_reader[static_cast<size_t>(producer)] = at;
      ++readers[static_cast<size_t>(producer)];
    }
  }
  // The change of the number of live results before each step.
  std::vector<int> change(steps.size() + 1, 0);
  for (int at = 0; at < count; ++at) {
    const int last = last_reader[static_cast<size_t>(at)];
    const bool passes = readers[static_cast<size_t>(at)] > kManyReaders && last - at > count / 4;
    if (last < 0 || passes || steps[static_cast<size_t>(at)].constant) continue;
    ++change[static_cast<size_t>(at) + 1];
    --change[static_cast<size_t>(last) + 1];
  }
  std::vector<bool> cuts;
  int live = 0;
  for (int at = 0; at < count; ++at) {
    live += change[static_cast<size_t>(at) + 1];
    cuts.push_back(live <= 1);
  }
  return cuts;
}

// Returns the ranges of [first, last] between cuts. After the first step a single result is alive;
// one block of all others would fold nothing.
std::vector<StepBlock> RegionsOf(const std::vector<bool>& cuts, int first, int last) {
  std::vector<StepBlock> blocks;
  int begin = first;
  for (int at = first; at <= last; ++at) {
    if (!cuts[static_cast<size_t>(at)] && at < last) continue;
    if (at > begin) blocks.push_back({begin, at, "", false, {}});
    begin = at + 1;
  }
  const bool all = blocks.size() == 1 && blocks[0].first <= first + 1 && blocks[0].last == last;
  return all ? std::vector<StepBlock>() : blocks;
}

// Divides blocks of names that have no parts of their own.
void DivideLeaves(const std::vector<bool>& cuts, std::vector<StepBlock>& blocks) {
  for (StepBlock& block : blocks) {
    DivideLeaves(cuts, block.children);
    if (block.children.empty() && block.last - block.first >= kLongBlock) {
      block.children = RegionsOf(cuts, block.first, block.last);
    }
  }
}

// Divides the entries of [first, last], blocks and single steps, into groups if there are many.
void Group(int first, int last, std::vector<StepBlock>& blocks) {
  for (StepBlock& block : blocks) Group(block.first, block.last, block.children);
  size_t entries = static_cast<size_t>(last - first + 1);
  for (const StepBlock& block : blocks) entries -= static_cast<size_t>(block.last - block.first);
  if (entries <= kMaxListEntries) return;
  std::vector<StepBlock> groups;
  size_t next = 0;
  for (int at = first; at <= last;) {
    StepBlock group{at, at, "", true, {}};
    for (size_t i = 0; i < kGroupEntries && at <= last; ++i) {
      if (next < blocks.size() && blocks[next].first == at) {
        at = blocks[next].last;
        group.children.push_back(std::move(blocks[next++]));
      }
      group.last = at++;
    }
    if (group.last > group.first) groups.push_back(std::move(group));
  }
  blocks = std::move(groups);
  Group(first, last, blocks);
}

}  // namespace

std::vector<StepBlock> FindBlocks(const std::vector<BlockStep>& steps) {
  if (steps.empty()) return {};
  std::vector<ScopeParts> scopes;
  size_t scoped = 0;
  for (const BlockStep& step : steps) {
    scopes.push_back(ScopeOf(step.name));
    if (!scopes.back().empty()) ++scoped;
  }
  const int last = static_cast<int>(steps.size()) - 1;
  const std::vector<bool> cuts = CutsOf(steps);
  std::vector<StepBlock> blocks;
  if (2 * scoped >= steps.size()) blocks = RunsOf(scopes, 0, last, 0);
  DivideLeaves(cuts, blocks);
  // A single block of most steps, such as "model", would fold too much.
  while (blocks.size() == 1 && 4 * (blocks[0].last - blocks[0].first + 1) > 3 * (last + 1)) {
    blocks = std::vector<StepBlock>(std::move(blocks[0].children));
  }
  if (blocks.empty()) blocks = RegionsOf(cuts, 0, last);
  Group(0, last, blocks);
  return blocks;
}

}  // namespace lathe::driver
