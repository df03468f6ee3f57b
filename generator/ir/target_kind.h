// The kind of a target, which devices are counted by: "cuda:1" is the second device of kind cuda.
#ifndef LATHE_IR_TARGET_KIND_H_
#define LATHE_IR_TARGET_KIND_H_

#include "absl/strings/string_view.h"

namespace lathe::ir {

// "cuda" of "cuda", of "cuda -arch=sm_80" and of {"arch": "sm_80", "kind": "cuda"}.
absl::string_view KindOfTarget(absl::string_view target);

}  // namespace lathe::ir

#endif  // LATHE_IR_TARGET_KIND_H_
