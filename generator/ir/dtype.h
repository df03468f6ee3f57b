// Defines scalar data types and their spelling in programs: "float32", "int8x4", "bool", "handle".
#ifndef LATHE_IR_DTYPE_H_
#define LATHE_IR_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe::ir {

enum class TypeCode : uint8_t {
  kInt,
  kUInt,
  kFloat,
  kBFloat,
  kBool,  // also read from "uint1", the older spelling
  kFloat8E3M4,
  kFloat8E4M3,
  kFloat8E4M3B11Fnuz,
  kFloat8E4M3Fn,
  kFloat8E4M3Fnuz,
  kFloat8E5M2,
  kFloat8E5M2Fnuz,
  kFloat8E8M0Fnu,
  kFloat6E2M3Fn,
  kFloat6E3M2Fn,
  kFloat4E2M1Fn,
  kHandle,  // a pointer
  kVoid,    // unknown: the specification's Void()
};

struct DType {
  TypeCode code = TypeCode::kVoid;
  uint8_t bits = 0;
  // 1 for a scalar; n for a vector; -n for a scalable vector of n * vscale lanes; 0 only for kVoid.
  int16_t lanes = 0;

  static constexpr DType Make(TypeCode code, int bits, int lanes) {
    return {code, static_cast<uint8_t>(bits), static_cast<int16_t>(lanes)};
  }
  static constexpr DType Int(int bits, int lanes = 1) { return Make(TypeCode::kInt, bits, lanes); }
  static constexpr DType UInt(int bits, int lanes = 1) {
    return Make(TypeCode::kUInt, bits, lanes);
  }
  static constexpr DType Float(int bits, int lanes = 1) {
    return Make(TypeCode::kFloat, bits, lanes);
  }
  static constexpr DType Bool(int lanes = 1) { return Make(TypeCode::kBool, 1, lanes); }
  static constexpr DType Handle() { return Make(TypeCode::kHandle, 64, 1); }
  static constexpr DType Void() { return DType(); }

  constexpr bool is_void() const { return code == TypeCode::kVoid; }
  constexpr bool is_bool() const { return code == TypeCode::kBool; }
  constexpr bool is_handle() const { return code == TypeCode::kHandle; }
  constexpr bool is_int() const { return code == TypeCode::kInt; }
  constexpr bool is_uint() const { return code == TypeCode::kUInt; }
  // Signed or unsigned, not bool.
  constexpr bool is_integer() const { return is_int() || is_uint(); }
  // IEEE, bfloat16 and the small formats.
  constexpr bool is_floating() const {
    return code == TypeCode::kFloat || code == TypeCode::kBFloat ||
           (code >= TypeCode::kFloat8E3M4 && code <= TypeCode::kFloat4E2M1Fn);
  }
  constexpr bool is_scalar() const { return lanes == 1; }
  constexpr DType with_lanes(int n) const { return Make(code, bits, n); }
  constexpr DType element() const { return with_lanes(1); }

  bool operator==(const DType&) const = default;
  auto operator<=>(const DType&) const = default;
};

// Returns the bytes of `count` elements in a tensor; elements under a byte are packed, a bool takes
// one byte.
uint64_t StorageBytes(DType dtype, uint64_t count);

// "float32", "uint8x4", "float32xvscalex4", "bool", "handle", "void".
std::string ToString(DType dtype);

// Parses a dtype; nothing if it is invalid. "" and "void" are Void.
std::optional<DType> ParseDType(absl::string_view text);

}  // namespace lathe::ir

#endif  // LATHE_IR_DTYPE_H_
