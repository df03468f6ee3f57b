// Looks up operators in the table op_list.def.
#ifndef LATHE_OPS_OPS_H_
#define LATHE_OPS_OPS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// Returns all operators, sorted by name.
absl::Span<const ir::Op> AllOps();

// Returns the operator of this full name, "relax.nn.conv2d"; null when there is none.
const ir::Op* FindOp(absl::string_view name);

// Returns the operator of this spelling in programs, without "R.": "nn.conv2d", or an alias
// ("dist.call_tir"); null when there is none. Spellings that expand to several calls are in
// sugar.h; look there first.
const ir::Op* FindSurfaceOp(absl::string_view spelling);

}  // namespace lathe::ops

#endif  // LATHE_OPS_OPS_H_
