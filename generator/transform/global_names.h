// Chooses unique names for functions that passes create.
#ifndef LATHE_TRANSFORM_GLOBAL_NAMES_H_
#define LATHE_TRANSFORM_GLOBAL_NAMES_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::transform {

class GlobalNames {
 public:
  explicit GlobalNames(const ir::Module& module);

  // Returns `wanted` as an identifier that is not a function of the module and was not returned
  // before: add, add1.
  std::string Unique(absl::string_view wanted);

 private:
  absl::flat_hash_map<std::string, int> taken_;  // with the last number appended
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_GLOBAL_NAMES_H_
