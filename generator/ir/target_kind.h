// Extracts the kind of a target, such as "cuda" or "llvm".
#ifndef LATHE_IR_TARGET_KIND_H_
#define LATHE_IR_TARGET_KIND_H_

#include "absl/strings/string_view.h"

namespace lathe::ir {

// Returns "cuda" for "cuda", "cuda -arch=sm_80" and {"arch": "sm_80", "kind": "cuda"}: the text
// before the first space, or the "kind" of a JSON object. Returns an object without a kind
// unchanged. Device names are not parsed: "cuda:1" returns "cuda:1".
absl::string_view KindOfTarget(absl::string_view target);

}  // namespace lathe::ir

#endif  // LATHE_IR_TARGET_KIND_H_
