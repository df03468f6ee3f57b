// What a run takes of the arena, as a function of the sizes, in C.
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
  bool exact = true;              // no run takes less
};

class NeedPrinter {
 public:
  explicit NeedPrinter(Model& model) : model_(model) {}

  // Prints the function, after those it calls. Nothing for a routine whose need is a number, or
  // depends on more than its inputs' sizes: on data, or on how deep it recurs.
  absl::StatusOr<std::optional<Need>> Of(ir::RoutineId id) {
    return Of(id, model_.plan.pools.size() - 1);
  }
  // The same of one of several memories that grow.
  absl::StatusOr<std::optional<Need>> Of(ir::RoutineId id, size_t pool);
  // All that were printed, in order: static functions.
  const std::vector<std::string>& functions() const { return functions_; }

 private:
  absl::StatusOr<std::optional<Need>> Print(ir::RoutineId id, size_t pool);

  Model& model_;
  absl::flat_hash_map<std::pair<ir::RoutineId, size_t>, std::optional<Need>> needs_;
  std::vector<std::string> functions_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_NEED_H_
