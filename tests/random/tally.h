// Counts the constructs of the generated programs.
#ifndef LATHE_TESTS_RANDOM_TALLY_H_
#define LATHE_TESTS_RANDOM_TALLY_H_

#include <map>
#include <string>

namespace lathe::random {

struct Tally {
  std::map<std::string, int64_t> ops;    // calls of each operator
  std::map<std::string, int64_t> forms;  // uses of each form of the language

  void Add(const Tally& other) {
    for (const auto& [name, count] : other.ops) ops[name] += count;
    for (const auto& [name, count] : other.forms) forms[name] += count;
  }
};

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_TALLY_H_
