// Splits and canonicalizes the names of PTX instructions.
#ifndef LATHE_IR_DEVICE_PTX_WORDS_H_
#define LATHE_IR_DEVICE_PTX_WORDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::ir {

// Returns {"ld", "shared::cta", "global", "b32"} for "ptx.ld.shared__cta.global_.b32": programs
// write "__" for "::", and "_" after Python keywords. Returns an empty list for other names.
std::vector<std::string> PtxWords(absl::string_view name);

// Removes modifiers that state the default, or an order weaker than the one implemented:
// "ptx.mbarrier.init.shared__cta.b64" becomes "ptx.mbarrier.init". Other names are unchanged.
std::string CanonicalPtxName(absl::string_view name);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PTX_WORDS_H_
