// Prints the conditions of branches and assertions between the steps of a routine.
#ifndef LATHE_EMIT_C_PRINT_STEP_CONDITION_H_
#define LATHE_EMIT_C_PRINT_STEP_CONDITION_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/print_moves.h"
#include "generator/emit/c/routine_dialect.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The routine in which the condition is printed.
struct ConditionScope {
  Model& model;
  const RoutineDialect& dialect;
  CNames& names;
  CScope& scope;
  MovePrinter& moves;
};

// Prints whether `condition` holds or, if `holds` is false, does not. A tensor holds if its first
// element is not 0; lines that read the element are appended to `out`.
absl::StatusOr<std::string> PrintStepCondition(const ConditionScope& in, const ir::Part& condition,
                                               bool holds, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_STEP_CONDITION_H_
