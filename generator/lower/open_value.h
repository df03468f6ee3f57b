// Values whose structure only the run knows: made of what is known, and taken apart again.
#ifndef LATHE_LOWER_OPEN_VALUE_H_
#define LATHE_LOWER_OPEN_VALUE_H_

#include <optional>
#include <string>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// The tensor that holds it, where `form` is such a value.
std::optional<ir::TensorId> AsValue(const ir::Program& program, const Form& form);

// A new one, which nothing is in yet.
ir::TensorId NewValue(RoutineBuilder& b, const std::string& name, const Location& loc);
// Makes `to` the value of `form`: what that is made of is kept to the end of the run. At the end of
// the routine nothing is written any more; before, a copy is no tensor that something writes into.
// False after a report.
bool KeepIn(RoutineBuilder& b, const Form& form, ir::TensorId to, bool at_end, const Location& loc);
// `form` as such a value; nothing after a report.
std::optional<ir::TensorId> Kept(RoutineBuilder& b, const Form& form, const std::string& name,
                                 const Location& loc);

// A function that keeps `bound` and, behind it, what `function` keeps; nothing after a report.
std::optional<ir::TensorId> Bound(RoutineBuilder& b, ir::TensorId function, std::vector<Form> bound,
                                  const std::string& name, const Location& loc);

// Whether a value of this info can be taken apart, however little.
bool CanOpen(ir::StructInfoRef info);
// The parts of `value`, which has to be what `info` says; what that does not say stays such a
// value.
std::optional<Form> Open(RoutineBuilder& b, ir::TensorId value, ir::StructInfoRef info,
                         const std::string& name, const Location& loc);
// The sizes that `info` names, where `value` has to be a tensor of them and of any dtype: known
// from here on, or checked.
void OpenSizesOf(RoutineBuilder& b, ir::TensorId value, ir::StructInfoRef info,
                 const std::string& name, const Location& loc);
// The tensor that it has to be.
ir::TensorId OpenTensor(RoutineBuilder& b, ir::TensorId value, ir::DType dtype, int rank,
                        const std::string& name, const Location& loc);
// The function that it has to be, which keeps so many values.
Form OpenFunction(RoutineBuilder& b, ir::TensorId value, const Form& function, size_t kept,
                  const std::string& name, const Location& loc);

// That `form` is what `info` says: the sizes that this names are known from here on, the others are
// checked. False where it cannot be.
bool CheckIs(RoutineBuilder& b, const Form& form, ir::StructInfoRef info, const std::string& name,
             const Location& loc);
// The same but for functions, of which it is not asked what they take and give.
bool CheckParts(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                const std::string& name, const Location& loc);

// `form` in the structure of `wanted`, which is of `info`; nothing after a report.
std::optional<Form> Fitted(RoutineBuilder& b, const Form& form, const Form& wanted,
                           ir::StructInfoRef info, const std::string& name, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_OPEN_VALUE_H_
