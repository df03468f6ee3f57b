// A routine as C: its parameters and the lines of its body.
#ifndef LATHE_EMIT_PRINT_ROUTINE_H_
#define LATHE_EMIT_PRINT_ROUTINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/model_names.h"

namespace lathe::emit {

// One value that goes in or out, as a parameter of the function or a member of a struct.
struct Port {
  std::string type;  // "const float *", "int64_t "
  std::string name;
  std::string shape;     // "n, 16", for a comment; empty for scalars
  std::string capacity;  // a member that says what an output of any size has room for
  ir::Part part;
};
struct RoutineText {
  std::vector<Port> inputs;  // the routine's, then its sizes
  std::vector<Port> outputs;
  std::string signature;  // of the static function
  std::string body;       // lines
};

// `via_structs`: the ports are members of *in and *out, the arena is m's.
absl::StatusOr<RoutineText> PrintRoutine(Model& model, ir::RoutineId id, bool via_structs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_PRINT_ROUTINE_H_
