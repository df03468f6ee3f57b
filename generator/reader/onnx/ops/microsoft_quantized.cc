// Imports com.microsoft's quantized operators as the plain operator between R.dequantize and
// R.quantize, which transform/quantize/fuse_quantized converts to integers.
#include <cmath>
#include <memory>

#include "generator/interp/data/tensor.h"
#include "generator/ops/te/weight_blocks.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Results> ImportPool(NodeCall& n);

namespace {

constexpr DType kScaleType = DType::Float(32);

// Reshapes a scale or zero point for R.quantize: a scalar, or a vector along an axis.
Operand Parameter(NodeCall& n, const Operand& v) {
  const bool single = n.Rank(v) == 1 && NodeCall::IntOf(n.DimsOf(v)[0]) == 1;
  return single ? n.Reshape(v, {}) : v;
}

// Dequantizes input `data` with the inputs `scale` and, optionally, `zero`.
Operand DequantizedInput(NodeCall& n, int data, int scale, int zero, int64_t axis = -1) {
  const Operand x = n.In(data);
  const Operand offset = n.Has(zero) ? Parameter(n, n.In(zero)) : n.Number(0, n.TypeOf(x));
  return n.Op("relax.dequantize", {x, Parameter(n, n.In(scale)), offset},
              {{"axis", n.Rank(x) == 0 ? int64_t{0} : axis}});
}

// Quantizes `value` to the dtype of the zero point or, without one, to `otherwise`.
Operand Quantized(NodeCall& n, const Operand& value, int scale, int zero, DType otherwise) {
  const DType dtype = n.Has(zero) ? n.TypeOf(n.In(zero)) : otherwise;
  const Operand offset = n.Has(zero) ? Parameter(n, n.In(zero)) : n.Number(0, dtype);
  return n.Op("relax.quantize", {value, Parameter(n, n.In(scale)), offset},
              {{"out_dtype", dtype}, {"axis", n.Rank(value) == 0 ? int64_t{0} : int64_t{-1}}});
}

ir::AttrList Axes(const std::vector<int64_t>& axes) {
  ir::AttrList list;
  for (int64_t axis : axes) list.emplace_back(axis);
  return list;
}

// Returns the weights (K, N) of MatMulNBits from constant bytes of 4 or 8 bits per element without
// zero points: as packed signed integers, which kernels keep in flash.
std::optional<Operand> SignedWeights(NodeCall& n, const Operand& scales, int64_t bits,
                                     int64_t block) {
  const Operand bytes = n.In(1);
  const auto* id = bytes.As<ir::ConstantId>();
  const bool plain = !n.Has(3) && !n.Has(4) && n.TypeOf(n.In(0)) == DType::Float(32) &&
                     n.TypeOf(scales) == DType::Float(32);
  if (id == nullptr || bits < 4 || !plain) return std::nullopt;
  const int64_t k = n.Int("K", 0), columns = n.Int("N", 0), blocks = (k + block - 1) / block;
  const auto packed = n.builder().ConstantAt(*id).bytes;
  const DType from = DType::UInt(static_cast<uint16_t>(bits));
  const DType to = DType::Int(static_cast<uint16_t>(bits));
  const auto count = static_cast<uint64_t>(columns * k);
  auto elements = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(to, count));
  const int64_t middle = int64_t{1} << (bits - 1);
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t i = 0; i < k; ++i) {
      const auto at = static_cast<uint64_t>(column * blocks * block + i);
      const auto q = static_cast<int64_t>(interp::ReadElement(packed->data(), from, at));
      interp::WriteElement(elements->data(), to, static_cast<uint64_t>(column * k + i),
                           interp::FromInt64(to, q - middle));
    }
  }
  const Operand integers = n.builder().Constant({to, {columns, k}, std::move(elements)});
  const Operand by = n.Reshape(scales, {n.ir().Int(columns), n.ir().Int(blocks)});
  const Operand weights = n.Kernel(ops::kDequantizeBlocks, {integers, by}, [&](Te& te) {
    return ops::DequantizeBlocks(te, {n.ir().Int(columns), n.ir().Int(k)}, 1, block,
                                 DType::Float(32));
  });
  return n.Transposed(weights, {1, 0});
}

}  // namespace

