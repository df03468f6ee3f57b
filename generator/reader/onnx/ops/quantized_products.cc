// Imports products of quantized tensors. With constant weights, scales and zero points they become
// float products between R.dequantize and R.quantize, which transform/quantize/fuse_quantized
// converts to integers. Otherwise, and if as_defined is set, they are integer sums that are rounded
// once.
#include <algorithm>
#include <cstring>
#include <optional>

#include "generator/reader/onnx/convolve.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr DType kProductType = DType::Float(32);

bool AreKnown(NodeCall& n, std::initializer_list<int> inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [&](int i) {
    return !n.Has(i) || ConstantOf(n.import(), n.term(i)).has_value();
  });
}

bool IsSingle(NodeCall& n, const Operand& v) {
  return n.Rank(v) == 0 || (n.Rank(v) == 1 && NodeCall::IntOf(n.DimsOf(v)[0]) == 1);
}
Operand Single(NodeCall& n, const Operand& v) { return n.Rank(v) == 0 ? v : n.Reshape(v, {}); }

// Dequantizes with a scale and zero point per tensor or per `axis`.
std::optional<Operand> Dequantized(NodeCall& n, int data, int scale, int zero, int64_t axis) {
  const Operand x = n.In(data);
  Operand by = n.In(scale), offset = n.In(zero);
  if (n.Rank(by) > 1 || n.Rank(offset) > 1) return std::nullopt;
  if (IsSingle(n, offset)) offset = Single(n, offset);
  if (IsSingle(n, by)) by = Single(n, by);
  if (n.Rank(by) < n.Rank(offset)) return std::nullopt;
  return n.Op("relax.dequantize", {x, by, offset}, {{"axis", axis}});
}

std::optional<Operand> Quantized(NodeCall& n, const Operand& value, int scale, int zero) {
  const Operand by = n.In(scale), offset = n.In(zero);
  if (!IsSingle(n, by) || !IsSingle(n, offset)) return std::nullopt;
  return n.Op("relax.quantize", {value, Single(n, by), Single(n, offset)},
              {{"out_dtype", n.TypeOf(offset)}, {"axis", int64_t{-1}}});
}

// Dequantizes an int32 bias, whose scale is the product of both constant scales.
Operand DequantizedBias(NodeCall& n, int bias, int x_scale, int w_scale) {
  const ir::Constant a = *ConstantOf(n.import(), n.term(x_scale));
  ir::Constant units = *ConstantOf(n.import(), n.term(w_scale));
  std::vector<uint8_t> bytes = *units.bytes;
  float x = 0;
  std::memcpy(&x, a.bytes->data(), sizeof x);
  for (size_t at = 0; at + sizeof x <= bytes.size(); at += sizeof x) {
    float w = 0;
    std::memcpy(&w, bytes.data() + at, sizeof w);
    w *= x;
    std::memcpy(bytes.data() + at, &w, sizeof w);
  }
  units.bytes = std::make_shared<std::vector<uint8_t>>(std::move(bytes));
  if (units.shape == std::vector<int64_t>{1}) units.shape.clear();
  return n.Op("relax.dequantize",
              {n.In(bias), n.builder().Constant(std::move(units)), n.Number(0, DType::Int(32))},
              {{"axis", int64_t{0}}});
}

absl::StatusOr<std::optional<Operand>> ConvolveReals(NodeCall& n) {
  if (n.import().as_defined || !AreKnown(n, {1, 2, 3, 4, 5, 6, 7, 8})) return std::nullopt;
  if (!IsSingle(n, n.In(1)) || !IsSingle(n, n.In(2)) || n.TypeOf(n.In(1)) != kProductType) {
    return std::nullopt;
  }
  const auto x = Dequantized(n, 0, 1, 2, -1), w = Dequantized(n, 3, 4, 5, 0);
  if (!x || !w) return std::nullopt;
  LATHE_ASSIGN_OR_RETURN(Operand y, Convolve(n, *x, *w));
  const size_t rank = n.DimsOf(y).size();
  if (n.Has(8)) y = n.Op("relax.add", {y, PerChannel(n, DequantizedBias(n, 8, 1, 4), rank)});
  return Quantized(n, y, 6, 7);
}

std::optional<Operand> MultiplyReals(NodeCall& n) {
  if (n.import().as_defined || !AreKnown(n, {1, 2, 3, 4, 5, 6, 7})) return std::nullopt;
  if (!IsSingle(n, n.In(1)) || !IsSingle(n, n.In(2)) || n.TypeOf(n.In(1)) != kProductType) {
    return std::nullopt;
  }
  if (n.Rank(n.In(3)) != 2) return std::nullopt;
  const auto a = Dequantized(n, 0, 1, 2, -1), b = Dequantized(n, 3, 4, 5, -1);
  if (!a || !b) return std::nullopt;
  return Quantized(n, n.Op("relax.matmul", {*a, *b}), 6, 7);
}

