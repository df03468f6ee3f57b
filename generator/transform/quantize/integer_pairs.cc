#include "generator/transform/quantize/integer_pairs.h"

#include <algorithm>
#include <utility>

#include "generator/ir/paired_products.h"
#include "generator/transform/quantize/emit_operation.h"
#include "generator/transform/quantize/packed_weights.h"
#include "generator/transform/quantize/product_numbers.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::DType;

namespace {

std::vector<int64_t> WideWeights(const IntegerProduct& p) {
  return {p.weights.begin(), p.weights.end()};
}

// The weights as runtime-c/paired_products.h stores them. With `packed`, those of second columns
// are as they are, and unpacking makes them less.
std::vector<int64_t> PairedWeights(const IntegerProduct& p, const WindowRows& rows, bool packed) {
  const int64_t each = ir::PairedDepth(rows.count), elements = rows.pieces * each;
  std::vector<int64_t> stored(static_cast<size_t>(ir::PairedColumns(p.columns) * elements));
  const auto at = [&](int64_t c, int64_t k) {
    return p.weights[static_cast<size_t>(c * p.depth + k)];
  };
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t element =
          k / rows.count * each + ir::PairedPosition(k % rows.count, rows.count);
      const bool less = !packed && c % 2 == 1 && at(c - 1, k) < 0;
      stored[static_cast<size_t>(ir::PairedIndex(c, element, elements))] =
          at(c, k) - (less ? 1 : 0);
      // The second column of the last pair is all zeros, but for this.
      if (!packed && c % 2 == 0 && c + 1 == p.columns && at(c, k) < 0) {
        stored[static_cast<size_t>(ir::PairedIndex(c + 1, element, elements))] = -1;
      }
    }
  }
  return stored;
}

// The first sums of each pair of columns.
std::vector<int64_t> PairedStarts(const std::vector<int64_t>& bias) {
  std::vector<int64_t> starts(
      static_cast<size_t>(ir::PairedColumns(static_cast<int64_t>(bias.size()))));
  for (size_t c = 0; c < bias.size(); c += 2) {
    const int64_t second = c + 1 < bias.size() ? bias[c + 1] : 0;
    starts[c] = bias[c] + 256 * second;
    starts[c + 1] = bias[c];
  }
  return starts;
}

}  // namespace

MaybeOperand EmitPairedProducts(IntegerGraph& graph, const IntegerProduct& p,
                                const RealOperator& op, const RequiredResult& wanted) {
  const auto numbers = HasPieces(p) ? NumbersOf(p, op, wanted) : std::nullopt;
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  if (!ir::FitsPairs(WideWeights(p), numbers->bias)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  const WindowRows rows = WindowRowsOf(p);
  const bool each = ScaleCount(epilogue) > 1;
  const bool packed = HasPackedWeights(p);
  std::vector<int64_t> weights = PairedWeights(p, rows, packed);
  const std::vector<StoredConstant> constants = {
      packed ? PackedConstant(weights)
             : StoredConstant{"weights", DType::Int(8), std::move(weights)},
      {"starts", DType::Int(32), PairedStarts(numbers->bias)},
      ScaleConstant(epilogue, each ? ir::PairedColumns(p.columns) : ir::kPairedColumns)};
  std::vector<int64_t> arguments = {each};
  arguments.insert(arguments.end(), result->numbers.begin(), result->numbers.end());
  const int64_t elements = rows.pieces * ir::PairedDepth(rows.count);
  const RowProducts call = {result->once ? ir::kPairedOnce : ir::kPairedTwice,
                            Numbers(graph.ir(), arguments), "widened",
                            ir::PairedScratch(rows.rows, elements), DType::Int(32)};
  if (!packed) return EmitRowProducts(graph, p, wanted, constants, call);
  return EmitPackedProducts(
      graph, p, wanted, constants, call,
      {ir::kUnpackPairs, ir::kPairedColumns, elements, each ? ScaleNumbers(epilogue) : 0});
}

MaybeOperand EmitPairedDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                 const RealOperator& op, const RequiredResult& wanted) {
  const auto numbers = NumbersOf(p, op, wanted);
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  // With two roundings, weights and biases are doubled.
  constexpr int64_t kMaxSum = int64_t{1} << 30;
  if (!result->once && BoundOfSums(p, numbers->bias) >= kMaxSum) return std::nullopt;
  const int64_t unit = result->once ? 1 : 2;
  const int64_t padded = ir::PairedColumns(p.columns);
  std::vector<int64_t> weights(static_cast<size_t>(padded * p.depth));
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      weights[static_cast<size_t>(ir::PairedChannelIndex(c, k, p.depth))] =
          unit * p.weights[static_cast<size_t>(c * p.depth + k)];
    }
  }
  std::vector<int64_t> bias = numbers->bias;
  for (int64_t& sum : bias) sum *= unit;
  bias.resize(static_cast<size_t>(padded));
  const std::vector<StoredConstant> constants = {{"weights", DType::Int(16), std::move(weights)},
                                                 {"bias", DType::Int(32), std::move(bias)},
                                                 ScaleConstant(epilogue, padded)};
  return EmitChannelProducts(graph, p, wanted, constants, *result,
                             result->once ? ir::kPairedDepthwiseOnce : ir::kPairedDepthwise);
}

}  // namespace lathe::transform
