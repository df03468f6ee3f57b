// Shrinks a failing higher-order program to the shortest one that still fails.
#ifndef LATHE_TESTS_HIGHER_ORDER_SHRINK_H_
#define LATHE_TESTS_HIGHER_ORDER_SHRINK_H_

#include <functional>

#include "tests/higher_order/term.h"

namespace lathe::higher_order {

// Leaves out functions and statements, puts one branch for both, constants and other variables for
// what is computed, as long as `fails` holds: of programs only whose names resolve.
Program Shrink(const Program& program, const std::function<bool(const Program&)>& fails);

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_SHRINK_H_