// Computes round(v * x_scale * w_scale / y_scale) + zero, clamped to the range of the result.
Operand Requantize(NodeCall& n, const Operand& v, const Operand& x_scale, const Operand& w_scale,
                   const Operand& y_scale, const Operand& zero) {
  const DType dtype = n.TypeOf(zero), real = DType::Float(32);
  return n.Elementwise(
      "requantize", {v, x_scale, w_scale, y_scale, zero},
      [&](ScalarMath& m, const Scalars& s) {
        const PrimRef factor =
            m.Div(m.Mul(m.Cast(s[1], real), m.Cast(s[2], real)), m.Cast(s[3], real));
        const PrimRef scaled = m.Call("round", {m.Mul(m.Cast(s[0], real), factor)});
        const PrimRef shifted = m.Add(scaled, m.Cast(s[4], real));
        const PrimRef low = m.Cast(m.Lowest(dtype), real), high = m.Cast(m.Highest(dtype), real);
        return m.Cast(m.Max(m.Min(shifted, high), low), dtype);
      },
      dtype);
}

// Convolves as ONNX defines it: integer sums that are rounded once.
absl::StatusOr<Results> ConvolveIntegers(NodeCall& n) {
  const DType wide = DType::Int(32);
  const auto one = [&](int i) { return n.Rank(n.In(i)) == 0 ? n.In(i) : n.Reshape(n.In(i), {}); };
  const size_t rank = n.DimsOf(n.In(0)).size();
  const auto for_kernel = [&](int i, size_t along) {
    const Operand v = n.In(i);
    if (n.Rank(v) == 0 || NodeCall::IntOf(n.DimsOf(v)[0]) == 1) return n.Reshape(v, {});
    Dims dims(rank, n.ir().Int(1));
    dims[along] = n.DimsOf(v)[0];
    return n.Reshape(v, dims);
  };
  LATHE_RETURN_IF_ERROR(n.NeedRank(n.In(0), 3));
  LATHE_RETURN_IF_ERROR(n.status());
  const Operand x = n.Op("relax.subtract", {n.Cast(n.In(0), wide), n.Cast(one(2), wide)});
  const Operand w = n.Op("relax.subtract", {n.Cast(n.In(3), wide), n.Cast(for_kernel(5, 0), wide)});
  LATHE_ASSIGN_OR_RETURN(Operand y, Convolve(n, x, w));
  if (n.Has(8)) y = n.Op("relax.add", {y, PerChannel(n, n.Cast(n.In(8), wide), rank)});
  return Requantize(n, y, one(1), for_kernel(4, 1), one(6), one(7));
}

absl::StatusOr<Results> MultiplyIntegers(NodeCall& n) {
  const DType wide = DType::Int(32);
  // Parameters of rows of the left operand and columns of the right one.
  const auto row = [&](int i) {
    const Operand v = n.In(i);
    if (n.Rank(v) != 1 || NodeCall::IntOf(n.DimsOf(v)[0]) == 1) {
      return n.Rank(v) == 1 ? n.Reshape(v, {}) : v;
    }
    return n.Reshape(v, {n.DimsOf(v)[0], n.ir().Int(1)});
  };
  const auto column = [&](int i) {
    const Operand v = n.In(i);
    return n.Rank(v) == 1 && NodeCall::IntOf(n.DimsOf(v)[0]) == 1 ? n.Reshape(v, {}) : v;
  };
  const Operand a = n.Op("relax.subtract", {n.Cast(n.In(0), wide), n.Cast(row(2), wide)});
  const Operand b = n.Op("relax.subtract", {n.Cast(n.In(3), wide), n.Cast(column(5), wide)});
  return Requantize(n, n.Op("relax.matmul", {a, b}), row(1), column(4), row(6), row(7));
}

}  // namespace

absl::StatusOr<Results> ImportConvInteger(NodeCall& n) {
  const DType wide = DType::Int(32);
  Operand x = n.Cast(n.In(0), wide), w = n.Cast(n.In(1), wide);
  LATHE_RETURN_IF_ERROR(n.NeedRank(w, 3));
  if (n.Has(2)) x = n.Op("relax.subtract", {x, n.Reshape(n.Cast(n.In(2), wide), {})});
  if (n.Has(3)) {
    Operand zero = n.Cast(n.In(3), wide);
    if (n.Rank(zero) == 1 && NodeCall::IntOf(n.DimsOf(zero)[0]) != 1) {
      Dims dims(n.DimsOf(w).size(), n.ir().Int(1));
      dims[0] = n.DimsOf(zero)[0];
      zero = n.Reshape(zero, dims);
    }
    w = n.Op("relax.subtract", {w, zero});
  }
  LATHE_ASSIGN_OR_RETURN(const Operand y, Convolve(n, x, w));
  return y;
}

absl::StatusOr<Results> ImportQLinearConv(NodeCall& n) {
  for (int i = 0; i < 8; ++i) (void)n.In(i);
  LATHE_RETURN_IF_ERROR(n.status());
  LATHE_ASSIGN_OR_RETURN(const std::optional<Operand> real, ConvolveReals(n));
  if (real) return *real;
  return ConvolveIntegers(n);
}

absl::StatusOr<Results> ImportQLinearMatMul(NodeCall& n) {
  for (int i = 0; i < 8; ++i) (void)n.In(i);
  LATHE_RETURN_IF_ERROR(n.status());
  if (const auto real = MultiplyReals(n)) return *real;
  return MultiplyIntegers(n);
}

}  // namespace lathe::onnx
