#include "generator/reader/onnx/pattern/state_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr int kMaxPatternStates = 2000;
constexpr int kMaxPatternPlaces = 5000;
constexpr size_t kMaxPatternSteps = 20'000'000;  // less than a second

using ByteRange = std::pair<uint8_t, uint8_t>;  // a range, both ends included

// What precedes or follows a place in the string.
enum class Neighbor { kNothing, kWord, kOther };

bool IsWordByte(int byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
         (byte >= 'a' && byte <= 'z');
}

// Calls `add` for each sequence of byte ranges that together encode the points of [low, high].
template <typename Add>
void EncodeRange(uint32_t low, uint32_t high, const Add& add) {
  constexpr uint32_t kLasts[] = {0x7F, 0x7FF, 0xFFFF, 0x10FFFF};
  for (const uint32_t last : kLasts) {
    if (low <= last && high > last) {
      EncodeRange(low, last, add);
      return EncodeRange(last + 1, high, add);
    }
  }
  const int more = high <= 0x7F ? 0 : high <= 0x7FF ? 1 : high <= 0xFFFF ? 2 : 3;
  // Splits until all continuation bytes after the first that differs are complete ranges.
  for (int i = 1; i <= more; ++i) {
    const uint32_t mask = (uint32_t{1} << (6 * i)) - 1;
    if ((low & ~mask) == (high & ~mask)) continue;
    if ((low & mask) != 0) {
      EncodeRange(low, low | mask, add);
      return EncodeRange((low | mask) + 1, high, add);
    }
    if ((high & mask) != mask) {
      EncodeRange(low, (high & ~mask) - 1, add);
      return EncodeRange(high & ~mask, high, add);
    }
  }
  constexpr uint8_t kLeads[] = {0, 0xC0, 0xE0, 0xF0};
  std::vector<ByteRange> sequence;
  for (int i = more; i >= 0; --i) {
    const auto byte = [&](uint32_t point) {
      const uint32_t bits = point >> (6 * i);
      return static_cast<uint8_t>(i == more ? kLeads[more] | bits : 0x80 | (bits & 0x3F));
    };
    sequence.emplace_back(byte(low), byte(high));
  }
  add(sequence);
}

// A place of the nondeterministic automaton: one step by a byte, or some without.
struct PatternPlace {
  enum Kind { kByte, kSplit, kBegin, kEnd, kWordBoundary, kNoWordBoundary } kind = kSplit;
  ByteRange bytes = {0, 0};
  std::vector<int> next = {};
};

// Builds the places from the end of the pattern to its begin.
class Places {
 public:
  Places() { Add({PatternPlace::kSplit}); }

  const std::vector<PatternPlace>& all() const { return all_; }
  bool too_many() const { return too_many_; }
  static constexpr int kLast = 0;  // where a match ends

  // Returns the place from which `pattern` leads to `after`.
  int Before(const Pattern& pattern, int after) {
    if (too_many_) return after;
    switch (pattern.kind) {
      case PatternKind::kEmpty:
        return after;
      case PatternKind::kCharacter:
        return BeforeCharacter(pattern.points, after);
      case PatternKind::kSequence: {
        int at = after;
        for (size_t i = pattern.parts.size(); i-- > 0;) at = Before(pattern.parts[i], at);
        return at;
      }
      case PatternKind::kChoice: {
        PatternPlace split;
        for (const Pattern& part : pattern.parts) split.next.push_back(Before(part, after));
        return Add(std::move(split));
      }
      case PatternKind::kRepeat:
        return BeforeRepeat(pattern, after);
      case PatternKind::kBegin:
        return Add({PatternPlace::kBegin, {}, {after}});
      case PatternKind::kEnd:
        return Add({PatternPlace::kEnd, {}, {after}});
      case PatternKind::kWordBoundary:
        return Add({PatternPlace::kWordBoundary, {}, {after}});
      case PatternKind::kNoWordBoundary:
        return Add({PatternPlace::kNoWordBoundary, {}, {after}});
    }
    return after;
  }

 private:
  int Add(PatternPlace place) {
    if (std::ssize(all_) >= kMaxPatternPlaces) {
      too_many_ = true;
      return kLast;
    }
    all_.push_back(std::move(place));
    return static_cast<int>(all_.size()) - 1;
  }

  int BeforeCharacter(const CodePoints& points, int after) {
    PatternPlace split;
    for (const auto& [low, high] : points) {
      EncodeRange(low, high, [&](const std::vector<ByteRange>& sequence) {
        int at = after;
        for (size_t i = sequence.size(); i-- > 0;)
          at = Add({PatternPlace::kByte, sequence[i], {at}});
        split.next.push_back(at);
      });
    }
    return Add(std::move(split));
  }

  int BeforeRepeat(const Pattern& repeat, int after) {
    int at = after;
    if (repeat.most < 0) {
      const int loop = Add({PatternPlace::kSplit, {}, {after}});
      const int body = Before(repeat.parts[0], loop);
      all_[static_cast<size_t>(loop)].next.push_back(body);
      at = loop;
    }
    for (int k = repeat.least; k < repeat.most; ++k) {
      at = Add({PatternPlace::kSplit, {}, {after, Before(repeat.parts[0], at)}});
    }
    for (int k = 0; k < repeat.least; ++k) at = Before(repeat.parts[0], at);
    return at;
  }

