// Boxes values whose structure is known only at run time, and unboxes them.
#ifndef LATHE_LOWER_BOXED_VALUES_H_
#define LATHE_LOWER_BOXED_VALUES_H_

#include <optional>
#include <string>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns the tensor that holds the boxed value, if `form` is one.
std::optional<ir::TensorId> AsBoxed(const ir::Program& program, const Form& form);

// Creates an empty boxed value.
ir::TensorId NewBoxed(RoutineBuilder& b, const std::string& name, const Location& loc);
// Stores `form` in the boxed value `to`. The parts of `form` are kept until the run ends. `at_end`
// states that nothing is written after this step. Before the end, tensors cannot be boxed in a
// function that writes to tensors: this is reported. Returns false after a report.
bool BoxInto(RoutineBuilder& b, const Form& form, ir::TensorId to, bool at_end,
             const Location& loc);
// Returns `form` as a boxed value, or nothing after a report.
std::optional<ir::TensorId> Box(RoutineBuilder& b, const Form& form, const std::string& name,
                                const Location& loc);

// Creates a closure of `bound` and then the captured values of `function`. Returns nothing after a
// report.
std::optional<ir::TensorId> BindCaptured(RoutineBuilder& b, ir::TensorId function,
                                         std::vector<Form> bound, const std::string& name,
                                         const Location& loc);

// Returns whether at least part of the structure of a value of this info is known.
bool CanUnbox(ir::StructInfoRef info);
// Unboxes `value` and checks at run time that it matches `info`. Parts that `info` does not specify
// stay boxed.
std::optional<Form> Unbox(RoutineBuilder& b, ir::TensorId value, ir::StructInfoRef info,
                          const std::string& name, const Location& loc);
// Defines or checks the sizes in `info`, if `info` is a tensor with sizes but without a dtype. Does
// nothing for other infos.
void UnboxSizesOf(RoutineBuilder& b, ir::TensorId value, ir::StructInfoRef info,
                  const std::string& name, const Location& loc);
// Unboxes a tensor of this dtype and rank.
ir::TensorId UnboxTensor(RoutineBuilder& b, ir::TensorId value, ir::DType dtype, int rank,
                         const std::string& name, const Location& loc);
// Unboxes a closure of `function` with `kept` captured values. Returns an external function
// unchanged.
Form UnboxFunction(RoutineBuilder& b, ir::TensorId value, const Form& function, size_t kept,
                   const std::string& name, const Location& loc);

// Checks that `form` matches `info`. New size variables of `info` are defined; the others are
// checked. Returns false if it cannot match.
bool CheckForm(RoutineBuilder& b, const Form& form, ir::StructInfoRef info, const std::string& name,
               const Location& loc);
// Checks the parts likewise, without the signatures of functions.
bool CheckParts(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                const std::string& name, const Location& loc);

// Converts `form`, of info `info`, to the structure of `wanted`. Returns nothing after a report.
std::optional<Form> ConvertForm(RoutineBuilder& b, const Form& form, const Form& wanted,
                                ir::StructInfoRef info, const std::string& name,
                                const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_BOXED_VALUES_H_
