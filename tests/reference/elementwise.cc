#include "tests/reference/elementwise.h"

#include <cmath>

namespace lathe::reference {

namespace {

constexpr Exactness kExact = Exactness::kExact, kLibrary = Exactness::kLibrary,
                    kComposed = Exactness::kComposed;

bool Truth(double x) { return x != 0 || std::isnan(x); }

Wide FloorDivide(Wide a, Wide b) {
  const Wide quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Within 64 bits of two's complement, which is enough for every integer dtype.
Wide Multiply(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) &
                           ~uint64_t{0});
}

Wide Power(Wide a, Wide n) {
  if (n < 0) return a == 1 ? 1 : a == -1 ? (n % 2 == 0 ? 1 : -1) : 0;
  Wide power = 1;
  for (; n > 0; --n) power = Multiply(power, a);
  return power;
}

Wide ShiftLeft(Wide a, Wide n) {
  for (; n > 0; --n) a = Multiply(a, 2);
  return a;
}

Wide ShiftRight(Wide a, Wide n) {
  for (; n > 0; --n) a = FloorDivide(a, 2);
  return a;
}

}  // namespace

const std::vector<RealUnary>& RealUnaries() {
  static const auto* const list = new std::vector<RealUnary>{
      {"abs", kExact, [](double x) { return x < 0 ? -x : x; }},
      {"acos", kLibrary, [](double x) { return std::acos(x); }},
      {"acosh", kLibrary, [](double x) { return std::acosh(x); }},
      {"asin", kLibrary, [](double x) { return std::asin(x); }},
      {"asinh", kLibrary, [](double x) { return std::asinh(x); }},
      {"atan", kLibrary, [](double x) { return std::atan(x); }},
      {"atanh", kLibrary, [](double x) { return std::atanh(x); }},
      {"ceil", kExact, [](double x) { return -std::floor(-x); }},
      {"cos", kLibrary, [](double x) { return std::cos(x); }},
      {"cosh", kLibrary, [](double x) { return std::cosh(x); }},
      {"erf", kLibrary, [](double x) { return std::erf(x); }},
      {"exp", kLibrary, [](double x) { return std::exp(x); }},
      {"floor", kExact, [](double x) { return std::floor(x); }},
      {"isfinite", kExact, [](double x) { return double(x - x == 0); }, true},
      {"isinf", kExact, [](double x) { return double(x - x != 0 && x == x); }, true},
      {"isnan", kExact, [](double x) { return double(x != x); }, true},
      {"log", kLibrary, [](double x) { return std::log(x); }},
      {"logical_not", kExact, [](double x) { return double(!Truth(x)); }},
      {"negative", kExact, [](double x) { return -x; }},
      {"nn.gelu", kComposed, [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }},
      {"nn.gelu_tanh", kComposed,
       [](double x) {
         return 0.5 * x *
                (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3))));
       }},
      {"nn.relu", kExact, [](double x) { return x > 0 ? x : 0; }},
      {"nn.selu", kComposed,
       [](double x) {
         constexpr double kAlpha = 1.67326324235437728481, kGamma = 1.05070098735548049342;
         return x > 0 ? kGamma * x : kGamma * kAlpha * std::expm1(x);
       }},
      {"nn.silu", kComposed, [](double x) { return x / (1 + std::exp(-x)); }},
      {"round", kExact,
       [](double x) {
         const double low = std::floor(x), rest = x - low;
         if (rest == 0.5) return std::fmod(low, 2) == 0 ? low : low + 1;
         return rest < 0.5 ? low : low + 1;
       }},
      {"rsqrt", kLibrary, [](double x) { return std::pow(std::sqrt(x), -1.0); }},
      {"sigmoid", kLibrary,
       [](double x) {
         const double e = std::exp(-std::fabs(x));
         return x < 0 ? e / (1 + e) : 1 / (1 + e);
       }},
      {"sign", kExact, [](double x) { return x > 0   ? 1
                                             : x < 0 ? -1
                                                     : x; }},
      {"sin", kLibrary, [](double x) { return std::sin(x); }},
      {"sinh", kLibrary, [](double x) { return std::sinh(x); }},
      {"sqrt", kExact, [](double x) { return std::sqrt(x); }},
      {"square", kExact, [](double x) { return x * x; }},
      {"tan", kLibrary, [](double x) { return std::tan(x); }},
      {"tanh", kLibrary, [](double x) { return std::tanh(x); }},
      {"trunc", kExact, [](double x) { return x < 0 ? -std::floor(-x) : std::floor(x); }},
  };
  return *list;
}

