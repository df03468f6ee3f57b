// The table of operators: op_list.def, read once.
#ifndef LATHE_OPS_OPS_H_
#define LATHE_OPS_OPS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// All operators, sorted by name.
absl::Span<const ir::Op> AllOps();

// By full name, "relax.nn.conv2d"; null when there is none.
const ir::Op* FindOp(absl::string_view name);

// By what programs write after "R.": "nn.conv2d", and other spellings of the same operator
// ("dist.call_tir"). Spellings that stand for several calls are in sugar.h; ask there first.
const ir::Op* FindSurfaceOp(absl::string_view spelling);

}  // namespace lathe::ops

#endif  // LATHE_OPS_OPS_H_
