// Chooses unique macro names in the header of a model, across all its functions.
#ifndef LATHE_EMIT_C_NAMES_MACRO_NAMES_H_
#define LATHE_EMIT_C_NAMES_MACRO_NAMES_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// The prefixes of the macros of ports and sizes: NET_IN_X of NET_IN_X_LEN.
class MacroNames {
 public:
  // Returns `name`, which starts with the name of the model, in capital letters. Appends a number
  // if a macro with this prefix is in use: input 'in_x' of a function 'f' and input 'x' of a
  // function 'f_in' would both be F_IN_IN_X.
  std::string Unique(absl::string_view name);

 private:
  absl::flat_hash_set<std::string> taken_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_MACRO_NAMES_H_
