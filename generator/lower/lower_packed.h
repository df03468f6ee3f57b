// Lowers calls of external functions: R.call_packed, R.call_pure_packed, R.call_inplace_packed and
// R.ccl.* (exchanges between workers).
#ifndef LATHE_LOWER_LOWER_PACKED_H_
#define LATHE_LOWER_LOWER_PACKED_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Scratch bytes that an external function gets besides those for its results.
inline constexpr int64_t kPackedScratch = 256;

// The function that R.print calls with the format and the values.
inline constexpr char kPrint[] = "lathe.print";

// Returns whether `op` calls an external function, as R.call_pure_packed and R.ccl.allreduce do.
bool CallsPacked(const ir::Op& op);

// Returns whether the first argument of `op` is the external function and its result is the call's.
bool CallsPackedValue(const ir::Op& op);

// Lowers such a call. Returns nothing after a report.
std::optional<Form> LowerPackedOp(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call);
// Returns whether `callee` is an external function and not one of the module.
bool IsExternal(const RoutineBuilder& b, const Form& callee);
// Calls an external function that writes into its last `outputs` arguments and returns nothing.
void LowerPackedEffect(RoutineBuilder& b, const ir::Binding& binding, const std::string& function,
                       std::vector<Form> args, size_t outputs);
// Lowers R.call_packed and calls of globals that are declared but not defined. A PrimFunc of the
// module whose symbol is `function` is called directly. The external function returns a value of
// the info `said`, the call's sinfo_args.
std::optional<Form> LowerPackedCall(RoutineBuilder& b, const ir::Binding& binding,
                                    std::vector<Form> args,
                                    const std::vector<ir::StructInfoRef>& said,
                                    const std::string& function);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_PACKED_H_
