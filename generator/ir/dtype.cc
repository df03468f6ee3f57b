#include "generator/ir/dtype.h"

#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace lathe::ir {
namespace {

struct NamedType {
  absl::string_view name;
  TypeCode code;
  int bits;
};

// Types whose width is not a suffix of their name.
constexpr NamedType kFixed[] = {
    {"bool", TypeCode::kBool, 1},
    {"bfloat16", TypeCode::kBFloat, 16},
    {"float8_e3m4", TypeCode::kFloat8E3M4, 8},
    {"float8_e4m3", TypeCode::kFloat8E4M3, 8},
    {"float8_e4m3b11fnuz", TypeCode::kFloat8E4M3B11Fnuz, 8},
    {"float8_e4m3fn", TypeCode::kFloat8E4M3Fn, 8},
    {"float8_e4m3fnuz", TypeCode::kFloat8E4M3Fnuz, 8},
    {"float8_e5m2", TypeCode::kFloat8E5M2, 8},
    {"float8_e5m2fnuz", TypeCode::kFloat8E5M2Fnuz, 8},
    {"float8_e8m0fnu", TypeCode::kFloat8E8M0Fnu, 8},
    {"float6_e2m3fn", TypeCode::kFloat6E2M3Fn, 6},
    {"float6_e3m2fn", TypeCode::kFloat6E3M2Fn, 6},
    {"float4_e2m1fn", TypeCode::kFloat4E2M1Fn, 4},
    {"handle", TypeCode::kHandle, 64},
};

std::optional<int> ParseLanes(absl::string_view text) {
  const bool scalable = absl::ConsumePrefix(&text, "xvscale");
  int lanes = 0;
  if (!absl::ConsumePrefix(&text, "x") || !absl::SimpleAtoi(text, &lanes)) return std::nullopt;
  if (lanes < 1 || lanes > std::numeric_limits<int16_t>::max()) return std::nullopt;
  return scalable ? -lanes : lanes;
}

std::optional<DType> WithLanes(TypeCode code, int bits, absl::string_view suffix) {
  if (suffix.empty()) return DType::Make(code, bits, 1);
  const std::optional<int> lanes = ParseLanes(suffix);
  if (!lanes) return std::nullopt;
  return DType::Make(code, bits, *lanes);
}

}  // namespace

uint64_t StorageBytes(DType dtype, uint64_t count) {
  const uint64_t bits = dtype.is_bool() ? 8 : dtype.bits;
  return (count * bits * static_cast<uint64_t>(dtype.lanes > 0 ? dtype.lanes : 1) + 7) / 8;
}

std::string ToString(DType dtype) {
  if (dtype.is_void()) return "void";
  std::string name;
  for (const NamedType& t : kFixed) {
    if (t.code == dtype.code) name = std::string(t.name);
  }
  if (name.empty()) {
    name = absl::StrCat(dtype.is_int()    ? "int"
                        : dtype.is_uint() ? "uint"
                                          : "float",
                        static_cast<int>(dtype.bits));
  }
  if (dtype.lanes > 1) absl::StrAppend(&name, "x", dtype.lanes);
  if (dtype.lanes < 0) absl::StrAppend(&name, "xvscalex", -dtype.lanes);
  return name;
}

std::optional<DType> ParseDType(absl::string_view text) {
  if (text.empty() || text == "void") return DType::Void();
  // The longest match first: "float8_e4m3fn" before "float8_e4m3".
  const NamedType* best = nullptr;
  for (const NamedType& t : kFixed) {
    if (text.substr(0, t.name.size()) != t.name) continue;
    if (best == nullptr || t.name.size() > best->name.size()) best = &t;
  }
  if (best != nullptr) return WithLanes(best->code, best->bits, text.substr(best->name.size()));

  TypeCode code;
  if (absl::ConsumePrefix(&text, "uint")) {
    code = TypeCode::kUInt;
  } else if (absl::ConsumePrefix(&text, "int")) {
    code = TypeCode::kInt;
  } else if (absl::ConsumePrefix(&text, "float")) {
    code = TypeCode::kFloat;
  } else {
    return std::nullopt;
  }
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  int bits = 0;
  if (digits == 0 || !absl::SimpleAtoi(text.substr(0, digits), &bits)) return std::nullopt;
  if (bits < 1 || bits > 128) return std::nullopt;
  if (code == TypeCode::kUInt && bits == 1) code = TypeCode::kBool;
  return WithLanes(code, bits, text.substr(digits));
}

}  // namespace lathe::ir
