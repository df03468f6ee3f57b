// A random generator with equal results on every machine: SplitMix64.
#ifndef LATHE_TESTS_RANDOM_DICE_H_
#define LATHE_TESTS_RANDOM_DICE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace lathe::random {

class Dice {
 public:
  // The state is a step of another row, or seeds in a row would give the same numbers, moved by
  // one.
  explicit Dice(uint64_t seed) : state_(seed) { state_ = Next() ^ 0x5851f42d4c957f2du; }

  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 to n - 1; n is at least 1.
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Next() % static_cast<uint64_t>(high - low + 1));
  }
  bool Percent(int chance) { return Below(100) < static_cast<size_t>(chance); }

  template <typename T>
  const auto& From(const T& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(Below(std::size(list))));
  }
  template <typename T>
  T Of(std::initializer_list<T> list) {
    return *(list.begin() + Below(list.size()));
  }
  template <typename T>
  void Shuffle(T& list) {
    for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[Below(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_DICE_H_
