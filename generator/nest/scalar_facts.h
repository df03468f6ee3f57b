// What the text of a scalar expression says by itself: that it is a number, what it mentions and
// reads.
#ifndef LATHE_NEST_SCALAR_FACTS_H_
#define LATHE_NEST_SCALAR_FACTS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/ir/tir.h"

namespace lathe::nest {

// The whole number that `e` is, where it is one.
std::optional<int64_t> Number(ir::PrimRef e);

// A number of either kind, and that one.
bool IsNumber(ir::PrimRef e);
bool IsNumber(ir::PrimRef e, double value);

bool Mentions(ir::PrimRef e, ir::PrimRef var);

// Whether `is` says yes to one of the conditions that all hold where `cond` (null: always) does.
bool AnyThatHolds(ir::PrimRef cond, absl::FunctionRef<bool(ir::PrimRef)> is);

bool ReadsMemory(ir::PrimRef e);
bool Reads(ir::PrimRef e, ir::BufferRef buffer);

}  // namespace lathe::nest

#endif  // LATHE_NEST_SCALAR_FACTS_H_
