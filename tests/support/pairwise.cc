#include "tests/support/pairwise.h"

#include <array>
#include <optional>
#include <set>

namespace lathe::testing {

namespace {

using Pair = std::array<size_t, 4>;  // two places, the first one first, and the numbers there

Pair PairOf(size_t i, size_t a, size_t j, size_t b) {
  return i < j ? Pair{i, j, a, b} : Pair{j, i, b, a};
}

}  // namespace

std::vector<std::vector<size_t>> Pairwise(const std::vector<size_t>& levels) {
  std::set<Pair> missing;
  for (size_t i = 0; i < levels.size(); ++i) {
    for (size_t j = i + 1; j < levels.size(); ++j) {
      for (size_t a = 0; a < levels[i]; ++a) {
        for (size_t b = 0; b < levels[j]; ++b) missing.insert(PairOf(i, a, j, b));
      }
    }
  }
  std::vector<std::vector<size_t>> rows;
  while (!missing.empty()) {
    const Pair first = *missing.begin();
    std::vector<std::optional<size_t>> row(levels.size());
    row[first[0]] = first[2];
    row[first[1]] = first[3];
    // Chooses for each position the value that covers most missing pairs; ties alternate between
    // rows.
    for (size_t i = 0; i < levels.size(); ++i) {
      if (row[i].has_value()) continue;
      size_t best = 0, most = 0;
      for (size_t n = 0; n < levels[i]; ++n) {
        const size_t number = (n + rows.size()) % levels[i];
        size_t meets = 1;
        for (size_t j = 0; j < levels.size(); ++j) {
          if (row[j].has_value()) meets += missing.count(PairOf(i, number, j, *row[j]));
        }
        if (meets > most) {
          most = meets;
          best = number;
        }
      }
      row[i] = best;
    }
    std::vector<size_t> numbers;
    for (const std::optional<size_t>& number : row) numbers.push_back(*number);
    for (size_t i = 0; i < numbers.size(); ++i) {
      for (size_t j = i + 1; j < numbers.size(); ++j) {
        missing.erase(PairOf(i, numbers[i], j, numbers[j]));
      }
    }
    rows.push_back(numbers);
  }
  return rows;
}

}  // namespace lathe::testing
