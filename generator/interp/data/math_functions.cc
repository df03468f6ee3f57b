#include "generator/interp/data/math_functions.h"

#include <cmath>

#include "absl/strings/strip.h"

namespace lathe::interp {
namespace {

struct UnaryRow {
  absl::string_view name;
  UnaryMath f;
};
constexpr UnaryRow kUnary[] = {
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"exp10", [](double x) { return std::pow(10.0, x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sigmoid", [](double x) { return 1.0 / (1.0 + std::exp(-x)); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", [](double x) { return 1.0 / std::sqrt(x); }},
    {"cbrt", [](double x) { return std::cbrt(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"fabs", [](double x) { return std::fabs(x); }},
    {"abs", [](double x) { return std::fabs(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    // Rounds halves to even, independent of C's rounding mode.
    {"round", [](double x) { return std::nearbyint(x); }},
    {"nearbyint", [](double x) { return std::nearbyint(x); }},
    {"rint", [](double x) { return std::nearbyint(x); }},
};

struct BinaryRow {
  absl::string_view name;
  BinaryMath f;
};
constexpr BinaryRow kBinary[] = {
    {"pow", [](double x, double y) { return std::pow(x, y); }},
    {"fmod", [](double x, double y) { return std::fmod(x, y); }},
    {"atan2", [](double x, double y) { return std::atan2(x, y); }},
    {"hypot", [](double x, double y) { return std::hypot(x, y); }},
    {"copysign", [](double x, double y) { return std::copysign(x, y); }},
    {"fmin", [](double x, double y) { return std::fmin(x, y); }},
    {"fmax", [](double x, double y) { return std::fmax(x, y); }},
    {"fdim", [](double x, double y) { return std::fdim(x, y); }},
    {"remainder", [](double x, double y) { return std::remainder(x, y); }},
};

template <typename Row, int kRows>
int FindIn(const Row (&rows)[kRows], absl::string_view name) {
  for (int n = 0; n < kRows; ++n) {
    if (rows[n].name == name) return n;
  }
  return absl::ConsumeSuffix(&name, "f") ? FindIn(rows, name) : -1;
}

}  // namespace

int FindUnaryMath(absl::string_view name) { return FindIn(kUnary, name); }
int FindBinaryMath(absl::string_view name) { return FindIn(kBinary, name); }

UnaryMath UnaryMathAt(int number) { return kUnary[number].f; }
BinaryMath BinaryMathAt(int number) { return kBinary[number].f; }

}  // namespace lathe::interp
