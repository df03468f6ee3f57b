// A kernel that reads or writes where its data says checks each such place first, so that no data
// makes C read or write outside a tensor. PrimFuncs that bind loops to threads of a GPU stay as
// they are.
#ifndef LATHE_SCHEDULE_ACCESSES_CHECK_INDICES_H_
#define LATHE_SCHEDULE_ACCESSES_CHECK_INDICES_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// The kind of the assertions that it adds.
inline constexpr char kIndexError[] = "IndexError";

// Kernels have no Lets inside of expressions any more (name_lets.h).
void CheckIndices(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_CHECK_INDICES_H_
