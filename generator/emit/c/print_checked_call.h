// A call whose status ends the function that it stands in.
#ifndef LATHE_EMIT_C_PRINT_CHECKED_CALL_H_
#define LATHE_EMIT_C_PRINT_CHECKED_CALL_H_

#include "absl/strings/string_view.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The function has a variable `status`, and nothing to undo where it ends.
inline void PrintCheckedCall(absl::string_view call, LineWriter& out) {
  out.Line("status = ", call, ";");
  out.Line("if (status != LATHE_OK) {");
  out.Line("  return status;");
  out.Line("}");
}

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CHECKED_CALL_H_
