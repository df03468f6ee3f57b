// Prints a call that ends the enclosing function if it returns a failure.
#ifndef LATHE_EMIT_C_PRINT_CHECKED_CALL_H_
#define LATHE_EMIT_C_PRINT_CHECKED_CALL_H_

#include "absl/strings/string_view.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Appends the lines to `out`. The enclosing function must have a variable `status`, and must not
// need any cleanup before it returns.
inline void PrintCheckedCall(absl::string_view call, LineWriter& out) {
  out.Line("status = ", call, ";");
  out.Line("if (status != LATHE_OK) {");
  out.Line("  return status;");
  out.Line("}");
}

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CHECKED_CALL_H_