const std::vector<WholeUnary>& WholeUnaries() {
  static const auto* const list = new std::vector<WholeUnary>{
      {"abs", [](Wide x) { return x < 0 ? -x : x; }},
      {"bitwise_not", [](Wide x) { return -x - 1; }},
      {"ceil", [](Wide x) { return x; }},
      {"floor", [](Wide x) { return x; }},
      {"isfinite", [](Wide) { return Wide{1}; }, true},
      {"isinf", [](Wide) { return Wide{0}; }, true},
      {"isnan", [](Wide) { return Wide{0}; }, true},
      {"logical_not", [](Wide x) { return Wide{x == 0}; }},
      {"negative", [](Wide x) { return -x; }},
      {"nn.relu", [](Wide x) { return x < 0 ? Wide{0} : x; }},
      {"round", [](Wide x) { return x; }},
      {"sign", [](Wide x) { return x > 0   ? Wide{1}
                                   : x < 0 ? Wide{-1}
                                           : Wide{0}; }},
      {"square", [](Wide x) { return Multiply(x, x); }},
      {"trunc", [](Wide x) { return x; }},
  };
  return *list;
}

const std::vector<RealBinary>& RealBinaries() {
  using R = const InDType&;
  static const auto* const list = new std::vector<RealBinary>{
      {"add", kExact, [](double a, double b, R) { return a + b; }},
      {"atan2", kLibrary, [](double a, double b, R) { return std::atan2(a, b); }},
      {"divide", kExact, [](double a, double b, R) { return a / b; }},
      {"equal", kExact, [](double a, double b, R) { return double(a == b); }, true},
      {"floor_divide", kExact, [](double a, double b, R r) { return std::floor(r(a / b)); }},
      {"floor_mod", kExact,
       [](double a, double b, R r) { return a - r(std::floor(r(a / b)) * b); }},
      {"greater", kExact, [](double a, double b, R) { return double(a > b); }, true},
      {"greater_equal", kExact, [](double a, double b, R) { return double(a >= b); }, true},
      {"less", kExact, [](double a, double b, R) { return double(a < b); }, true},
      {"less_equal", kExact, [](double a, double b, R) { return double(a <= b); }, true},
      {"log_add_exp", kComposed,
       [](double a, double b, R) {
         if (a == b) return a + std::log(2.0);
         return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
       }},
      {"logical_and", kExact, [](double a, double b, R) { return double(Truth(a) && Truth(b)); }},
      {"logical_or", kExact, [](double a, double b, R) { return double(Truth(a) || Truth(b)); }},
      {"logical_xor", kExact, [](double a, double b, R) { return double(Truth(a) != Truth(b)); }},
      {"maximum", kExact, [](double a, double b, R) { return a > b ? a : b; }},
      {"minimum", kExact, [](double a, double b, R) { return a < b ? a : b; }},
      {"mod", kLibrary, [](double a, double b, R) { return std::fmod(a, b); }},
      {"multiply", kExact, [](double a, double b, R) { return a * b; }},
      {"not_equal", kExact, [](double a, double b, R) { return double(!(a == b)); }, true},
      {"power", kLibrary, [](double a, double b, R) { return std::pow(a, b); }},
      {"subtract", kExact, [](double a, double b, R) { return a - b; }},
  };
  return *list;
}

const std::vector<WholeBinary>& WholeBinaries() {
  using W = WholeBinary;
  static const auto* const list = new std::vector<WholeBinary>{
      {"add", W::kAny, [](Wide a, Wide b) { return a + b; }},
      {"bitwise_and", W::kAny, [](Wide a, Wide b) { return a & b; }},
      {"bitwise_or", W::kAny, [](Wide a, Wide b) { return a | b; }},
      {"bitwise_xor", W::kAny, [](Wide a, Wide b) { return a ^ b; }},
      {"divide", W::kNotZero, [](Wide a, Wide b) { return a / b; }},
      {"equal", W::kAny, [](Wide a, Wide b) { return Wide{a == b}; }, true},
      {"floor_divide", W::kNotZero, FloorDivide},
      {"floor_mod", W::kNotZero, [](Wide a, Wide b) { return a - FloorDivide(a, b) * b; }},
      {"greater", W::kAny, [](Wide a, Wide b) { return Wide{a > b}; }, true},
      {"greater_equal", W::kAny, [](Wide a, Wide b) { return Wide{a >= b}; }, true},
      {"left_shift", W::kShift, ShiftLeft},
      {"less", W::kAny, [](Wide a, Wide b) { return Wide{a < b}; }, true},
      {"less_equal", W::kAny, [](Wide a, Wide b) { return Wide{a <= b}; }, true},
      {"logical_and", W::kAny, [](Wide a, Wide b) { return Wide{a != 0 && b != 0}; }},
      {"logical_or", W::kAny, [](Wide a, Wide b) { return Wide{a != 0 || b != 0}; }},
      {"logical_xor", W::kAny, [](Wide a, Wide b) { return Wide{(a != 0) != (b != 0)}; }},
      {"maximum", W::kAny, [](Wide a, Wide b) { return a > b ? a : b; }},
      {"minimum", W::kAny, [](Wide a, Wide b) { return a < b ? a : b; }},
      {"mod", W::kNotZero, [](Wide a, Wide b) { return a - a / b * b; }},
      {"multiply", W::kAny, Multiply},
      {"not_equal", W::kAny, [](Wide a, Wide b) { return Wide{a != b}; }, true},
      {"power", W::kExponent, Power},
      {"right_shift", W::kShift, ShiftRight},
      {"subtract", W::kAny, [](Wide a, Wide b) { return a - b; }},
  };
  return *list;
}

}  // namespace lathe::reference
