// Calls of lathe/dot.h, panels.h, products.h, depthwise.h and requantize.h: what lower/ made of
// loops over int8.
#ifndef LATHE_EMIT_C_PRINT_C_INT8_H_
#define LATHE_EMIT_C_PRINT_C_INT8_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/c_scope.h"
#include "generator/ir/prim_expr.h"

namespace lathe::emit {

bool IsInt8Operation(absl::string_view name);

// The statement, and that the header is needed.
absl::StatusOr<std::string> PrintCInt8Operation(CScope& scope, const ir::Intrinsic& call);

// The buffer that such a call writes to; null when it is of another name.
ir::BufferRef WrittenByInt8Operation(const ir::Intrinsic& call);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_INT8_H_
