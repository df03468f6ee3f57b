#include "generator/ops/te/interpolation.h"

namespace lathe::ops {

using ir::DType;
using ir::PrimRef;

int TapsOf(absl::string_view method) {
  if (method == "nearest_neighbor" || method == "nearest") return 1;
  if (method == "linear" || method == "bilinear") return 2;
  if (method == "cubic" || method == "bicubic") return 4;
  return 0;
}

PrimRef FirstTap(ScalarMath& m, PrimRef at, int taps) {
  return m.Sub(m.Cast(m.Call("floor", {at}), DType::Int(64)), m.Int(taps / 2 - 1));
}

PrimRef TapWeight(ScalarMath& m, PrimRef distance, int taps, double alpha) {
  const DType dtype = distance->dtype();
  const auto number = [&](double value) { return m.Const(value, dtype); };
  if (taps == 2) return m.Max(m.Sub(number(1), distance), number(0));
  // ((c3 d + c2) d + c1) d + c0, with two pieces.
  const auto cubic = [&](double c3, double c2, double c1, double c0) {
    PrimRef value = m.Add(m.Mul(number(c3), distance), number(c2));
    value = m.Add(m.Mul(value, distance), number(c1));
    return m.Add(m.Mul(value, distance), number(c0));
  };
  const PrimRef near = cubic(alpha + 2, -(alpha + 3), 0, 1);
  const PrimRef far = cubic(alpha, -5 * alpha, 8 * alpha, -4 * alpha);
  return m.Select(m.Le(distance, number(1)), near,
                  m.Select(m.Lt(distance, number(2)), far, number(0)));
}

}  // namespace lathe::ops
