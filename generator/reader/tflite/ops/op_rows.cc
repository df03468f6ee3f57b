#include "generator/reader/tflite/ops/op_rows.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "generator/reader/tflite/format/model.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

#define TFLITE_OP(code, name, options, needed, import) absl::StatusOr<Results> import(OpCall&);
#define TFLITE_CUSTOM(name, needed, import) absl::StatusOr<Results> import(OpCall&);
#define TFLITE_REFUSED(code, name, reason)
#include "generator/reader/tflite/ops/operators.def"
#undef TFLITE_OP
#undef TFLITE_CUSTOM
#undef TFLITE_REFUSED

absl::Span<const OpRow> AllOpRows() {
  static constexpr OpRow kRows[] = {
#define TFLITE_OP(code, name, options, needed, import) {code, name, options, needed, import, ""},
#define TFLITE_CUSTOM(name, needed, import) {kCustomOperator, name, 0, needed, import, ""},
#define TFLITE_REFUSED(code, name, reason) {code, name, 0, 0, nullptr, reason},
#include "generator/reader/tflite/ops/operators.def"
#undef TFLITE_OP
#undef TFLITE_CUSTOM
#undef TFLITE_REFUSED
  };
  return kRows;
}

const OpRow* FindOpRow(int code, absl::string_view custom) {
  const absl::Span<const OpRow> rows = AllOpRows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const OpRow& row) {
    return row.code == code && (code != kCustomOperator || row.name == custom);
  });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace lathe::tflite
