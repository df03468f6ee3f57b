// Extracts the kind of a target; devices are numbered per kind: "cuda:1" is the second device of
// kind cuda.
#ifndef LATHE_IR_TARGET_KIND_H_
#define LATHE_IR_TARGET_KIND_H_

#include "absl/strings/string_view.h"

namespace lathe::ir {

// Returns "cuda" for "cuda", "cuda -arch=sm_80" and {"arch": "sm_80", "kind": "cuda"}.
absl::string_view KindOfTarget(absl::string_view target);

}  // namespace lathe::ir

#endif  // LATHE_IR_TARGET_KIND_H_
