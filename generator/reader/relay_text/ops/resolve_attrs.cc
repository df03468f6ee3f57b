#include "generator/reader/relay_text/ops/resolve_attrs.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::relay {
namespace {

// An attribute from the metadata is a field with its text, or the index of an object. The declared
// type tells which.
void ChooseForm(const AttrRow& row, ir::AttrValue& value) {
  const auto* object = value.As<ir::AttrObject>();
  if (object == nullptr || object->kind != "metadata") return;
  const std::string text = *ir::FindAttr<std::string>(*object->fields, "text");
  const ir::AttrValue referenced = object->fields->at("object");
  int64_t integer = 0;
  double number = 0;
  switch (row.type) {
    case AttrType::kBool:
    case AttrType::kInt:
      if (referenced.As<int64_t>() != nullptr || referenced.As<bool>() != nullptr) {
        value = referenced;
      } else if (row.optional) {
        value = ir::AttrValue();  // an object field that is null
      } else if (absl::SimpleAtoi(text, &integer)) {
        value = integer;
      }
      break;
    case AttrType::kFloat:
      if (absl::SimpleAtod(text, &number)) value = number;
      break;
    case AttrType::kStr:
      // A string object is an index; no string attribute has a number as value.
      value = referenced.As<std::string>() != nullptr && absl::SimpleAtoi(text, &integer)
                  ? referenced
                  : ir::AttrValue(text);
      break;
    default:
      value = referenced;
  }
}

std::string Names(const OpRow& row) {
  if (row.attrs.empty()) return "it has none";
  return absl::StrCat("supported are ",
                      absl::StrJoin(row.attrs, ", ", [](std::string* out, const AttrRow& attr) {
                        absl::StrAppend(out, attr.name);
                      }));
}

}  // namespace

absl::StatusOr<ir::AttrMap> ResolveAttrs(const OpRow& row, const ir::AttrMap& written,
                                         const Location& loc, Diagnostics& diags) {
  ir::AttrMap attrs;
  for (const AttrRow& attr : row.attrs) {
    const auto found = written.find(attr.name);
    if (found == written.end()) {
      if (attr.required) {
        return diags.Error(loc, "relay-bad-call")
               << row.name << ": attribute '" << attr.name << "' is missing";
      }
      attrs[attr.name] = attr.default_value;
      continue;
    }
    ir::AttrValue value = found->second;
    ChooseForm(attr, value);
    if (!ConvertAttr(attr, value)) {
      return diags.Error(loc, "relay-bad-call") << row.name << ": attribute '" << attr.name
                                                << "' has to be " << DescribeAttrType(attr);
    }
    attrs[attr.name] = std::move(value);
  }
  for (const auto& [name, value] : written) {
    if (attrs.contains(name) || name == "attrs_type_key") continue;
    return diags.Error(loc, "relay-bad-call")
           << row.name << ": unknown attribute '" << name << "'; " << Names(row);
  }
  return attrs;
}

}  // namespace lathe::relay
