// Answers syntactic questions about scalar expressions: constants, variables and loads in them.
#ifndef LATHE_NEST_SCALAR_FACTS_H_
#define LATHE_NEST_SCALAR_FACTS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/ir/tir.h"

namespace lathe::nest {

// Returns the value of an integer constant.
std::optional<int64_t> Number(ir::PrimRef e);

// Returns whether `e` is an integer or float constant, and whether it has this value.
bool IsNumber(ir::PrimRef e);
bool IsNumber(ir::PrimRef e, double value);

bool Mentions(ir::PrimRef e, ir::PrimRef var);

// Returns whether `is` accepts one of the conjuncts of `cond`. A null `cond` has none.
bool AnyConjunct(ir::PrimRef cond, absl::FunctionRef<bool(ir::PrimRef)> is);

bool ReadsMemory(ir::PrimRef e);
bool Reads(ir::PrimRef e, ir::BufferRef buffer);

}  // namespace lathe::nest

#endif  // LATHE_NEST_SCALAR_FACTS_H_
