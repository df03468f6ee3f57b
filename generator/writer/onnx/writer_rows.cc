#include "generator/writer/onnx/writer_rows.h"

#include <algorithm>

namespace lathe::onnx {

#define WRITES(relax, onnx, write) Written write(CallWriter& w);
#include "generator/writer/onnx/operators.def"
#undef WRITES

namespace {

#define WRITES(relax, onnx, write) {relax, onnx, write},
constexpr WriterRow kWriterRows[] = {
#include "generator/writer/onnx/operators.def"
};
#undef WRITES

}  // namespace

absl::Span<const WriterRow> WriterRows() { return kWriterRows; }

const WriterRow* FindWriterRow(absl::string_view relax) {
  const auto* row =
      std::lower_bound(std::begin(kWriterRows), std::end(kWriterRows), relax,
                       [](const WriterRow& a, absl::string_view name) { return a.relax < name; });
  return row == std::end(kWriterRows) || row->relax != relax ? nullptr : row;
}

absl::string_view OnnxName(CallWriter& w) { return FindWriterRow(w.call().op()->name)->onnx; }

}  // namespace lathe::onnx
