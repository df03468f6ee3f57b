// Imports products of matrices.
#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/block_weights.h"
#include "generator/reader/tflite/ops/hybrid.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/sums.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// x * weight^T
Operand RowProduct(OpCall& c, const Operand& x, const Operand& weight, DType dtype) {
  return c.Op("relax.matmul", {x, c.Transposed(weight, {1, 0})}, {{"out_dtype", dtype}});
}

// Swaps the last two axes if `adjoint`.
Operand Adjusted(OpCall& c, const Operand& x, bool adjoint) {
  if (!adjoint) return x;
  std::vector<int> order;
  for (int axis = 0; axis < c.Rank(x); ++axis) order.push_back(axis);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return c.Transposed(x, order);
}

// The scales of the matrices: one, or one for each column, then without zero points.
absl::StatusOr<std::vector<double>> MatrixScales(OpCall& c, bool adj_y) {
  const Quantization& q = c.In(1).quantization;
  const int64_t columns = std::ssize(c.In(1).shape) - (adj_y ? 2 : 1);
  const bool zeros = std::any_of(q.zeros.begin(), q.zeros.end(), [](int64_t z) { return z != 0; });
  if (c.In(0).quantization.per_axis() || (q.per_axis() && (q.axis != columns || zeros))) {
    return c.Unsupported() << "BATCH_MATMUL of factors with scales along an axis; supported is one "
                              "scale, or for the second factor one for each column and zero points "
                              "of 0";
  }
  return std::vector<double>(q.scales.begin(), q.scales.end());
}

// Rows of float data, quantized one by one, times int8 matrices.
absl::StatusOr<Results> HybridMatmul(OpCall& c, const Operand& x, bool adj_y) {
  const Dims dims = c.DimsOf(x), out = c.OutDims();
  SumForm form;
  form.dtype = kWhole;
  LATHE_ASSIGN_OR_RETURN(form.scales, MatrixScales(c, adj_y));
  if (form.scales.empty() || c.InAffine(1).zero != 0) {
    return c.Unsupported() << "BATCH_MATMUL of float data and int8 weights with "
                           << form.scales.size() << " scales and zero point " << c.InAffine(1).zero
                           << "; scales and zero point 0 are supported";
  }
  const PrimRef rows = c.Product(dims, 0, dims.size() - 1);
  if (out.empty() ||
      ImportBuilder::IntOf(c.Product(out, 0, out.size() - 1)) != ImportBuilder::IntOf(rows)) {
    return c.Unsupported() << "BATCH_MATMUL that repeats float data for several int8 matrices";
  }
  const HybridForm how = {c.Int("asymmetric") != 0, false, 1, -1};
  LATHE_ASSIGN_OR_RETURN(const Results made,
                         HybridSums(c, form, c.Reshape(x, {rows, dims.back()}), how,
                                    [&](const Operand& integers, const Operand& w) {
                                      const Operand product =
                                          c.Op("relax.matmul",
                                               {c.Reshape(integers, dims), Adjusted(c, w, adj_y)},
                                               {{"out_dtype", kWhole}});
                                      return c.Reshape(product, {rows, out.back()});
                                    }));
  return c.Reshape(made.operands[0], out);
}

}  // namespace