absl::StatusOr<Results> ImportQLinearBinary(NodeCall& n) {
  const char* op = n.op() == "QLinearAdd" ? "relax.add" : "relax.multiply";
  const Operand a = DequantizedInput(n, 0, 1, 2), b = DequantizedInput(n, 3, 4, 5);
  LATHE_RETURN_IF_ERROR(n.status());
  return Quantized(n, n.Op(op, {a, b}), 6, 7, n.TypeOf(n.In(0)));
}

// Inputs: Y_scale, Y_zero_point, then each tensor with its scale and zero point.
absl::StatusOr<Results> ImportQLinearConcat(NodeCall& n) {
  if (n.inputs() < 5 || (n.inputs() - 2) % 3 != 0) {
    return n.Error() << "the inputs must be a scale, a zero point, and three for each tensor";
  }
  Operands parts;
  for (int i = 2; i + 2 < n.inputs(); i += 3) parts.push_back(DequantizedInput(n, i, i + 1, i + 2));
  LATHE_RETURN_IF_ERROR(n.status());
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(parts[0])));
  const Operand whole =
      n.Op("relax.concat", {transform::BlockBuilder::Tuple(parts)}, {{"axis", axis}});
  return Quantized(n, whole, 0, 1, n.TypeOf(n.In(2)));
}

// Imports Sigmoid, LeakyRelu and Softmax.
absl::StatusOr<Results> ImportQLinearUnary(NodeCall& n) {
  const Operand x = DequantizedInput(n, 0, 1, 2);
  LATHE_RETURN_IF_ERROR(n.status());
  Operand y = x;
  if (n.op() == "QLinearSigmoid") {
    y = n.Op("relax.sigmoid", {x});
  } else if (n.op() == "QLinearLeakyRelu") {
    y = n.Op("relax.nn.leakyrelu", {x}, {{"alpha", n.Float("alpha", 0.01)}});
  } else {
    const int rank = n.Rank(x);
    LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -1), rank));
    // Up to operator set 12, Softmax flattened the axes from `axis` on.
    const bool flattens = n.Int("opset", 13) < 13 && axis + 1 < rank;
    const Dims dims = n.DimsOf(x);
    const auto split = static_cast<size_t>(axis);
    if (flattens) {
      y = n.Reshape(x, {n.Product(dims, 0, split), n.Product(dims, split, dims.size())});
    }
    y = n.Op("relax.nn.softmax", {y}, {{"axis", flattens ? 1 : axis}});
    if (flattens) y = n.Reshape(y, dims);
  }
  return Quantized(n, y, 3, 4, n.TypeOf(n.In(0)));
}

absl::StatusOr<Results> ImportQLinearGlobalAveragePool(NodeCall& n) {
  const Operand x = DequantizedInput(n, 0, 1, 2);
  LATHE_RETURN_IF_ERROR(n.status());
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  const bool last = n.Int("channels_last", 0) != 0;
  std::vector<int64_t> axes;
  for (int64_t axis = 2; axis < n.Rank(x); ++axis) axes.push_back(last ? axis - 1 : axis);
  const Operand mean = n.Op("relax.mean", {x}, {{"axis", Axes(axes)}, {"keepdims", true}});
  return Quantized(n, mean, 3, 4, n.TypeOf(n.In(0)));
}

absl::StatusOr<Results> ImportQLinearAveragePool(NodeCall& n) {
  const Operand x = DequantizedInput(n, 0, 1, 2);
  LATHE_RETURN_IF_ERROR(n.status());
  // Rewrites the node for the importer of the ai.onnx operator.
  Node node = n.node();
  node.op = "AveragePool";
  node.domain.clear();
  NodeCall real(n.import(), n.scope(), node, {Term(x)}, 19);
  LATHE_ASSIGN_OR_RETURN(Results pooled, ImportPool(real));
  LATHE_RETURN_IF_ERROR(real.status());
  return Quantized(n, *pooled.terms[0].operand, 3, 4, n.TypeOf(n.In(0)));
}

absl::StatusOr<Results> ImportQLinearReduceMean(NodeCall& n) {
  const Operand x = DequantizedInput(n, 0, 1, 2);
  LATHE_RETURN_IF_ERROR(n.status());
  ir::AttrMap attrs = {{"keepdims", n.Int("keepdims", 1) != 0}};
  if (const std::vector<int64_t> axes = n.Ints("axes"); !axes.empty()) attrs["axis"] = Axes(axes);
  return Quantized(n, n.Op("relax.mean", {x}, attrs), 3, 4, n.TypeOf(n.In(0)));
}

