// Constants of the same bytes become one: flash holds them once.
#ifndef LATHE_SCHEDULE_FINISH_SHARE_CONSTANTS_H_
#define LATHE_SCHEDULE_FINISH_SHARE_CONSTANTS_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// Of one element type, whatever their shapes. Nothing writes into a constant.
void ShareConstants(ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_SHARE_CONSTANTS_H_
