#include "generator/transform/quantize/integer_helium.h"

#include <algorithm>
#include <utility>

#include "generator/ir/helium_products.h"
#include "generator/support/align_up.h"
#include "generator/transform/quantize/emit_operation.h"
#include "generator/transform/quantize/packed_weights.h"
#include "generator/transform/quantize/product_numbers.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::DType;

namespace {

// True if short pieces are copied next to each other, because vectors are filled better.
bool IsGathered(const WindowRows& rows) {
  return rows.pieces > 1 &&
         ir::HeliumPiece(rows.pieces * rows.count) < rows.pieces * ir::HeliumPiece(rows.count);
}

std::vector<int64_t> HeliumWeights(const IntegerProduct& p, const WindowRows& rows) {
  const bool gathered = IsGathered(rows);
  const int64_t pieces = gathered ? 1 : rows.pieces, count = gathered ? p.depth : rows.count;
  const int64_t pairs = AlignUp(p.columns, ir::kHeliumColumns) / ir::kHeliumColumns;
  std::vector<int64_t> stored(static_cast<size_t>(pairs * pieces * ir::HeliumPiece(count)));
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t at = ir::HeliumIndex(c, k / count, k % count, pieces, count);
      stored[static_cast<size_t>(at)] = p.weights[static_cast<size_t>(c * p.depth + k)];
    }
  }
  return stored;
}

// The factors of all columns, padded to whole vectors; or the mantissas and then the negative
// shifts, both padded.
StoredConstant HeliumScales(const IntegerEpilogue& epilogue) {
  const int64_t count = ScaleCount(epilogue);
  const bool once = epilogue.rounds_once();
  const int64_t padded = count == 1 ? 1 : AlignUp(count, ir::kHeliumSums);
  std::vector<int64_t> scales(static_cast<size_t>((once ? 1 : 2) * padded));
  for (int64_t c = 0; c < count; ++c) {
    scales[static_cast<size_t>(c)] = MultiplierOf(epilogue, c);
    if (!once) scales[static_cast<size_t>(padded + c)] = ShiftOf(epilogue, c);
  }
  return {once ? "multipliers" : "scales", DType::Int(32), std::move(scales)};
}

std::vector<int64_t> Padded(std::vector<int64_t> values, int64_t to) {
  values.resize(static_cast<size_t>(AlignUp(std::ssize(values), to)));
  return values;
}

}  // namespace

MaybeOperand EmitHeliumProducts(IntegerGraph& graph, const IntegerProduct& p,
                                const RealOperator& op, const RequiredResult& wanted) {
  const auto numbers = HasPieces(p) ? NumbersOf(p, op, wanted) : std::nullopt;
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  const WindowRows rows = WindowRowsOf(p);
  const bool gathered = IsGathered(rows);
  // With two roundings, the shifts of all columns follow their mantissas: columns have no part.
  const bool each = ScaleCount(epilogue) > 1;
  const bool packed = HasPackedWeights(p) && (result->once || !each);
  std::vector<int64_t> weights = HeliumWeights(p, rows);
  const int64_t stored = std::ssize(weights) / AlignUp(p.columns, ir::kHeliumColumns);
  if (packed) weights.resize(static_cast<size_t>(AlignUp(p.columns, ir::kHeliumSums) * stored));
  const std::vector<StoredConstant> constants = {
      packed ? PackedConstant(weights)
             : StoredConstant{"weights", DType::Int(8), std::move(weights)},
      {"bias", DType::Int(32), Padded(numbers->bias, ir::kHeliumColumns)},
      HeliumScales(epilogue)};
  std::vector<int64_t> arguments = {each, gathered};
  arguments.insert(arguments.end(), result->numbers.begin(), result->numbers.end());
  const RowProducts call = {
      result->once ? ir::kHeliumProductsOnce : ir::kHeliumProducts, Numbers(graph.ir(), arguments),
      "sums", ir::HeliumScratch(rows.rows, p.columns, p.depth, gathered), DType::Int(32)};
  if (!packed) return EmitRowProducts(graph, p, wanted, constants, call);
  return EmitPackedProducts(
      graph, p, wanted, constants, call,
      {ir::kUnpackSigned, ir::kHeliumSums, stored, each ? ir::kHeliumSums : 0});
}

MaybeOperand EmitHeliumDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                 const RealOperator& op, const RequiredResult& wanted) {
  const auto numbers = NumbersOf(p, op, wanted);
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result || p.columns == 1) return std::nullopt;
  const int64_t padded = AlignUp(p.columns, ir::kHeliumLanes);
  std::vector<int64_t> weights(static_cast<size_t>(padded * p.depth));
  std::vector<int64_t> table(
      static_cast<size_t>(padded / ir::kHeliumLanes * 2 * ir::kHeliumNumbers));
  for (int64_t c = 0; c < p.columns; ++c) {
    int64_t least = 0;
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t weight = p.weights[static_cast<size_t>(c * p.depth + k)];
      weights[static_cast<size_t>(ir::HeliumChannelIndex(c, k, p.depth))] = weight;
      least = std::min(least, weight);
    }
    // Two products must fit 16 bits.
    if (least < -127) return std::nullopt;
    table[static_cast<size_t>(ir::HeliumBias(c))] = numbers->bias[static_cast<size_t>(c)];
    table[static_cast<size_t>(ir::HeliumMantissa(c))] = MultiplierOf(epilogue, c);
    table[static_cast<size_t>(ir::HeliumShift(c))] = ShiftOf(epilogue, c);
  }
  const std::vector<StoredConstant> constants = {{"weights", DType::Int(8), std::move(weights)},
                                                 {"numbers", DType::Int(32), std::move(table)}};
  return EmitChannelProducts(graph, p, wanted, constants, *result,
                             result->once ? ir::kHeliumDepthwiseOnce : ir::kHeliumDepthwise);
}

}  // namespace lathe::transform
