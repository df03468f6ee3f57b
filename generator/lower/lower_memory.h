// Lowers explicit allocations of memory, and the tensors in it.
#ifndef LATHE_LOWER_LOWER_MEMORY_H_
#define LATHE_LOWER_LOWER_MEMORY_H_

#include <optional>

#include "generator/ir/op.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

bool IsMemoryOperator(const ir::Op& op);

// Lowers such an operator. A storage becomes a tensor of bytes in the arena, which is freed after
// its last use like any other. A tensor in it becomes a view. R.memory.view with another dtype
// copies the bytes. Returns nothing after a report.
std::optional<Form> LowerMemoryOperator(RoutineBuilder& b, const ir::Binding& binding,
                                        const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_MEMORY_H_
