// Moves Lets in expressions to statements before them. As expressions they would be printed once
// for each use, which grows exponentially with nested Lets.
#ifndef LATHE_SCHEDULE_FINISH_NAME_LETS_H_
#define LATHE_SCHEDULE_FINISH_NAME_LETS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

void NameLets(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_NAME_LETS_H_
