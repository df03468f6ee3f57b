// Counts the reasons for which programs are rejected. Reasons that differ only in names of the
// program are equal.
#ifndef LATHE_TESTS_COMPILED_REFUSALS_H_
#define LATHE_TESTS_COMPILED_REFUSALS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe::compiled {

class Refusals {
 public:
  // `where` is shown with the first of its kind.
  void Add(absl::string_view message, const std::string& where);
  int64_t count() const { return count_; }
  // Prints the most frequent reasons first: "  12 refused: ... (seed 5)".
  void Print(absl::string_view verb) const;

 private:
  struct Alike {
    int64_t count = 0;
    std::string first;
  };
  std::map<std::string, Alike> reasons_;
  int64_t count_ = 0;
};

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_REFUSALS_H_
