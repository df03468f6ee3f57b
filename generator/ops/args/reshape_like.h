// Names the operators that only change the shape of their argument.
#ifndef LATHE_OPS_ARGS_RESHAPE_LIKE_H_
#define LATHE_OPS_ARGS_RESHAPE_LIKE_H_

#include "absl/strings/string_view.h"

namespace lathe::ops {

// Returns whether the result of `op`, such as "relax.reshape", has the bytes of its argument and
// differs only in its shape.
constexpr bool IsReshapeLike(absl::string_view op) {
  for (absl::string_view name : {"relax.expand_dims", "relax.flatten", "relax.nn.batch_flatten",
                                 "relax.reshape", "relax.squeeze"}) {
    if (op == name) return true;
  }
  return false;
}

}  // namespace lathe::ops

#endif  // LATHE_OPS_ARGS_RESHAPE_LIKE_H_
