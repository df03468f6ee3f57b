// Calls of functions from outside: R.call_packed and its kin, exchanges between workers.
#ifndef LATHE_LOWER_LOWER_PACKED_H_
#define LATHE_LOWER_LOWER_PACKED_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Bytes that a function finds beside those its results take, for what it makes on the way.
inline constexpr int64_t kPackedScratch = 256;

// What R.print calls, with the format and the values.
inline constexpr char kPrint[] = "lathe.print";

// Whether `op` calls a function from outside: R.call_pure_packed, R.ccl.allreduce.
bool CallsPacked(const ir::Op& op);

// Whether its first argument is that function, and what it gives is the result.
bool CallsPackedValue(const ir::Op& op);

// Such a call; nothing after a report.
std::optional<Form> LowerPackedOp(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call);
// Whether `callee` is a function from outside, and nothing of the module.
bool IsFromOutside(const RoutineBuilder& b, const Form& callee);
// Calls such a function, which writes into the last `outputs` of its arguments and gives nothing.
void LowerPackedEffect(RoutineBuilder& b, const ir::Binding& binding, const std::string& function,
                       std::vector<Form> args, size_t outputs);
// R.call_packed, and a global that is declared and not defined: a function from outside that gives
// what `said`, the call's sinfo_args, says.
std::optional<Form> LowerPackedCall(RoutineBuilder& b, const ir::Binding& binding,
                                    std::vector<Form> args,
                                    const std::vector<ir::StructInfoRef>& said,
                                    const std::string& function);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_PACKED_H_
