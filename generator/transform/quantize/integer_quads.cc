#include "generator/transform/quantize/integer_quads.h"

#include <algorithm>
#include <utility>

#include "generator/ir/quad_products.h"
#include "generator/support/align_up.h"
#include "generator/transform/quantize/emit_operation.h"
#include "generator/transform/quantize/packed_weights.h"
#include "generator/transform/quantize/product_numbers.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::DType;

namespace {

std::vector<int64_t> QuadWeights(const IntegerProduct& p, int64_t offset) {
  const int64_t elements = AlignUp(p.depth, ir::kQuadElements);
  std::vector<int64_t> stored(static_cast<size_t>(AlignUp(p.columns, ir::kQuadColumns) * elements),
                              offset);
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      stored[static_cast<size_t>(ir::QuadIndex(c, k, elements))] =
          p.weights[static_cast<size_t>(c * p.depth + k)] + offset;
    }
  }
  return stored;
}

// Returns whether two rows are widened to int32, so that one load reads elements of both. With two
// roundings, their code doubles sums.
bool Widens(const IntegerGraph& graph, const IntegerProduct& p, const ProductNumbers& numbers,
            const OperationResult& result) {
  constexpr int64_t kMaxSum = int64_t{1} << 30;
  return graph.widens() && (result.once || BoundOfSums(p, numbers.bias) < kMaxSum);
}

// Returns whether one shift can follow both roundings, as in runtime-c/quad_rv32.h: four times a
// sum has 32 bits, and so has its scaled value with the zero point in front of the shift.
bool ShiftsOnce(const IntegerProduct& p, const ProductNumbers& numbers) {
  constexpr int64_t kMaxSum = int64_t{1} << 29, kMaxShift = 22;
  const IntegerEpilogue& epilogue = numbers.epilogue;
  for (int64_t c = 0; c < ScaleCount(epilogue); ++c) {
    if (-ShiftOf(epilogue, c) > kMaxShift) return false;
  }
  return BoundOfSums(p, numbers.bias) < kMaxSum;
}

// Returns whether four rows can be packed: sums without their bias have 24 bits.
bool Packs(const IntegerGraph& graph, const IntegerProduct& p, const ProductNumbers& numbers,
           int64_t rows, const OperationResult& result) {
  constexpr int64_t kMaxPacked = int64_t{1} << 23;
  if (!graph.packs() || rows < ir::kQuadPackedRows) return false;
  const std::vector<int64_t> none(static_cast<size_t>(p.columns));
  return BoundOfSums(p, none) < kMaxPacked && (result.once || ShiftsOnce(p, numbers));
}

// Returns true for windows that share elements with the next ones, whose code has limits of sums.
bool HasMovingWindows(const IntegerWindow& w) {
  return w.kernel_h == 3 && w.kernel_w == 3 && w.stride_w == 1 && w.dilation_w == 1;
}

}  // namespace

MaybeOperand EmitQuadProducts(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                              const RequiredResult& wanted) {
  const auto numbers = HasPieces(p) ? NumbersOf(p, op, wanted) : std::nullopt;
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  const WindowRows rows = WindowRowsOf(p);
  const int64_t elements = AlignUp(p.depth, ir::kQuadElements);
  const int64_t offset = graph.is_v6m() ? ir::kQuadOffset : 0;
  const int64_t together =
      Packs(graph, p, *numbers, rows.rows, *result) ? ir::kQuadPackedRows : graph.rows_together();
  const bool apart = rows.pieces > 1 || elements != p.depth;
  const int64_t gathered = together == ir::kQuadPackedRows       ? ir::kQuadPacked
                           : Widens(graph, p, *numbers, *result) ? ir::kQuadWidened
                           : apart                               ? ir::kQuadGathered
                                                                 : ir::kQuadInPlace;
  const int64_t scales = ScaleCount(epilogue);
  std::vector<int64_t> bias = numbers->bias;
  bias.resize(static_cast<size_t>(AlignUp(p.columns, ir::kQuadColumns)));
  const bool packed = HasPackedWeights(p);
  const std::vector<StoredConstant> constants = {
      packed ? PackedConstant(QuadWeights(p, 0))
             : StoredConstant{"weights", offset == 0 ? DType::Int(8) : DType::UInt(8),
                              QuadWeights(p, offset)},
      {"bias", DType::Int(32), std::move(bias)},
      ScaleConstant(epilogue, scales)};
  std::vector<int64_t> arguments = {together, scales > 1, offset, gathered};
  arguments.insert(arguments.end(), result->numbers.begin(), result->numbers.end());
  const RowProducts call = {result->once ? ir::kQuadProductsOnce : ir::kQuadProducts,
                            Numbers(graph.ir(), arguments), "gathered",
                            ir::QuadScratch(rows.rows, together, elements, gathered),
                            gathered >= ir::kQuadWidened ? DType::Int(32) : DType::Int(8)};
  if (!packed) return EmitRowProducts(graph, p, wanted, constants, call);
  return EmitPackedProducts(
      graph, p, wanted, constants, call,
      {offset == 0 ? ir::kUnpackSigned : ir::kUnpackUnsigned, ir::kQuadColumns, elements,
       scales > 1 ? ir::kQuadColumns * ScaleNumbers(epilogue) : 0});
}

MaybeOperand EmitQuadDepthwise(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                               const RequiredResult& wanted) {
  const auto numbers = NumbersOf(p, op, wanted);
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  if (!result->once && HasMovingWindows(*p.window)) {
    constexpr int64_t kMaxSum = int64_t{1} << 30;  // which two roundings double
    if (BoundOfSums(p, numbers->bias) >= kMaxSum) return std::nullopt;
    if (graph.packs() && !ShiftsOnce(p, *numbers)) return std::nullopt;
  }
  const std::vector<StoredConstant> constants = {
      {"weights", DType::Int(8), {p.weights.begin(), p.weights.end()}},
      {"bias", DType::Int(32), numbers->bias},
      ScaleConstant(epilogue, p.columns)};
  return EmitChannelProducts(graph, p, wanted, constants, *result,
                             result->once ? ir::kQuadDepthwiseOnce : ir::kQuadDepthwise);
}

}  // namespace lathe::transform
