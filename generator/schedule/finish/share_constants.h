// Merges constants with equal bytes, so that flash holds them once.
#ifndef LATHE_SCHEDULE_FINISH_SHARE_CONSTANTS_H_
#define LATHE_SCHEDULE_FINISH_SHARE_CONSTANTS_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// The element types must be equal; the shapes may differ. Constants are read-only.
void ShareConstants(ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_SHARE_CONSTANTS_H_
