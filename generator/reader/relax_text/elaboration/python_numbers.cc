#include "generator/reader/relax_text/elaboration/python_numbers.h"

#include <cmath>

namespace lathe::relax_text {
namespace {

using absl::int128;
using ast::BinaryOp;
using NumberResult = std::variant<PythonNumber, NoNumber>;

constexpr int kMaxShift = 64;

double AsReal(PythonNumber n) {
  const int128* whole = std::get_if<int128>(&n);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(n);
}

int128 FloorDivide(int128 a, int128 b) {
  const int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

NumberResult Bounded(int128 value) {
  constexpr int128 kLimit = int128(1) << kMaxShift;
  if (value >= kLimit || value <= -kLimit) return NoNumber{"the result takes more than 64 bits"};
  return PythonNumber(value);
}

// The magnitude is estimated in floating point first, because the exact product of two operands
// below 2^64 may overflow int128.
NumberResult Multiply(int128 a, int128 b) {
  const double size = std::abs(static_cast<double>(a) * static_cast<double>(b));
  if (size > std::ldexp(1.0, kMaxShift)) return NoNumber{"the result takes more than 64 bits"};
  return Bounded(a * b);
}

NumberResult Power(int128 base, int128 exponent) {
  if (exponent < 0) {
    return PythonNumber(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  if (base == 0 || base == 1) return PythonNumber(exponent == 0 ? int128(1) : base);
  if (base == -1) return PythonNumber(exponent % 2 == 0 ? int128(1) : base);
  if (exponent > kMaxShift) return NoNumber{"the result takes more than 64 bits"};
  int128 result = 1;
  for (int128 i = 0; i < exponent; ++i) {
    const NumberResult next = Multiply(result, base);
    if (std::holds_alternative<NoNumber>(next)) return next;
    result = std::get<int128>(std::get<PythonNumber>(next));
  }
  return PythonNumber(result);
}

NumberResult CalculateWhole(BinaryOp op, int128 a, int128 b) {
  switch (op) {
    case BinaryOp::kAdd:
      return Bounded(a + b);
    case BinaryOp::kSub:
      return Bounded(a - b);
    case BinaryOp::kMul:
      return Multiply(a, b);
    case BinaryOp::kDiv:
      if (b == 0) return NoNumber{"division by zero"};
      return PythonNumber(static_cast<double>(a) / static_cast<double>(b));
    case BinaryOp::kFloorDiv:
      if (b == 0) return NoNumber{"division by zero"};
      return Bounded(FloorDivide(a, b));
    case BinaryOp::kMod:
      if (b == 0) return NoNumber{"division by zero"};
      return Bounded(a - FloorDivide(a, b) * b);
    case BinaryOp::kPow:
      return Power(a, b);
    case BinaryOp::kShiftLeft:
      if (b < 0 || b > kMaxShift) return NoNumber{"a shift by less than 0 or more than 64"};
      return Multiply(a, int128(1) << static_cast<int>(b));
    case BinaryOp::kShiftRight:
      if (b < 0) return NoNumber{"a shift by less than 0"};
      if (b > kMaxShift) return PythonNumber(int128(a < 0 ? -1 : 0));
      return Bounded(FloorDivide(a, int128(1) << static_cast<int>(b)));
    case BinaryOp::kBitAnd:
      return Bounded(a & b);
    case BinaryOp::kBitOr:
      return Bounded(a | b);
    case BinaryOp::kBitXor:
      return Bounded(a ^ b);
    case BinaryOp::kMatMul:
      break;
  }
  return NoNumber{"no such operation on numbers"};
}

NumberResult CalculateReal(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::kAdd:
      return PythonNumber(a + b);
    case BinaryOp::kSub:
      return PythonNumber(a - b);
    case BinaryOp::kMul:
      return PythonNumber(a * b);
    case BinaryOp::kDiv:
      if (b == 0) return NoNumber{"division by zero"};
      return PythonNumber(a / b);
    case BinaryOp::kFloorDiv:
      if (b == 0) return NoNumber{"division by zero"};
      return PythonNumber(std::floor(a / b));
    case BinaryOp::kMod:
      if (b == 0) return NoNumber{"division by zero"};
      return PythonNumber(a - std::floor(a / b) * b);
    case BinaryOp::kPow:
      return PythonNumber(std::pow(a, b));
    default:
      return NoNumber{"no such operation on real numbers"};
  }
}

template <typename T>
bool CompareAs(ast::CompareOp op, T a, T b) {
  switch (op) {
    case ast::CompareOp::kEq:
    case ast::CompareOp::kIs:
      return a == b;
    case ast::CompareOp::kNe:
    case ast::CompareOp::kIsNot:
      return a != b;
    case ast::CompareOp::kLt:
      return a < b;
    case ast::CompareOp::kLe:
      return a <= b;
    case ast::CompareOp::kGt:
      return a > b;
    case ast::CompareOp::kGe:
      return a >= b;
    case ast::CompareOp::kIn:
    case ast::CompareOp::kNotIn:
      break;
  }
  return false;
}

}  // namespace

std::variant<PythonNumber, NoNumber> Calculate(BinaryOp op, PythonNumber lhs, PythonNumber rhs) {
  const int128* a = std::get_if<int128>(&lhs);
  const int128* b = std::get_if<int128>(&rhs);
  if (a != nullptr && b != nullptr) return CalculateWhole(op, *a, *b);
  return CalculateReal(op, AsReal(lhs), AsReal(rhs));
}

bool Compare(ast::CompareOp op, PythonNumber lhs, PythonNumber rhs) {
  const int128* a = std::get_if<int128>(&lhs);
  const int128* b = std::get_if<int128>(&rhs);
  if (a != nullptr && b != nullptr) return CompareAs(op, *a, *b);
  return CompareAs(op, AsReal(lhs), AsReal(rhs));
}

}  // namespace lathe::relax_text
