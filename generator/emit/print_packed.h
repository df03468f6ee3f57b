// A call of a function from outside as C: values made of what it is given, and what it gives back
// taken apart.
#ifndef LATHE_EMIT_PRINT_PACKED_H_
#define LATHE_EMIT_PRINT_PACKED_H_

#include <string>

#include "absl/status/status.h"
#include "generator/emit/c_scope.h"
#include "generator/emit/print_value.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// `callee` is an expression of type lathe_packed_fn, `room` the arguments that say where the
// function makes what it makes: memory of a size, or, where the result is kept, the region and its
// floor.
absl::Status PrintPackedStep(CScope& scope, const ir::Program& program, const ir::PackedStep& step,
                             const std::string& callee, const std::string& room, SpellTensor spell,
                             LineWriter& out);

// What the user has to define.
std::string PackedPrototype(const std::string& symbol);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_PRINT_PACKED_H_