absl::StatusOr<Results> ImportQLinearWhere(NodeCall& n) {
  const Operand a = DequantizedInput(n, 1, 2, 3), b = DequantizedInput(n, 4, 5, 6);
  LATHE_RETURN_IF_ERROR(n.status());
  return Quantized(n, n.Op("relax.where", {n.In(0), a, b}), 7, 8, n.TypeOf(n.In(1)));
}

// C has the scale of the product of A and B. Without a scale for Y the result is float.
absl::StatusOr<Results> ImportQGemm(NodeCall& n) {
  const bool turned = n.Int("transB", 0) != 0;
  Operand a = DequantizedInput(n, 0, 1, 2), b = DequantizedInput(n, 3, 4, 5, turned ? 0 : 1);
  LATHE_RETURN_IF_ERROR(n.status());
  if (n.Rank(a) != 2 || n.Rank(b) != 2) return n.Error() << "both factors must have rank 2";
  if (n.Int("transA", 0) != 0) a = n.Transposed(a, {1, 0});
  if (turned) b = n.Transposed(b, {1, 0});
  Operand y = n.Op("relax.matmul", {a, b});
  const double alpha = n.Float("alpha", 1.0);
  if (n.Has(6)) {
    const Operand unit = n.Op("relax.multiply", {n.In(1), n.In(4)});
    const Operand bias = n.Op("relax.multiply", {n.Cast(n.In(6), kScaleType), unit});
    y = n.Op("relax.add", {y, bias});
  }
  if (alpha != 1.0) y = n.Op("relax.multiply", {y, n.Number(alpha, kScaleType)});
  LATHE_RETURN_IF_ERROR(n.status());
  return n.Has(7) ? Quantized(n, y, 7, 8, n.TypeOf(n.In(0))) : y;
}

// Inputs: A, B, scales, zero points, bias. The result is float.
absl::StatusOr<Results> ImportMatMulIntegerToFloat(NodeCall& n) {
  const Operand a = DequantizedInput(n, 0, 2, 4), b = DequantizedInput(n, 1, 3, 5);
  LATHE_RETURN_IF_ERROR(n.status());
  const Operand y = n.Op("relax.matmul", {a, b});
  return n.Has(6) ? n.Op("relax.add", {y, n.In(6)}) : y;
}

// Quantizes A to eight bits by its own range, as DynamicQuantizeLinear does.
absl::StatusOr<Results> ImportDynamicQuantizeMatMul(NodeCall& n) {
  const Operand x = n.In(0);
  const Operand low = n.Op("relax.min", {x}), high = n.Op("relax.max", {x});
  const Operand rounded =
      n.Elementwise("rounded_to_8_bits", {x, low, high}, [](ScalarMath& m, const Scalars& v) {
        const PrimRef zero = m.Const(0, kScaleType), most = m.Const(255, kScaleType);
        const PrimRef least = m.Min(v[1], zero);
        const PrimRef scale = m.Div(m.Sub(m.Max(v[2], zero), least), most);
        const auto clamped = [&](PrimRef q) { return m.Max(m.Min(q, most), zero); };
        const PrimRef offset = clamped(m.Call("round", {m.Div(m.Neg(least), scale)}));
        const PrimRef q = clamped(m.Add(m.Call("round", {m.Div(v[0], scale)}), offset));
        // A tensor of zeros has the scale 0.
        return m.Select(m.Eq(scale, zero), zero, m.Mul(m.Sub(q, offset), scale));
      });
  const Operand b = DequantizedInput(n, 1, 2, 3);
  LATHE_RETURN_IF_ERROR(n.status());
  const Operand y = n.Op("relax.matmul", {rounded, b});
  return n.Has(4) ? n.Op("relax.add", {y, n.In(4)}) : y;
}

