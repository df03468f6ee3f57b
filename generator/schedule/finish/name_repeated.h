// What the statements of an operator's kernel say several times becomes a variable, computed where
// it changes and no deeper. Functions that a user wrote stay as they are.
#ifndef LATHE_SCHEDULE_FINISH_NAME_REPEATED_H_
#define LATHE_SCHEDULE_FINISH_NAME_REPEATED_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

void NameRepeated(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_NAME_REPEATED_H_
