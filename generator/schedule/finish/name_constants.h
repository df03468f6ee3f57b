// Names constants after the kernel and the parameter that read them first.
//
//   const_52 -> conv2d_weights
#ifndef LATHE_SCHEDULE_FINISH_NAME_CONSTANTS_H_
#define LATHE_SCHEDULE_FINISH_NAME_CONSTANTS_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

void NameConstants(ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_NAME_CONSTANTS_H_
