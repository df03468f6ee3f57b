// Provides operators.def as a table.
#ifndef LATHE_READER_TFLITE_OPS_OP_ROWS_H_
#define LATHE_READER_TFLITE_OPS_OP_ROWS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::tflite {

class OpCall;
struct Results;
using ImportFn = absl::StatusOr<Results> (*)(OpCall&);

struct OpRow {
  int code;            // of the builtin operator; 32 for custom operators
  const char* name;    // "CONV_2D", or the code of a custom operator
  int options;         // number of the option table, 0: none; negative: of the second union
  int needed;          // inputs that have to be present
  ImportFn import;     // null: refused
  const char* reason;  // of a refused operator
};

// Returns the builtin operators by code, then the custom operators by name.
absl::Span<const OpRow> AllOpRows();
// Returns the row of the builtin operator `code`, or if that is 32, of the custom operator with the
// text code `custom`. Returns null if there is none.
const OpRow* FindOpRow(int code, absl::string_view custom);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_OP_ROWS_H_
