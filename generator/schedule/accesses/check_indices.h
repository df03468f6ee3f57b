// Inserts assertions before accesses whose index depends on data, so that no data makes generated C
// access memory outside of a tensor. PrimFuncs with thread bindings are unchanged.
#ifndef LATHE_SCHEDULE_ACCESSES_CHECK_INDICES_H_
#define LATHE_SCHEDULE_ACCESSES_CHECK_INDICES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// The error kind of the inserted assertions.
inline constexpr char kIndexError[] = "IndexError";

// Requires that expressions contain no Lets (name_lets.h).
void CheckIndices(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_CHECK_INDICES_H_
