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

struct AttributesRow {
  absl::string_view domain, name, attributes;
};
constexpr AttributesRow kAttributes[] = {
#define ONNX_ATTRIBUTES(domain, name, attributes) {domain, name, attributes},
#include "generator/reader/onnx/attributes.def"
#undef ONNX_ATTRIBUTES
};

}  // namespace

absl::Span<const OpRow> AllOpRows() { return kOpRows; }

const OpRow* FindOpRow(absl::string_view domain, absl::string_view name) {
  for (const OpRow& row : kOpRows) {
    if (row.name == name && row.domain == domain) return &row;
  }
  return nullptr;
}

absl::string_view AttributesOf(const OpRow& row) {
  for (const AttributesRow& attributes : kAttributes) {
    if (attributes.name == row.name && attributes.domain == row.domain) {
      return attributes.attributes;
    }
  }
  return "";
}

}  // namespace lathe::onnx
