#include "generator/reader/relay_text/ops/op_rows.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/reader/relay_text/ops/op_call.h"
#include "generator/support/check.h"

namespace lathe::relay {

#define RELAY_OP(name, args, import, attrs) absl::StatusOr<ir::Operand> import(OpCall&);
#define RELAY_REFUSED(name, reason)
#include "generator/reader/relay_text/ops/operators.def"
#undef RELAY_OP
#undef RELAY_REFUSED

namespace {

struct AttrTypeName {
  absl::string_view name;
  AttrType type;
  const char* description;
};
constexpr AttrTypeName kAttrTypes[] = {
    {"bool", AttrType::kBool, "a bool"},
    {"int", AttrType::kInt, "an integer"},
    {"float", AttrType::kFloat, "a number"},
    {"str", AttrType::kStr, "a string"},
    {"ints", AttrType::kInts, "a list of integers"},
    {"floats", AttrType::kFloats, "a list of numbers"},
    {"intlists", AttrType::kIntLists, "a list of lists of integers"},
    {"any", AttrType::kAny, "a value"},
};

ir::AttrValue ParseDefault(absl::string_view text);

ir::AttrValue ParseDefaultList(absl::string_view text) {
  ir::AttrList list;
  if (text.size() > 2) {
    for (absl::string_view item : absl::StrSplit(text.substr(1, text.size() - 2), ',')) {
      list.push_back(ParseDefault(item));
    }
  }
  return list;
}

ir::AttrValue ParseDefault(absl::string_view text) {
  if (text == "None") return {};
  if (text == "True") return true;
  if (text == "False") return false;
  if (absl::StartsWith(text, "[")) return ParseDefaultList(text);
  if (absl::StartsWith(text, "'")) return std::string(text.substr(1, text.size() - 2));
  if (int64_t integer = 0; absl::SimpleAtoi(text, &integer)) return integer;
  double number = 0;
  LATHE_CHECK(absl::SimpleAtod(text, &number), "a default in operators.def is not a literal");
  return number;
}

bool ConvertToInt(ir::AttrValue& value) {
  if (const bool* b = value.As<bool>()) value = int64_t{*b};
  return value.As<int64_t>() != nullptr;
}

bool ConvertToFloat(ir::AttrValue& value) {
  if (ConvertToInt(value)) value = static_cast<double>(*value.As<int64_t>());
  return value.As<double>() != nullptr;
}

bool ConvertList(ir::AttrValue& value, bool (*convert)(ir::AttrValue&)) {
  const ir::AttrList* list = value.As<ir::AttrList>();
  if (list == nullptr) return false;
  ir::AttrList converted = *list;
  if (!std::all_of(converted.begin(), converted.end(), convert)) return false;
  value = std::move(converted);
  return true;
}

}  // namespace

std::vector<AttrRow> ParseAttrRows(absl::string_view text) {
  std::vector<AttrRow> rows;
  for (absl::string_view item : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    AttrRow row;
    const size_t colon = item.find(':'), equals = item.find('=');
    LATHE_CHECK(colon != item.npos, "an attribute in operators.def has no type");
    row.name = std::string(item.substr(0, colon));
    absl::string_view type = item.substr(colon + 1, equals - colon - 1);
    row.optional = absl::EndsWith(type, "?");
    if (row.optional) type.remove_suffix(1);
    const auto* found = std::find_if(std::begin(kAttrTypes), std::end(kAttrTypes),
                                     [&](const AttrTypeName& t) { return t.name == type; });
    LATHE_CHECK(found != std::end(kAttrTypes), "an attribute in operators.def has an unknown type");
    row.type = found->type;
    if (equals != item.npos) {
      row.default_value = ParseDefault(item.substr(equals + 1));
      LATHE_CHECK(ConvertAttr(row, row.default_value),
                  "a default in operators.def has another type");
    } else {
      row.required = !row.optional;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool ConvertAttr(const AttrRow& row, ir::AttrValue& value) {
  if (value.is_none()) return row.optional;
  switch (row.type) {
    case AttrType::kBool:
      if (const int64_t* integer = value.As<int64_t>()) value = *integer != 0;
      return value.As<bool>() != nullptr;
    case AttrType::kInt:
      return ConvertToInt(value);
    case AttrType::kFloat:
      return ConvertToFloat(value);
    case AttrType::kStr:
      return value.As<std::string>() != nullptr;
    case AttrType::kInts:
      return ConvertList(value, ConvertToInt);
    case AttrType::kFloats:
      return ConvertList(value, ConvertToFloat);
    case AttrType::kIntLists:
      return ConvertList(value, [](ir::AttrValue& v) { return ConvertList(v, ConvertToInt); });
    case AttrType::kAny:
      return true;
  }
  return false;
}

std::string DescribeAttrType(const AttrRow& row) {
  for (const AttrTypeName& type : kAttrTypes) {
    if (type.type == row.type)
      return absl::StrCat(type.description, row.optional ? " or None" : "");
  }
  return "a value";
}

absl::Span<const OpRow> AllOpRows() {
  static const std::vector<OpRow>* rows = new std::vector<OpRow>{
#define RELAY_OP(name, args, import, attrs) {name, args, import, "", ParseAttrRows(attrs)},
#define RELAY_REFUSED(name, reason) {name, kAnyArgs, nullptr, reason, {}},
#include "generator/reader/relay_text/ops/operators.def"
#undef RELAY_OP
#undef RELAY_REFUSED
  };
  return *rows;
}

const OpRow* FindOpRow(absl::string_view name) {
  const absl::Span<const OpRow> rows = AllOpRows();
  const auto found =
      std::lower_bound(rows.begin(), rows.end(), name,
                       [](const OpRow& row, absl::string_view n) { return row.name < n; });
  return found != rows.end() && found->name == name ? &*found : nullptr;
}

}  // namespace lathe::relay
