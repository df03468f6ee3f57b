#include "generator/ir/print/tir_text.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/ir/print/print_attr.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {

TirText::TirText(const PrimFunc& func, const PrintOptions& options, std::string module,
                 PrintNames& names, LineWriter& out)
    : func_(func),
      dialect_(options.dialect),
      module_(std::move(module)),
      style_{options.dialect, DType::Int(32), module_},
      names_(names),
      out_(out),
      mentions_(MentionsOf(func)) {}

std::string TirText::List(const std::vector<PrimRef>& items) const {
  return absl::StrJoin(items, ", ", [&](std::string* out, PrimRef e) { *out += Scalar(e); });
}

std::string TirText::Key(absl::string_view key) const {
  if (dialect_ != Dialect::kClassic && absl::ConsumePrefix(&key, "tir.")) {
    return absl::StrCat("tirx.", key);
  }
  return std::string(key);
}

std::string TirText::Attr(const AttrValue& value) const { return PrintAttr(value, names_, style_); }

std::string TirText::Attrs(const AttrMap& attrs) const {
  std::vector<std::string> items;
  for (const auto& [key, value] : attrs) {
    items.push_back(absl::StrCat(StringLiteral(Key(key)), ": ", Attr(value)));
  }
  return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
}

std::string TirText::Type(PrimRef var) const {
  const DType dtype = var->dtype();
  if (!dtype.is_handle()) return absl::StrCat("T.", ToString(dtype));
  const auto* symbol = var->As<SymVar>();
  if (symbol == nullptr || (symbol->pointee.is_void() && symbol->scope.empty())) return "T.handle";
  return absl::StrCat("T.handle(\"", ToString(symbol->pointee), "\", ",
                      StringLiteral(symbol->scope), ")");
}

std::string TirText::Description(BufferRef buffer, bool data) const {
  std::vector<std::string> shape;
  for (PrimRef dim : buffer->shape) shape.push_back(Scalar(dim));
  return Description(buffer, shape, data);
}

std::string TirText::Description(BufferRef buffer, const std::vector<std::string>& shape,
                                 bool data) const {
  std::vector<std::string> parts = {TupleOf(shape),
                                    absl::StrCat("\"", ToString(buffer->dtype), "\"")};
  // The reader's default scope.
  absl::string_view scope = "global";
  if (data) {
    parts.push_back(absl::StrCat("data=", Scalar(buffer->data)));
    const auto* pointer = buffer->data->As<SymVar>();
    if (pointer != nullptr && !pointer->scope.empty()) scope = pointer->scope;
  }
  if (!buffer->strides.empty()) {
    parts.push_back(absl::StrCat("strides=[", List(buffer->strides), "]"));
  }
  if (buffer->elem_offset != nullptr) {
    parts.push_back(absl::StrCat("elem_offset=", Scalar(buffer->elem_offset)));
  } else if (buffer->offset_factor != 0) {
    // If omitted, it would be a variable.
    parts.push_back("elem_offset=0");
  }
  if (buffer->scope != scope) {
    parts.push_back(absl::StrCat("scope=", StringLiteral(buffer->scope)));
  }
  if (buffer->align != 0) parts.push_back(absl::StrCat("align=", buffer->align));
  if (buffer->offset_factor != 0) {
    parts.push_back(absl::StrCat("offset_factor=", buffer->offset_factor));
  }
  if (buffer->auto_broadcast) parts.push_back("buffer_type=\"auto\"");
  if (!buffer->axis_separators.empty()) {
    parts.push_back(
        absl::StrCat("axis_separators=[", absl::StrJoin(buffer->axis_separators, ", "), "]"));
  }
  if (buffer->layout != nullptr) {
    parts.push_back(absl::StrCat("layout=", PrintArgument(buffer->layout, names_, style_)));
  }
  if (!buffer->allocated_addr.empty()) {
    parts.push_back(absl::StrCat("allocated_addr=[", List(buffer->allocated_addr), "]"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string TirText::NameWithData(BufferRef buffer) const {
  const std::string name = names_.Of(buffer);
  names_.Alias(buffer->data, absl::StrCat(name, ".data"));
  return name;
}

std::string TirText::Region(const BufferRegion& region) const {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < region.mins.size(); ++i) {
    const PrimRef min = region.mins[i];
    const PrimRef extent = region.extents[i];
    const auto* number = extent->As<IntImm>();
    const bool single =
        number != nullptr && number->value == 1 && extent->dtype() == min->dtype().element();
    ranges.push_back(single ? Scalar(min) : absl::StrCat(Scalar(min), ":", End(min, extent)));
  }
  return absl::StrCat(names_.Of(region.buffer), "[",
                      ranges.empty() ? "()" : absl::StrJoin(ranges, ", "), "]");
}

}  // namespace lathe::ir