  std::vector<PatternPlace> all_;
  bool too_many_ = false;
};

// Finds sets of places that a string can lead to. A state is such a set, before steps without a
// byte, and what precedes it.
class Subsets {
 public:
  explicit Subsets(const std::vector<PatternPlace>& places)
      : places_(places),
        bounds_words_(std::any_of(places.begin(), places.end(), [](const PatternPlace& p) {
          return p.kind == PatternPlace::kWordBoundary || p.kind == PatternPlace::kNoWordBoundary;
        })) {}

  absl::StatusOr<StateTable> Run(int begin) {
    FindClasses();
    StateOf({begin}, Neighbor::kNothing);
    for (size_t s = 0; s < states_.size(); ++s) {
      const auto [set, before] = states_[s];
      const std::vector<int> last = Reachable(set, before, Neighbor::kNothing);
      table_.is_accepted.push_back(std::find(last.begin(), last.end(), Places::kLast) !=
                                   last.end());
      const std::vector<int> by_word = Reachable(set, before, Neighbor::kWord);
      const std::vector<int> by_other = Reachable(set, before, Neighbor::kOther);
      steps_ += (by_word.size() + by_other.size()) * representatives_.size();
      if (steps_ > kMaxPatternSteps)
        return absl::ResourceExhaustedError("its states are sets of too many places");
      for (const int byte : representatives_) {
        const Neighbor kind = IsWord(byte) ? Neighbor::kWord : Neighbor::kOther;
        std::vector<int> next;
        for (const int p : kind == Neighbor::kWord ? by_word : by_other) {
          const PatternPlace& place = places_[static_cast<size_t>(p)];
          if (place.kind == PatternPlace::kByte && place.bytes.first <= byte &&
              byte <= place.bytes.second)
            next.push_back(place.next[0]);
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        table_.next.push_back(StateOf(std::move(next), kind));
        if (states_.size() > kMaxPatternStates)
          return absl::ResourceExhaustedError(
              absl::StrCat("it needs more than ", kMaxPatternStates, " states"));
      }
    }
    return std::move(table_);
  }

 private:
  // Without boundaries of words in the pattern, words need no states of their own.
  bool IsWord(int byte) const { return bounds_words_ && IsWordByte(byte); }

  int StateOf(std::vector<int> set, Neighbor before) {
    // All strings without a match share a state.
    if (set.empty()) before = Neighbor::kOther;
    const auto [found, is_new] =
        numbers_.try_emplace({set, before}, static_cast<int>(states_.size()));
    if (is_new) states_.emplace_back(std::move(set), before);
    return found->second;
  }

  // Returns the places that are reached without a byte, between `before` and `after`.
  std::vector<int> Reachable(const std::vector<int>& set, Neighbor before, Neighbor after) {
    std::vector<bool> seen(places_.size());
    std::vector<int> found = set;
    for (const int p : set) seen[static_cast<size_t>(p)] = true;
    for (size_t i = 0; i < found.size(); ++i) {
      const PatternPlace& place = places_[static_cast<size_t>(found[i])];
      const bool boundary = (before == Neighbor::kWord) != (after == Neighbor::kWord);
      const bool passes = place.kind == PatternPlace::kSplit ||
                          (place.kind == PatternPlace::kBegin && before == Neighbor::kNothing) ||
                          (place.kind == PatternPlace::kEnd && after == Neighbor::kNothing) ||
                          (place.kind == PatternPlace::kWordBoundary && boundary) ||
                          (place.kind == PatternPlace::kNoWordBoundary && !boundary);
      if (!passes) continue;
      for (const int next : place.next) {
        if (seen[static_cast<size_t>(next)]) continue;
        seen[static_cast<size_t>(next)] = true;
        found.push_back(next);
      }
    }
    return found;
  }

  // Bytes that no place and no boundary of words tells apart form a class.
  void FindClasses() {
    std::array<bool, 257> starts = {};
    starts[0] = true;
    for (const PatternPlace& place : places_) {
      if (place.kind != PatternPlace::kByte) continue;
      starts[place.bytes.first] = true;
      starts[place.bytes.second + size_t{1}] = true;
    }
    for (int byte = 1; byte < 256; ++byte) {
      if (IsWord(byte) != IsWord(byte - 1)) starts[static_cast<size_t>(byte)] = true;
    }
    for (int byte = 0; byte < 256; ++byte) {
      if (starts[static_cast<size_t>(byte)]) representatives_.push_back(byte);
      table_.classes[static_cast<size_t>(byte)] = static_cast<uint8_t>(representatives_.size() - 1);
    }
    table_.class_count = static_cast<int>(representatives_.size());
  }

  const std::vector<PatternPlace>& places_;
  const bool bounds_words_;
  std::vector<int> representatives_;
  std::vector<std::pair<std::vector<int>, Neighbor>> states_;
  std::map<std::pair<std::vector<int>, Neighbor>, int> numbers_;
  size_t steps_ = 0;  // places visited, for all bytes of all states
  StateTable table_;
};

}  // namespace

absl::StatusOr<StateTable> TableOf(const Pattern& pattern) {
  Places places;
  const int begin = places.Before(pattern, Places::kLast);
  if (places.too_many()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("it needs more than ", kMaxPatternPlaces, " steps"));
  }
  return Subsets(places.all()).Run(begin);
}

}  // namespace lathe::onnx
