#include "generator/reader/tflite/format/decode_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "generator/support/check.h"

namespace lathe::tflite {
namespace {

enum class FieldType { kByte, kInt, kLong, kFloat, kStr, kInts, kLongs, kFloats, kBytes };

struct Field {
  std::string name;
  FieldType type = FieldType::kInt;
  int slot = 0;
  int64_t otherwise = 0;
};

struct FieldTypeName {
  absl::string_view name;
  FieldType type;
};
constexpr FieldTypeName kFieldTypes[] = {
    {"byte", FieldType::kByte},   {"int", FieldType::kInt},       {"long", FieldType::kLong},
    {"float", FieldType::kFloat}, {"str", FieldType::kStr},       {"ints", FieldType::kInts},
    {"longs", FieldType::kLongs}, {"floats", FieldType::kFloats}, {"bytes", FieldType::kBytes},
};

std::vector<Field> ParseFields(absl::string_view text) {
  std::vector<Field> fields;
  int slot = 0;
  for (absl::string_view item : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    Field field;
    field.slot = slot++;
    if (item == "-") continue;
    const size_t colon = item.find(':'), equals = item.find('=');
    LATHE_CHECK(colon != item.npos, "a field in option_tables.def has no type");
    field.name = std::string(item.substr(0, colon));
    const absl::string_view type = item.substr(colon + 1, equals - colon - 1);
    const auto* found = std::find_if(std::begin(kFieldTypes), std::end(kFieldTypes),
                                     [&](const FieldTypeName& t) { return t.name == type; });
    LATHE_CHECK(found != std::end(kFieldTypes), "a field in option_tables.def has an unknown type");
    field.type = found->type;
    if (equals != item.npos) {
      LATHE_CHECK(absl::SimpleAtoi(item.substr(equals + 1), &field.otherwise),
                  "a default in option_tables.def is not an integer");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

struct OptionTable {
  int number;
  bool second;
  std::vector<Field> fields;
};

const std::vector<OptionTable>& AllOptionTables() {
  static const auto* tables = new std::vector<OptionTable>{
#define OPTIONS(number, fields) {number, false, ParseFields(fields)},
#define OPTIONS_2(number, fields) {number, true, ParseFields(fields)},
#include "generator/reader/tflite/format/option_tables.def"
#undef OPTIONS
#undef OPTIONS_2
  };
  return *tables;
}

template <typename T>
ir::AttrValue ListOf(const FlatTable& table, int slot) {
  ir::AttrList list;
  for (const T value : table.Values<T>(slot)) {
    if constexpr (std::is_floating_point_v<T>) {
      list.emplace_back(static_cast<double>(value));
    } else {
      list.emplace_back(static_cast<int64_t>(value));
    }
  }
  return list;
}

ir::AttrValue ValueOf(const Field& field, const FlatTable& table) {
  switch (field.type) {
    case FieldType::kByte:
      return int64_t{table.Value<uint8_t>(field.slot, static_cast<uint8_t>(field.otherwise))};
    case FieldType::kInt:
      return int64_t{table.Value<int32_t>(field.slot, static_cast<int32_t>(field.otherwise))};
    case FieldType::kLong:
      return table.Value<int64_t>(field.slot, field.otherwise);
    case FieldType::kFloat:
      return double{table.Value<float>(field.slot, static_cast<float>(field.otherwise))};
    case FieldType::kStr:
    case FieldType::kBytes:
      return std::string(table.Bytes(field.slot));
    case FieldType::kInts:
      return ListOf<int32_t>(table, field.slot);
    case FieldType::kLongs:
      return ListOf<int64_t>(table, field.slot);
    case FieldType::kFloats:
      return ListOf<float>(table, field.slot);
  }
  return {};
}

}  // namespace

ir::AttrMap DecodeOptions(int number, bool second, const FlatTable& table) {
  ir::AttrMap options;
  for (const OptionTable& known : AllOptionTables()) {
    if (known.number != number || known.second != second) continue;
    for (const Field& field : known.fields) options[field.name] = ValueOf(field, table);
  }
  return options;
}

std::vector<OptionField> OptionFields(int number) {
  std::vector<OptionField> fields;
  for (const OptionTable& known : AllOptionTables()) {
    if ((known.second ? -known.number : known.number) != number) continue;
    for (const Field& field : known.fields) {
      const auto* type =
          std::find_if(std::begin(kFieldTypes), std::end(kFieldTypes),
                       [&](const FieldTypeName& name) { return name.type == field.type; });
      fields.push_back({field.name, type->name, field.otherwise});
    }
  }
  return fields;
}

}  // namespace lathe::tflite
