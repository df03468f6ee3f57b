#include "generator/driver/compare/align_sequences.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace lathe::driver {
namespace {

// The texts as numbers, equal for equal texts.
using Numbers = std::vector<int>;

struct PartOfBoth {
  int a, a_end, b, b_end;
};

// Finds a longest common subsequence by the method of Hirschberg, whose memory is linear.
class CommonSubsequence {
 public:
  CommonSubsequence(const Numbers& a, const Numbers& b) : a_(a), b_(b) {}

  // Returns the pairs inside `part`, ascending.
  std::vector<std::pair<int, int>> Find(const PartOfBoth& part) {
    pairs_.clear();
    Solve(part);
    return std::move(pairs_);
  }

 private:
  bool Equal(int i, int j) const {
    return a_[static_cast<size_t>(i)] == b_[static_cast<size_t>(j)];
  }

  void Solve(PartOfBoth p) {
    while (p.a < p.a_end && p.b < p.b_end && Equal(p.a, p.b)) pairs_.emplace_back(p.a++, p.b++);
    int suffix = 0;
    while (p.a < p.a_end && p.b < p.b_end && Equal(p.a_end - 1, p.b_end - 1)) {
      --p.a_end;
      --p.b_end;
      ++suffix;
    }
    if (p.a < p.a_end && p.b < p.b_end) Divide(p);
    for (int i = 0; i < suffix; ++i) pairs_.emplace_back(p.a_end + i, p.b_end + i);
  }

  void Divide(const PartOfBoth& p) {
    const int middle = p.a + (p.a_end - p.a) / 2;
    if (p.a_end - p.a == 1) {
      for (int j = p.b; j < p.b_end; ++j) {
        if (Equal(p.a, j)) {
          pairs_.emplace_back(p.a, j);
          return;
        }
      }
      return;
    }
    int split = p.b + (p.b_end - p.b) / 2;
    if (static_cast<double>(p.a_end - p.a) * (p.b_end - p.b) <= kMaxAlignedCells) {
      const Numbers before = Lengths({p.a, middle, p.b, p.b_end}, false);
      const Numbers after = Lengths({middle, p.a_end, p.b, p.b_end}, true);
      int most = -1;
      for (int j = 0; j <= p.b_end - p.b; ++j) {
        const int length = before[static_cast<size_t>(j)] + after[static_cast<size_t>(j)];
        if (length > most) {
          most = length;
          split = p.b + j;
        }
      }
    }
    Solve({p.a, middle, p.b, split});
    Solve({middle, p.a_end, split, p.b_end});
  }

  // Returns for each j the length of the longest common subsequence of the part of `a` and the
  // first j elements of the part of `b`; reversed, of those from j on.
  Numbers Lengths(const PartOfBoth& p, bool reversed) const {
    const size_t width = static_cast<size_t>(p.b_end - p.b);
    Numbers row(width + 1, 0), next(width + 1, 0), line(b_.begin() + p.b, b_.begin() + p.b_end);
    if (reversed) std::reverse(line.begin(), line.end());
    for (int i = 0; i < p.a_end - p.a; ++i) {
      const int at = a_[static_cast<size_t>(reversed ? p.a_end - 1 - i : p.a + i)];
      // Plain pointers, because this loop takes all of the time.
      const int *before = row.data(), *other = line.data();
      int *now = next.data(), left = 0;
      for (size_t j = 0; j < width; ++j) {
        left = at == other[j] ? before[j] + 1 : before[j + 1] > left ? before[j + 1] : left;
        now[j + 1] = left;
      }
      std::swap(row, next);
    }
    if (reversed) std::reverse(row.begin(), row.end());
    return row;
  }

  const Numbers &a_, &b_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace

std::vector<AlignedPair> AlignSequences(const std::vector<SequenceKey>& a,
                                        const std::vector<SequenceKey>& b) {
  absl::flat_hash_map<std::string, int> numbers;
  const auto number = [&](const std::vector<SequenceKey>& keys, std::string SequenceKey::*text) {
    Numbers of_keys;
    for (const SequenceKey& key : keys) {
      of_keys.push_back(
          numbers.try_emplace(key.*text, static_cast<int>(numbers.size())).first->second);
    }
    return of_keys;
  };
  const Numbers whole_a = number(a, &SequenceKey::whole), whole_b = number(b, &SequenceKey::whole);
  const Numbers kind_a = number(a, &SequenceKey::kind), kind_b = number(b, &SequenceKey::kind);
  const int end_a = static_cast<int>(a.size()), end_b = static_cast<int>(b.size());
  auto equal = CommonSubsequence(whole_a, whole_b).Find({0, end_a, 0, end_b});
  equal.emplace_back(end_a, end_b);
  std::vector<AlignedPair> aligned;
  int at_a = 0, at_b = 0;
  const auto add_single = [&](int until_a, int until_b) {
    for (; at_a < until_a; ++at_a) aligned.push_back({at_a, -1, false});
    for (; at_b < until_b; ++at_b) aligned.push_back({-1, at_b, false});
  };
  for (const auto& [i, j] : equal) {
    for (const auto& [x, y] : CommonSubsequence(kind_a, kind_b).Find({at_a, i, at_b, j})) {
      add_single(x, y);
      aligned.push_back({at_a++, at_b++, false});
    }
    add_single(i, j);
    if (i < end_a || j < end_b) aligned.push_back({at_a++, at_b++, true});
  }
  return aligned;
}

}  // namespace lathe::driver
