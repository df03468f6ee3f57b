#include "generator/interp/data/scalar.h"

#include <charconv>

#include "absl/strings/str_cat.h"

namespace lathe::interp {
namespace {

template <typename T>
std::string Shortest(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

}  // namespace

std::string ToString(const Scalar& s) {
  if (s.dtype.is_bool()) return s.bits != 0 ? "True" : "False";
  if (s.dtype.is_int()) return absl::StrCat(static_cast<int64_t>(s.bits));
  if (!s.dtype.is_floating()) return absl::StrCat(s.bits);
  const double value = s.AsDouble();
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  // Fewer bits need fewer digits; float is enough for every format but float64.
  return KindOf(s.dtype) == Kind::kFloat64 ? Shortest(value) : Shortest(static_cast<float>(value));
}

}  // namespace lathe::interp
