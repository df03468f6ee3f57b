// Generates random higher-order programs: closures over closures, composition, currying, captured
// recursion, functions in tuples and branches, PrimFuncs and packed functions as values, shadowed
// names.
#ifndef LATHE_TESTS_HIGHER_ORDER_WRITE_PROGRAM_H_
#define LATHE_TESTS_HIGHER_ORDER_WRITE_PROGRAM_H_

#include <cstdint>

#include "tests/higher_order/term.h"

namespace lathe::higher_order {

// Program `seed`, the same on every machine. Its functions `main` and, in some, `second` are
// exported, and give tensors.
Program WriteProgram(uint64_t seed);

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_WRITE_PROGRAM_H_
