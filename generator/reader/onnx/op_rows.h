// Provides operators.def and attributes.def as tables.
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

// States whether results are constant if all inputs are constant. Random operators are not folded.
enum class Folds { kYes, kNo };

struct OpRow {
  const char* domain;
  const char* name;
  int first;   // first operator set version
  int last;    // last operator set version; 0: still present
  int needed;  // number of required inputs
  ImportFn import;
  Folds folds = Folds::kYes;
};

absl::Span<const OpRow> AllOpRows();
// Returns null if the operator is unknown.
const OpRow* FindOpRow(absl::string_view domain, absl::string_view name);
// Returns the attributes of attributes.def: "axis:int keepdims:int".
absl::string_view AttributesOf(const OpRow& row);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_OP_ROWS_H_
