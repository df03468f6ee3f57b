// Provides packed functions for tests: sums, copies, updates in place.
#ifndef LATHE_TESTS_SUPPORT_OUTSIDE_FUNCTIONS_H_
#define LATHE_TESTS_SUPPORT_OUTSIDE_FUNCTIONS_H_

#include <string>

#include "generator/interp/interpreter.h"

namespace lathe::interp {

// What a packed function of a test does with its tensors.
enum class Outside {
  kAdd,          // (a, b): gives a + b
  kIgnore,       // (a): does nothing, gives null
  kDouble,       // (a): doubles its elements in place, gives a
  kRepeatTwice,  // (a, out): writes the rows of a, each twice over, into out
};

void AddOutside(Interpreter& interpreter, const std::string& name, Outside what);

}  // namespace lathe::interp

#endif  // LATHE_TESTS_SUPPORT_OUTSIDE_FUNCTIONS_H_
