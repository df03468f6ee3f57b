// Defines typed scalars, which are the contents of PrimValues and the results of scalar
// expressions.
#ifndef LATHE_INTERP_DATA_SCALAR_H_
#define LATHE_INTERP_DATA_SCALAR_H_

#include <cstdint>
#include <string>

#include "generator/interp/data/scalar_math.h"
#include "generator/ir/dtype.h"

namespace lathe::interp {

struct Scalar {
  ir::DType dtype = ir::DType::Int(64);
  Bits bits = 0;

  static Scalar Int(int64_t value, ir::DType dtype = ir::DType::Int(64)) {
    return {dtype, FromInt64(dtype, value)};
  }
  static Scalar Float(double value, ir::DType dtype) { return {dtype, FromDouble(dtype, value)}; }
  static Scalar Bool(bool value) { return {ir::DType::Bool(), value ? Bits{1} : Bits{0}}; }

  // Return the value in that type. AsInt truncates floats towards zero and saturates. AsDouble
  // rounds to nearest.
  int64_t AsInt() const { return ToInt64(dtype, bits); }
  double AsDouble() const { return ToDouble(dtype, bits); }
  bool IsTrue() const { return CastBits(dtype, bits, ir::DType::Bool()) != 0; }
  Scalar CastTo(ir::DType to) const { return {to, CastBits(dtype, bits, to)}; }

  bool operator==(const Scalar&) const = default;
};

// Returns the shortest text that reads back as the same number: 3, -0.5, 1e+20, inf, nan, True.
std::string ToString(const Scalar& s);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_SCALAR_H_