absl::StatusOr<Results> ImportFullyConnected(OpCall& c) {
  const std::vector<int64_t>& weight = c.In(1).shape;
  if (weight.size() != 2) {
    return c.Error() << "weights must have 2 dimensions, got " << weight.size();
  }
  if (c.Int("weights_format") != 0) {
    return c.Unsupported() << "FULLY_CONNECTED with shuffled weights";
  }
  const int64_t columns = weight[0], depth = weight[1];
  int64_t count = 1;
  for (const int64_t size : c.In(0).shape) count *= size;
  if (depth == 0 || count % depth != 0) {
    return c.Error() << "data of " << count << " elements are not rows of " << depth;
  }
  const int64_t rows = count / depth;
  const Operand data = c.Reshape(c.Arg(0), c.DimsFrom({rows, depth}));
  std::vector<int64_t> shape = {rows, columns};
  if (c.Int("keep_num_dims") != 0) {
    shape = c.In(0).shape;
    if (shape.empty() || shape.back() != depth) {
      return c.Error() << "the last dimension of the data must be " << depth
                       << " if the number of dimensions is kept";
    }
    shape.back() = columns;
  }
  if (HasBlockWeights(c.node(), c.node().inputs[1], c.In(1))) {
    LATHE_ASSIGN_OR_RETURN(Results made, BlockProduct(c, data));
    made = EveryActivation(c, made.operands[0], c.Int("activation"));
    return c.Reshape(made.operands[0], c.DimsFrom(shape));
  }
  LATHE_ASSIGN_OR_RETURN(SumForm form, SumFormOf(c, 0, columns));
  // LiteRT rounds uint8 sums once here, and twice in convolutions.
  form.rounded_once = c.In(0).type == kUInt8 && form.scales.size() == 1;
  Results made = data;
  if (form.kind == SumKind::kFloat) {
    const Operand sums = RowProduct(c, data, c.Arg(1), DType::Float(32));
    made = FloatActivation(c, WithBias(c, sums, 2), c.Int("activation"));
  } else if (form.kind == SumKind::kHybrid) {
    const HybridForm how = {c.Int("asymmetric") != 0};
    LATHE_ASSIGN_OR_RETURN(made,
                           HybridSums(c, form, data, how, [&](const Operand& x, const Operand& w) {
                             return RowProduct(c, x, w, DType::Int(32));
                           }));
    made = EveryActivation(c, made.operands[0], c.Int("activation"));
  } else {
    // A zero point of the weights counts only if they have one scale.
    const int64_t weight_zero = form.scales.size() == 1 ? c.InAffine(1).zero : 0;
    const Operand x = SubtractZeroPoint(c, data, form.zero, form.dtype);
    const Operand w = SubtractZeroPoint(c, c.Arg(1), weight_zero, form.dtype);
    LATHE_ASSIGN_OR_RETURN(
        made, FinishSums(c, form, RowProduct(c, x, w, form.dtype), 2, 1, c.Int("activation")));
  }
  return c.Reshape(made.operands[0], c.DimsFrom(shape));
}

absl::StatusOr<Results> ImportBatchMatmul(OpCall& c) {
  if (c.Rank(c.Arg(0)) < 2 || c.Rank(c.Arg(1)) < 2) {
    return c.Error() << "factors must have at least 2 dimensions";
  }
  const bool adj_x = c.Int("adj_x") != 0, adj_y = c.Int("adj_y") != 0;
  const DType dtype = c.TypeOf(c.Arg(0));
  const auto product = [&](const Operand& a, const Operand& b, DType sums) {
    return c.Op("relax.matmul", {Adjusted(c, a, adj_x), Adjusted(c, b, adj_y)},
                {{"out_dtype", sums}});
  };
  if (dtype.is_floating() && c.TypeOf(c.Arg(1)) == dtype) {
    return product(c.Arg(0), c.Arg(1), dtype);
  }
  if (dtype == kReal && c.TypeOf(c.Arg(1)) == DType::Int(8)) {
    return HybridMatmul(c, Adjusted(c, c.Arg(0), adj_x), adj_y);
  }
  const bool mixed = dtype == DType::Int(16) && c.TypeOf(c.Arg(1)) == DType::Int(8);
  if ((c.TypeOf(c.Arg(1)) != dtype && !mixed) || !IsSmallInteger(dtype)) {
    return c.Unsupported() << "BATCH_MATMUL of " << TypeName(c.In(0).type) << " and "
                           << TypeName(c.In(1).type);
  }
  if (c.OutType() == kWhole) {
    // LiteRT multiplies the integers as they are.
    return product(c.Cast(c.Arg(0), kWhole), c.Cast(c.Arg(1), kWhole), kWhole);
  }
  if (mixed && c.InAffine(1).zero != 0) {
    return c.Unsupported() << "BATCH_MATMUL of int16 data and int8 weights with the zero point "
                           << c.InAffine(1).zero << "; it must be 0";
  }
  const bool narrow = dtype.bits == 8;
  const DType sums = DType::Int(narrow ? 32 : 64);
  const Operand a = SubtractZeroPoint(c, c.Arg(0), c.InAffine(0).zero, sums);
  const Operand b = SubtractZeroPoint(c, c.Arg(1), c.InAffine(1).zero, sums);
  const Operand made = product(a, b, sums);
  LATHE_ASSIGN_OR_RETURN(std::vector<double> factors, MatrixScales(c, adj_y));
  if (factors.empty()) factors = {1};
  for (double& factor : factors) {
    factor = c.InAffine(0).scale * factor / c.OutAffine().scale;
  }
  return RequantizedSums(c, made, factors, -1, RangeOf(c.OutType()));
}

}  // namespace lathe::tflite