// B is quantized in blocks along K, with 2, 4 or 8 bits per element, lowest bits first, and a scale
// and zero point per block.
absl::StatusOr<Results> ImportMatMulNBits(NodeCall& n) {
  const int64_t k = n.Int("K", 0), columns = n.Int("N", 0), bits = n.Int("bits", 4);
  const int64_t block = n.Int("block_size", 0);
  if (bits != 2 && bits != 4 && bits != 8)
    return n.Unsupported() << bits << " bits are not supported; supported: 2, 4 and 8";
  constexpr int64_t kLimit = int64_t{1} << 30;
  if (k < 1 || columns < 1 || block < 16 || k > kLimit || columns > kLimit || block > kLimit) {
    return n.Error() << "K, N or block_size is out of range: " << k << ", " << columns << " and "
                     << block;
  }
  const int64_t blocks = (k + block - 1) / block, each = 8 / bits;
  const auto sized = [&](int i, int64_t count) -> absl::StatusOr<Operand> {
    const Operand v = n.In(i);
    const auto known = NodeCall::IntOf(n.Product(n.DimsOf(v), 0, n.DimsOf(v).size()));
    if (known && *known == count) return n.Reshape(v, {n.ir().Int(count)});
    return n.Error() << "input " << i << " must have " << count << " elements";
  };
  LATHE_ASSIGN_OR_RETURN(const Operand packed, sized(1, columns * blocks * block / each));
  LATHE_ASSIGN_OR_RETURN(const Operand scales, sized(2, columns * blocks));
  if (const auto weights = SignedWeights(n, scales, bits, block)) {
    LATHE_RETURN_IF_ERROR(n.status());
    const Operand y = n.Op("relax.matmul", {n.In(0), *weights});
    return n.Has(5) ? n.Op("relax.add", {y, n.In(5)}) : y;
  }
  Operands args = {packed, scales};
  const bool zeros_packed = n.Has(3) && n.TypeOf(n.In(3)) == DType::UInt(8);
  const int64_t zero_bytes = (blocks + each - 1) / each;
  if (n.Has(3)) {
    LATHE_ASSIGN_OR_RETURN(const Operand zeros,
                           sized(3, columns * (zeros_packed ? zero_bytes : blocks)));
    args.push_back(zeros);
  }
  const int groups_at = n.Has(4) ? static_cast<int>(args.size()) : -1;
  if (n.Has(4)) {
    LATHE_RETURN_IF_ERROR(n.NeedRank(n.In(4), 1));
    args.push_back(n.In(4));
  }
  const DType dtype = n.TypeOf(n.In(0));
  const Operand weights = n.Kernel("blocks_of_bits", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const Dims dims = {n.ir().Int(k), n.ir().Int(columns)};
    const DType wide = DType::Int(32);
    const auto piece = [&](int input, PrimRef place, PrimRef within) {
      const PrimRef byte = m.Cast(te.At(te.Input(input), {place}), wide);
      const PrimRef by = m.Mul(m.Cast(within, wide), m.ir().Int(bits, wide));
      const PrimRef moved = m.Binary(ir::BinaryOp::kShr, byte, by);
      return m.Binary(ir::BinaryOp::kBitAnd, moved, m.ir().Int((1 << bits) - 1, wide));
    };
    if (groups_at >= 0) {
      te.Need(m.Le(m.Int(k), te.Input(groups_at)->shape[0]),
              "MatMulNBits needs a group for each row");
    }
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef group = groups_at < 0
                                ? m.FloorDiv(at[0], m.Int(block))
                                : m.Cast(te.At(te.Input(groups_at), {at[0]}), DType::Int(64));
      const PrimRef row = m.Mul(at[1], m.Int(blocks * block / each));
      const PrimRef q =
          piece(0, m.Add(row, m.FloorDiv(at[0], m.Int(each))), m.FloorMod(at[0], m.Int(each)));
      const PrimRef place = m.Add(m.Mul(at[1], m.Int(blocks)), group);
      PrimRef zero = m.Const(std::ldexp(1, static_cast<int>(bits) - 1), dtype);
      if (zeros_packed) {
        const PrimRef byte = m.Add(m.Mul(at[1], m.Int(zero_bytes)), m.FloorDiv(group, m.Int(each)));
        zero = m.Cast(piece(2, byte, m.FloorMod(group, m.Int(each))), dtype);
      } else if (n.Has(3)) {
        zero = m.Cast(te.At(te.Input(2), {place}), dtype);
      }
      const PrimRef scale = m.Cast(te.At(te.Input(1), {place}), dtype);
      return m.Mul(m.Sub(m.Cast(q, dtype), zero), scale);
    });
  });
  LATHE_RETURN_IF_ERROR(n.status());
  const Operand y = n.Op("relax.matmul", {n.In(0), weights});
  return n.Has(5) ? n.Op("relax.add", {y, n.In(5)}) : y;
}

}  // namespace lathe::onnx
