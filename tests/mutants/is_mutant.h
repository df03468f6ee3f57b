// Tells whether a fault of tests/mutants/mutants.table is enabled.
#ifndef LATHE_TESTS_MUTANTS_IS_MUTANT_H_
#define LATHE_TESTS_MUTANTS_IS_MUTANT_H_

#include <cstdlib>

namespace lathe {

inline bool IsMutant(int number) {
  static const char* const text = std::getenv("LATHE_MUTANT");
  static const int active = text == nullptr ? 0 : std::atoi(text);
  return number == active;
}

}  // namespace lathe

#endif  // LATHE_TESTS_MUTANTS_IS_MUTANT_H_
