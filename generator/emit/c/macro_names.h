// Names of macros in the header of a model, over all its functions.
#ifndef LATHE_EMIT_C_MACRO_NAMES_H_
#define LATHE_EMIT_C_MACRO_NAMES_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// What macros of ports and sizes end with, behind a name that this gives: NET_IN_X_LEN.
class MacroNames {
 public:
  // `name`, which begins with the model's, in capital letters; with a number behind it where that
  // with one of the endings is taken: input 'in_x' of a function 'f' and 'x' of 'f_in' are both
  // F_IN_IN_X.
  std::string Unique(absl::string_view name);

 private:
  absl::flat_hash_set<std::string> taken_;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MACRO_NAMES_H_
