// Prints a program as lines of steps, for inspection of what was fused into one kernel.
//
//   main(x, w, b) -> (s)
//     matmul_add(x, w, b, lv1; n)  # lv = relax.matmul, lv1 = relax.add
#ifndef LATHE_SCHEDULE_PRINT_STEPS_H_
#define LATHE_SCHEDULE_PRINT_STEPS_H_

#include <string>

#include "generator/ir/program.h"

namespace lathe::schedule {

std::string PrintSteps(const ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_PRINT_STEPS_H_
