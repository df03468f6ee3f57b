// Names the inputs and outputs of a routine, and tells the printers how its body refers to them.
#ifndef LATHE_EMIT_C_PORTS_H_
#define LATHE_EMIT_C_PORTS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/print_moves.h"

namespace lathe::emit {

// An input or output: a parameter of the function or a member of a struct.
struct Port {
  std::string type;  // "const float *", "int64_t "
  CName name;
  // The local variable that starts with the value of the port and gets a new value in each
  // iteration of a looping routine. Empty if no iteration changes the value.
  std::string local;
  // The shape as text for a comment: "n, 16". Empty for scalars.
  std::string shape;
  // The member, or on GPUs the parameter, for the capacity of an output of dynamic size. Empty for
  // all other ports.
  std::string capacity;
  ir::Part part;
};

struct Ports {
  // The inputs of the routine, then its sizes.
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  // The C expressions of the capacities of outputs of dynamic size.
  absl::flat_hash_map<ir::TensorId, std::string> capacities;
};

// Chooses the names of the inputs and outputs of the routine `id`. Adds their C expressions to
// `scope` and `moves`. If `via_structs`, they are members of the structs *in and *out.
absl::StatusOr<Ports> NamePorts(const Model& model, ir::RoutineId id, bool via_structs,
                                CScope& scope, MovePrinter& moves);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PORTS_H_
