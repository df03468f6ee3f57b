// Lowers the body of a Relax function to the steps of its routine.
#ifndef LATHE_LOWER_LOWER_FUNCTION_H_
#define LATHE_LOWER_LOWER_FUNCTION_H_

#include <optional>
#include <vector>

#include "generator/lower/lowering.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Fills in the routine of the signature. Reports everything that cannot be lowered.
void LowerFunction(Lowering& lowering, const Signature& signature, const ir::Function& f);

// Limits of inlining: the depth of nested bodies and their total number.
inline constexpr int kMaxInlineDepth = 64;
inline constexpr int kMaxInlined = 4096;

// Returns whether a call of the function can be inlined here: it does not call itself, is not the
// function of this routine, and the limits are not reached. Otherwise a routine is specialized for
// the arguments.
bool CanInline(const RoutineBuilder& b, ir::GlobalId id);

// Inlines the body of such a function. Returns nothing after a report.
std::optional<Form> InlineFunction(RoutineBuilder& b, ir::GlobalId id,
                                   const std::vector<Form>& args, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_FUNCTION_H_
