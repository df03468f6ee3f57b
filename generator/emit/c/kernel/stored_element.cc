#include "generator/emit/c/kernel/stored_element.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/packed_elements.h"

namespace lathe::emit {
namespace {

constexpr char kBits[] = "\"lathe/bits.h\"";
constexpr char kHalf[] = "\"lathe/half.h\"";
constexpr char kFloat8[] = "\"lathe/float8.h\"";

// 16-bit floats have their own conversion functions. All smaller formats share functions with a
// parameter for the format.
bool IsHalf(ir::DType dtype) { return dtype.bits == 16; }
std::string FormatName(ir::DType dtype) {
  return absl::StrCat("LATHE_", absl::AsciiStrToUpper(SmallFloatName(dtype)));
}

std::string Decoded(CNeeds& needs, ir::DType dtype, const std::string& code) {
  needs.headers.insert(IsHalf(dtype) ? kHalf : kFloat8);
  if (IsHalf(dtype))
    return absl::StrCat("lathe_float_from_", SmallFloatName(dtype), "(", code, ")");
  return absl::StrCat("lathe_float_from_code(", code, ", ", FormatName(dtype), ")");
}

std::string Encoded(CNeeds& needs, ir::DType dtype, const std::string& value) {
  needs.headers.insert(IsHalf(dtype) ? kHalf : kFloat8);
  if (IsHalf(dtype))
    return absl::StrCat("lathe_", SmallFloatName(dtype), "_from_float(", value, ")");
  return absl::StrCat("lathe_code_from_float(", value, ", ", FormatName(dtype), ")");
}

// Prints the bits of a packed element as its CLocalType.
CText BitsAt(CNeeds& needs, ir::DType dtype, const StoredPlace& place) {
  needs.headers.insert(kBits);
  const std::string where = absl::StrCat("(", place.pointer, ", ");
  if (dtype.bits == 4) {
    const char* name = dtype.is_int() ? "lathe_i4_at" : "lathe_u4_at";
    return {absl::StrCat(name, where, place.index, ")"), kPrimary};
  }
  const std::string width = absl::StrCat(int{dtype.bits}, "u");
  std::string bits = absl::StrCat("lathe_bits_at", where, width, ", ", place.index, ")");
  if (dtype.is_int()) bits = absl::StrCat("lathe_wrap_i64(", bits, ", ", width, ")");
  return {absl::StrCat("(", CLocalType(dtype), ")", bits), kPrefix};
}

std::string PutBits(CNeeds& needs, ir::DType dtype, const StoredPlace& place,
                    const std::string& value) {
  needs.headers.insert(kBits);
  if (dtype.bits == 4) {
    return absl::StrCat(dtype.is_int() ? "lathe_put_i4(" : "lathe_put_u4(", place.pointer, ", ",
                        place.index, ", ", value, ");");
  }
  return absl::StrCat("lathe_put_bits(", place.pointer, ", ", int{dtype.bits}, "u, ", place.index,
                      ", (uint64_t)(", value, "));");
}

}  // namespace

CText ReadElement(CNeeds& needs, ir::DType dtype, const StoredPlace& place) {
  const bool shares = ir::IsPacked(dtype) && !place.is_local;
  CText stored = shares ? BitsAt(needs, dtype, place) : CText{place.Element(), kPrimary};
  if (SmallFloatName(dtype).empty()) return stored;
  CText number{Decoded(needs, dtype, stored.text), kPrimary};
  number.code = std::move(stored.text);
  return number;
}

std::string WriteElement(CNeeds& needs, ir::DType dtype, const StoredPlace& place,
                         const CText& value) {
  const bool shares = ir::IsPacked(dtype) && !place.is_local;
  const bool is_float = !SmallFloatName(dtype).empty();
  // Encoding a small float rounds, and storing 4 bits truncates, so an earlier rounding or
  // narrowing is redundant.
  const bool as_it_was = !value.unrounded.empty() && (is_float || (shares && dtype.bits == 4));
  std::string stored = as_it_was ? value.unrounded : value.text;
  if (is_float) stored = value.code.empty() ? Encoded(needs, dtype, stored) : value.code;
  if (shares) return PutBits(needs, dtype, place, stored);
  return absl::StrCat(place.Element(), " = ", stored, ";");
}

CText RoundedFloat(CNeeds& needs, ir::DType dtype, CText text, bool is_wide) {
  const absl::string_view name = SmallFloatName(dtype);
  if (name.empty()) return text;
  needs.headers.insert(IsHalf(dtype) ? kHalf : kFloat8);
  CText rounded;
  rounded.text = IsHalf(dtype)
                     ? absl::StrCat("lathe_round_", name, is_wide ? "_wide(" : "(", text.text, ")")
                     : absl::StrCat(is_wide ? "lathe_round_wide_to(" : "lathe_round_to(", text.text,
                                    ", ", FormatName(dtype), ")");
  if (!is_wide) rounded.unrounded = text.text;
  return rounded;
}

CText NarrowedInt(CNeeds& needs, ir::DType dtype, const CText& text, bool is_int) {
  const absl::string_view type = CScalarType(dtype);
  // A bool is one bit in a byte of its own. Compilers warn about sums in it without parentheses.
  if (dtype.is_bool()) {
    return {absl::StrCat("(", type, ")(", text.In(kSum + 1), " & 1", is_int ? ")" : "u)"), kPrefix};
  }
  if (!ir::IsPacked(dtype)) return {absl::StrCat("(", type, ")", text.In(kPrefix)), kPrefix};
  CText narrowed;
  if (dtype.is_uint()) {
    const bool wide = dtype.bits >= 32;
    const std::string bits = absl::StrCat(wide ? "(uint64_t)" : "(uint32_t)", text.In(kPrefix));
    const std::string mask = wide
                                 ? absl::StrCat("UINT64_C(", ~uint64_t{0} >> (64 - dtype.bits), ")")
                                 : absl::StrCat((uint32_t{1} << dtype.bits) - 1, "u");
    narrowed = {absl::StrCat("(", type, ")(", bits, " & ", mask, ")"), kPrefix};
    narrowed.unrounded = bits;
    return narrowed;
  }
  needs.headers.insert(kBits);
  if (dtype.bits == 4) {
    narrowed.unrounded = is_int ? text.text : absl::StrCat("(int32_t)", text.In(kPrefix));
    narrowed.text = absl::StrCat("lathe_wrap_i4(", narrowed.unrounded, ")");
    return narrowed;
  }
  return {absl::StrCat("(", type, ")lathe_wrap_i64((uint64_t)", text.In(kPrefix), ", ",
                       int{dtype.bits}, "u)"),
          kPrefix};
}

std::string BitsOfInt(ir::DType dtype, const CText& text) {
  if (!ir::IsPacked(dtype)) {
    return absl::StrCat("(uint", dtype.is_bool() ? 8 : int{dtype.bits}, "_t)(", text.text, ")");
  }
  return absl::StrCat("(uint64_t)", text.In(kPrefix), " & UINT64_C(",
                      ~uint64_t{0} >> (64 - dtype.bits), ")");
}

}  // namespace lathe::emit
