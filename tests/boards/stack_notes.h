// Collects the stack use that `validate` reports for a board, and judges how tight the bounds are.
#ifndef LATHE_TESTS_BOARDS_STACK_NOTES_H_
#define LATHE_TESTS_BOARDS_STACK_NOTES_H_

#include <cstdint>
#include <string>

namespace lathe {

// That no run uses more than its bound `validate` checks itself. A bound may be this many times
// what was used, or of small ones this many bytes above it: frames have space for values that one
// run does not store.
constexpr double kMaxRatio = 1.5;
constexpr int64_t kSlack = 32;

class StackNotes {
 public:
  // The C library of a system with shared libraries cannot be measured.
  explicit StackNotes(bool measures_library = true) : measures_library_(measures_library) {}

  // Parses the line of `said`. Returns false and prints a line if it is missing, if there is no
  // bound for another reason than calls that have none, or where the bound is too far above. That
  // is let pass where the deepest call is one of a function of the C library, unless `deepest`: how
  // deep that goes depends on its arguments.
  bool Note(const std::string& said, const std::string& program, bool deepest);

  // "100 programs, 2 without a bound; bound at most 1.12 times what was used, ..."
  std::string Summary() const;

  int programs() const { return programs_; }

 private:
  bool measures_library_;
  int programs_ = 0;
  int without_ = 0;
  int library_ = 0;          // bounds that a library function's other arguments would reach
  double worst_ = 0;         // of the others, where the bound is more than kSlack above
  int64_t worst_slack_ = 0;  // bytes, where it is not
  double worst_library_ = 0;
};

}  // namespace lathe

#endif  // LATHE_TESTS_BOARDS_STACK_NOTES_H_
