#include "generator/transform/quantize/integer_quads.h"

#include <algorithm>
#include <utility>

#include "generator/ir/quad_products.h"
#include "generator/support/align_up.h"
#include "generator/transform/quantize/emit_operation.h"
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
  // Widened to int32, for loads of two rows at once; or as they are, if they are not contiguous.
  // With two roundings, the code for widened rows, and for four rows, doubles sums.
  constexpr int64_t kMaxSum = int64_t{1} << 30;
  const bool fits = result->once || BoundOfSums(p, numbers->bias) < kMaxSum;
  const bool wide = graph.widens() && fits;
  const int64_t most = graph.rows_together();
  const int64_t together = fits ? most : std::min<int64_t>(most, 2);
  const bool apart = rows.pieces > 1 || elements != p.depth;
  const int64_t gathered = wide ? 2 : apart ? 1 : 0;
  const int64_t scales = ScaleCount(epilogue);
  std::vector<int64_t> bias = numbers->bias;
  bias.resize(static_cast<size_t>(AlignUp(p.columns, ir::kQuadColumns)));
  const std::vector<StoredConstant> constants = {
      {"weights", offset == 0 ? DType::Int(8) : DType::UInt(8), QuadWeights(p, offset)},
      {"bias", DType::Int(32), std::move(bias)},
      ScaleConstant(epilogue, scales)};
  std::vector<int64_t> arguments = {together, scales > 1, offset, gathered};
  arguments.insert(arguments.end(), result->numbers.begin(), result->numbers.end());
  return EmitRowProducts(
      graph, p, wanted, constants,
      {result->once ? ir::kQuadProductsOnce : ir::kQuadProducts, Numbers(graph.ir(), arguments),
       "gathered", ir::QuadScratch(rows.rows, together, elements, gathered != 0),
       wide ? DType::Int(32) : DType::Int(8)});
}

MaybeOperand EmitQuadDepthwise(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                               const RequiredResult& wanted) {
  const auto numbers = NumbersOf(p, op, wanted);
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  constexpr int64_t kMaxSum = int64_t{1} << 30;  // which two roundings double
  if (!result->once && BoundOfSums(p, numbers->bias) >= kMaxSum) return std::nullopt;
  const std::vector<StoredConstant> constants = {
      {"weights", DType::Int(8), {p.weights.begin(), p.weights.end()}},
      {"bias", DType::Int(32), numbers->bias},
      ScaleConstant(epilogue, p.columns)};
  return EmitChannelProducts(graph, p, wanted, constants, *result,
                             result->once ? ir::kQuadDepthwiseOnce : ir::kQuadDepthwise);
}

}  // namespace lathe::transform
