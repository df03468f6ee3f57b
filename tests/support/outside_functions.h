// Provides packed functions for tests: sums, copies, updates in place.
#ifndef LATHE_TESTS_SUPPORT_OUTSIDE_FUNCTIONS_H_
#define LATHE_TESTS_SUPPORT_OUTSIDE_FUNCTIONS_H_

#include <string>

#include "generator/interp/interpreter.h"

namespace lathe::interp {

// The effect of a packed function of a test.
enum class Outside {
  kAdd,          // (a, b): returns a + b
  kIgnore,       // (a): does nothing, returns null
  kDouble,       // (a): doubles its elements in place, returns a
  kRepeatTwice,  // (a, out): writes each row of a twice to out
};

void AddOutside(Interpreter& interpreter, const std::string& name, Outside what);

}  // namespace lathe::interp

#endif  // LATHE_TESTS_SUPPORT_OUTSIDE_FUNCTIONS_H_
