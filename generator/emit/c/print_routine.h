// Prints a routine as C: its parameters and the lines of its body.
#ifndef LATHE_EMIT_C_PRINT_ROUTINE_H_
#define LATHE_EMIT_C_PRINT_ROUTINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/ports.h"

namespace lathe::emit {

struct RoutineText {
  std::vector<Port> inputs;  // the inputs of the routine, then its sizes
  std::vector<Port> outputs;
  std::string signature;  // of the static function
  std::string body;       // lines
};

// Prints the routine `id`. If `via_structs`, its ports are members of the structs *in and *out, and
// the arena is a member of the model *m. Otherwise all are parameters.
absl::StatusOr<RoutineText> PrintRoutine(Model& model, ir::RoutineId id, bool via_structs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_ROUTINE_H_
