// The operators that can be imported: operators.def, as a table.
#ifndef LATHE_READER_ONNX_OP_ROWS_H_
#define LATHE_READER_ONNX_OP_ROWS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/reader/onnx/term.h"

namespace lathe::onnx {

class NodeCall;
using ImportFn = absl::StatusOr<Results> (*)(NodeCall&);

// Whether the results follow from the inputs alone, so that they are known when those are.
enum class Folds { kYes, kNo };

struct OpRow {
  const char* domain;
  const char* name;
  int first;   // version of the operator set it came with
  int last;    // version it is there in last; 0: the newest
  int needed;  // inputs without which it is nothing
  ImportFn import;
  Folds folds = Folds::kYes;
};

absl::Span<const OpRow> AllOpRows();
// Null when there is none.
const OpRow* FindOpRow(absl::string_view domain, absl::string_view name);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_OP_ROWS_H_
