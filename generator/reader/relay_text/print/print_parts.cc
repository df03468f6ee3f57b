#include "generator/reader/relay_text/print/print_parts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"

namespace lathe::relay {
namespace {

std::string JoinTypes(const TypeTree* begin, const TypeTree* end) {
  return absl::StrJoin(begin, end, ", ", [](std::string* out, const TypeTree& type) {
    absl::StrAppend(out, PrintType(type));
  });
}

std::string JoinTypes(const std::vector<TypeTree>& types) {
  return JoinTypes(types.data(), types.data() + types.size());
}

std::string PrintTensorType(const TypeTree& type) {
  const std::string dtype = ir::ToString(type.dtype);
  // TVM takes other bare names for data types.
  const bool bare = absl::StartsWith(dtype, "int") || absl::StartsWith(dtype, "uint") ||
                    absl::StartsWith(dtype, "float") || dtype == "bool";
  if (type.dims.empty() && bare) return dtype;
  const std::string dims = absl::StrJoin(type.dims, ", ", [](std::string* out, int64_t dim) {
    absl::StrAppend(out, dim == kAnyDim ? "?" : absl::StrCat(dim));
  });
  return absl::StrCat("Tensor[(", dims, "), ", dtype, "]");
}

// The shortest digits that read back as `value`.
template <typename T>
std::string ShortestDigits(T value) {
  char digits[64];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  return std::string(digits, end);
}

// Returns nullopt for values without a text.
std::optional<std::string> PrintAttrValue(const ir::AttrValue& value) {
  if (value.is_none()) return "None";
  if (const auto* b = value.As<bool>()) return *b ? "True" : "False";
  if (const auto* integer = value.As<int64_t>()) return absl::StrCat(*integer);
  if (const auto* number = value.As<double>()) return absl::StrCat(ShortestDigits(*number), "f");
  if (const auto* text = value.As<std::string>()) {
    return absl::StrCat("\"", absl::Utf8SafeCEscape(*text), "\"");
  }
  const auto* list = value.As<ir::AttrList>();
  if (list == nullptr) return std::nullopt;
  std::vector<std::string> items;
  for (const ir::AttrValue& item : *list) {
    std::optional<std::string> text = PrintAttrValue(item);
    if (!text) return std::nullopt;
    items.push_back(*std::move(text));
  }
  return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
}

// A key that is not a name, or names with dots, is quoted.
std::string PrintKey(const std::string& key) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.';
  }) && !absl::ascii_isdigit(static_cast<unsigned char>(key[0]));
  return plain ? key : absl::StrCat("\"", absl::Utf8SafeCEscape(key), "\"");
}

}  // namespace

std::string PrintType(const TypeTree& type) {
  switch (type.kind) {
    case TypeTree::Kind::kTensor:
      return PrintTensorType(type);
    case TypeTree::Kind::kTuple:
      return absl::StrCat("(", JoinTypes(type.args), type.args.size() == 1 ? ",)" : ")");
    case TypeTree::Kind::kFunction: {
      const TypeTree* begin = type.args.data();
      const TypeTree* result = begin + type.args.size() - 1;
      const std::string params =
          absl::StrJoin(type.type_params, ", ",
                        [](std::string* out, const Name& name) { out->append(name.text); });
      return absl::StrCat("fn ", params.empty() ? "" : absl::StrCat("[", params, "]"), "(",
                          JoinTypes(begin, result), ") -> ", PrintType(*result));
    }
    case TypeTree::Kind::kRef:
      return absl::StrCat("ref(", JoinTypes(type.args), ")");
    case TypeTree::Kind::kName:
      return type.args.empty() ? type.name
                               : absl::StrCat(type.name, "[", JoinTypes(type.args), "]");
    case TypeTree::Kind::kHole:
      break;
  }
  return "_";
}

std::string PrintVar(const Var& var) {
  return absl::StrCat("%", var.name,
                      var.annotation ? absl::StrCat(": ", PrintType(*var.annotation)) : "");
}

std::string PrintPattern(const ModuleTree& tree, const Pattern& pattern) {
  const auto fields = [&] {
    return absl::StrCat("(",
                        absl::StrJoin(pattern.fields, ", ",
                                      [&](std::string* out, const Pattern& field) {
                                        absl::StrAppend(out, PrintPattern(tree, field));
                                      }),
                        ")");
  };
  switch (pattern.kind) {
    case Pattern::Kind::kVar:
      return PrintVar(tree.vars[pattern.var]);
    case Pattern::Kind::kConstructor:
      return pattern.has_fields ? absl::StrCat(pattern.name, fields()) : pattern.name;
    case Pattern::Kind::kTuple:
      return fields();
    case Pattern::Kind::kWildcard:
      break;
  }
  return "_";
}

std::optional<std::string> PrintScalar(const ir::Constant& value) {
  if (!value.shape.empty()) return std::nullopt;
  const ir::DType dtype = value.dtype;
  if (dtype.is_bool()) return (*value.bytes)[0] != 0 ? "True" : "False";
  const interp::Bits bits = interp::ReadElement(value.bytes->data(), dtype, 0);
  for (const int width : {16, 32, 64}) {
    if (dtype == ir::DType::Int(width)) {
      const int64_t integer = interp::ToInt64(dtype, bits);
      // TVM does not read the least int64.
      if (integer == std::numeric_limits<int64_t>::min()) return std::nullopt;
      return absl::StrCat(integer, width == 32 ? "" : absl::StrCat("i", width));
    }
    if (dtype != ir::DType::Float(width)) continue;
    const double number = interp::ToDouble(dtype, bits);
    if (!std::isfinite(number)) return std::nullopt;
    const std::string digits =
        width == 64 ? ShortestDigits(number) : ShortestDigits(static_cast<float>(number));
    return absl::StrCat(digits, "f", width == 32 ? "" : absl::StrCat(width));
  }
  return std::nullopt;
}

std::vector<std::string> PrintAttrs(const ir::AttrMap& attrs) {
  std::vector<std::string> texts;
  // TVM reads a key with dots only after another one.
  for (const bool dotted : {false, true}) {
    for (const auto& [key, value] : attrs) {
      if (absl::StrContains(key, '.') != dotted) continue;
      if (const auto text = PrintAttrValue(value)) {
        texts.push_back(absl::StrCat(PrintKey(key), "=", *text));
      }
    }
  }
  return texts;
}

std::vector<std::string> PrintAttrs(const OpRow& row, const ir::AttrMap& written,
                                    const ir::AttrMap& resolved) {
  std::vector<std::string> texts;
  for (const AttrRow& attr : row.attrs) {
    const auto value = resolved.find(attr.name);
    if (!written.contains(attr.name) || value == resolved.end()) continue;
    if (const auto text = PrintAttrValue(value->second)) {
      texts.push_back(absl::StrCat(attr.name, "=", *text));
    }
  }
  // TVM reads the attributes of some operators only with the name of their type.
  constexpr absl::string_view kTypeKey = "attrs_type_key";
  if (const auto* key = ir::FindAttr<std::string>(written, std::string(kTypeKey))) {
    texts.push_back(absl::StrCat(kTypeKey, "=\"", *key, "\""));
  }
  return texts;
}

}  // namespace lathe::relay
