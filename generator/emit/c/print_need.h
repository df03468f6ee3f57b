// Prints C functions that compute the arena bytes of a run from the sizes of its inputs.
#ifndef LATHE_EMIT_C_PRINT_NEED_H_
#define LATHE_EMIT_C_PRINT_NEED_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"

namespace lathe::emit {

struct Need {
  std::string function;           // "net_layer_need"
  std::vector<ir::PrimRef> vars;  // its parameters: the inputs and sizes it depends on
  bool exact = true;              // false if a run may take less
};

class NeedPrinter {
 public:
  explicit NeedPrinter(Model& model) : model_(model) {}

  // Prints the function of the routine `id`, after the functions it calls. Returns nullopt if the
  // need of the routine is constant, or if it depends on more than the sizes of its inputs: on data
  // or on the recursion depth.
  absl::StatusOr<std::optional<Need>> Of(ir::RoutineId id) {
    return Of(id, model_.plan.pools.size() - 1);
  }
  // The same for the pool number `pool`.
  absl::StatusOr<std::optional<Need>> Of(ir::RoutineId id, size_t pool);
  // Returns the printed functions, all static, in the order of their definitions.
  const std::vector<std::string>& functions() const { return functions_; }

 private:
  absl::StatusOr<std::optional<Need>> Print(ir::RoutineId id, size_t pool);

  Model& model_;
  absl::flat_hash_map<std::pair<ir::RoutineId, size_t>, std::optional<Need>> needs_;
  std::vector<std::string> functions_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_NEED_H_
