// A random higher-order program as TVMScript.
#ifndef LATHE_TESTS_HIGHER_ORDER_PRINT_PROGRAM_H_
#define LATHE_TESTS_HIGHER_ORDER_PRINT_PROGRAM_H_

#include <string>

#include "tests/higher_order/term.h"

namespace lathe::higher_order {

std::string Print(const Program& program);

// Whether each name in the text means the variable that the program has there: a name that is bound
// again hides what it was bound to, in the text but not in the program.
bool NamesResolve(const Program& program);

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_PRINT_PROGRAM_H_
