// Names for functions that passes make.
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

  // `wanted` as an identifier that no function of the module has, nor any given before: add, add1.
  std::string Unique(absl::string_view wanted);

 private:
  absl::flat_hash_map<std::string, int> taken_;  // and how often it was wanted again
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_GLOBAL_NAMES_H_
