// The Lets inside of expressions become variables of statements before them. As expressions they
// would be printed once for each place they are named in, which doubles with each that builds on
// another.
#ifndef LATHE_SCHEDULE_FINISH_NAME_LETS_H_
#define LATHE_SCHEDULE_FINISH_NAME_LETS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

void NameLets(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_NAME_LETS_H_
