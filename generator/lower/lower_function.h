// The body of a Relax function as the steps of its routine.
#ifndef LATHE_LOWER_LOWER_FUNCTION_H_
#define LATHE_LOWER_LOWER_FUNCTION_H_

#include <optional>
#include <vector>

#include "generator/lower/lowering.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Fills in the routine of the signature. What cannot be lowered is reported, all of it.
void LowerFunction(Lowering& all, const Signature& signature, const ir::Function& f);

// How deep bodies may come to stand in each other's places, and how many in all.
inline constexpr int kMostInlinedDepth = 64;
inline constexpr int kMostInlined = 4096;

// Whether the body of a function can stand in place of a call here: it does not call itself, is not
// the function whose routine this is, and not too many bodies stand so already. Where it cannot, a
// routine for the structure of the arguments does.
bool CanInline(const RoutineBuilder& b, ir::GlobalId id);

// The body of such a function, in place of a call. Nothing after a report.
std::optional<Form> InlineFunction(RoutineBuilder& b, ir::GlobalId id,
                                   const std::vector<Form>& args, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_FUNCTION_H_
