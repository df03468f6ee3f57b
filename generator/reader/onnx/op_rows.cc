#include "generator/reader/onnx/op_rows.h"

namespace lathe::onnx {

#define ONNX_OP(domain, name, first, last, needed, import, ...) \
  absl::StatusOr<Results> import(NodeCall& n);
#include "generator/reader/onnx/operators.def"
#undef ONNX_OP

namespace {

constexpr OpRow kOpRows[] = {
#define ONNX_OP(domain, name, first, last, needed, import, ...) \
  {domain, name, first, last, needed, import __VA_OPT__(, ) __VA_ARGS__},
#include "generator/reader/onnx/operators.def"
#undef ONNX_OP
};

}  // namespace

absl::Span<const OpRow> AllOpRows() { return kOpRows; }

const OpRow* FindOpRow(absl::string_view domain, absl::string_view name) {
  for (const OpRow& row : kOpRows) {
    if (row.name == name && row.domain == domain) return &row;
  }
  return nullptr;
}

}  // namespace lathe::onnx
