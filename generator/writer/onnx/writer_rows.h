// Finds the writer of an operator in operators.def.
#ifndef LATHE_WRITER_ONNX_WRITER_ROWS_H_
#define LATHE_WRITER_ONNX_WRITER_ROWS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/writer/onnx/call_writer.h"

namespace lathe::onnx {

using WriteCall = Written (*)(CallWriter&);

struct WriterRow {
  absl::string_view relax;
  absl::string_view onnx;  // empty: the writer names its operators
  WriteCall write;
};

// Returns all rows, sorted by `relax`.
absl::Span<const WriterRow> WriterRows();
// Returns the row of the operator `relax`, or null if it has no writer.
const WriterRow* FindWriterRow(absl::string_view relax);
// Returns the ONNX operator in the row of the called operator, which must have one.
absl::string_view OnnxName(CallWriter& w);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_WRITER_ROWS_H_
