#include "generator/transform/quantize/integer_pairs.h"

#include <algorithm>
#include <utility>

#include "generator/ir/paired_products.h"
#include "generator/support/align_up.h"
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

// How the weights are stored: of two rows at a time, as runtime-c/paired_products.h does, or of
// one, as paired_row.h does.
class PairStorage {
 public:
  PairStorage(const IntegerProduct& p, bool one_row) : rows_(WindowRowsOf(p)), one_row_(one_row) {
    block_ = one_row ? ir::kPairedRowColumns : ir::kPairedColumns;
    columns_ = AlignUp(p.columns, block_);
    elements_ = one_row ? AlignUp(p.depth, ir::kPairedElements)
                        : rows_.pieces * ir::PairedDepth(rows_.count);
  }

  int64_t columns() const { return columns_; }
  int64_t elements() const { return elements_; }
  size_t IndexOf(int64_t c, int64_t k) const {
    const int64_t element = one_row_ ? k
                                     : k / rows_.count * ir::PairedDepth(rows_.count) +
                                           ir::PairedPosition(k % rows_.count, rows_.count);
    return static_cast<size_t>(ir::PairedIndex(c, element, elements_, block_));
  }

 private:
  const WindowRows rows_;
  const bool one_row_;
  int64_t block_ = 0, columns_ = 0, elements_ = 0;
};

// With `packed`, weights of second columns are as they are, and unpacking makes them less.
std::vector<int64_t> PairedWeights(const IntegerProduct& p, const PairStorage& storage,
                                   bool packed) {
  std::vector<int64_t> stored(static_cast<size_t>(storage.columns() * storage.elements()));
  const auto at = [&](int64_t c, int64_t k) {
    return p.weights[static_cast<size_t>(c * p.depth + k)];
  };
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const bool less = !packed && c % 2 == 1 && at(c - 1, k) < 0;
      stored[storage.IndexOf(c, k)] = at(c, k) - (less ? 1 : 0);
      // The second column of the last pair is all zeros, but for this.
      if (!packed && c % 2 == 0 && c + 1 == p.columns && at(c, k) < 0) {
        stored[storage.IndexOf(c + 1, k)] = -1;
      }
    }
  }
  return stored;
}

// The first sums of each pair of columns.
std::vector<int64_t> PairedStarts(const std::vector<int64_t>& bias, const PairStorage& storage) {
  std::vector<int64_t> starts(static_cast<size_t>(storage.columns()));
  for (size_t c = 0; c < bias.size(); c += 2) {
    const int64_t second = c + 1 < bias.size() ? bias[c + 1] : 0;
    starts[c] = bias[c] + 256 * second;
    starts[c + 1] = bias[c];
  }
  return starts;
}

// The scales of runtime-c/paired_tiles.h: with two roundings, twice the mantissas, less 2^32, and a
// word with four shifts. A mantissa of 0 becomes a factor that is so small that all sums of
// FitsPairs give 0. Returns nullopt if another mantissa has less than 31 bits.
std::optional<StoredConstant> PairedScales(const IntegerEpilogue& epilogue, int64_t count) {
  constexpr int64_t kLeast = int64_t{1} << 30, kUnit = int64_t{1} << 32, kMostRight = 31;
  if (epilogue.rounds_once()) return ScaleConstant(epilogue, count);
  StoredConstant scales = {"scales", DType::Int(32), {}};
  for (int64_t first = 0; first < count; first += ir::kPairedColumns) {
    int64_t shifts = 0;
    for (int64_t c = 0; c < ir::kPairedColumns; ++c) {
      const int64_t mantissa = MultiplierOf(epilogue, first + c);
      const int64_t right = mantissa == 0 ? kMostRight : -ShiftOf(epilogue, first + c);
      if (mantissa != 0 && mantissa < kLeast) return std::nullopt;
      scales.values.push_back(2 * std::max(mantissa, kLeast) - kUnit);
      shifts |= (right - 1) << (8 * c);
    }
    scales.values.insert(scales.values.end() - ir::kPairedColumns + 1, shifts);
  }
  return scales;
}

// Returns whether the code for one row pays where the last row is odd.
bool PaysAlone(const IntegerGraph& graph, const IntegerProduct& p) {
  constexpr int64_t kFewWeights = 1 << 12;
  return !graph.has_small_depthwise() && (p.rows > 1 || p.columns * p.depth >= kFewWeights);
}

// The operation of `p`, and its numbers after `columns` except those of results.
RowProducts PairedCall(IntegerGraph& graph, const IntegerProduct& p, const PairStorage& storage,
                       bool one_row, bool packed, bool each, const OperationResult& result) {
  const WindowRows rows = WindowRowsOf(p);
  // Packed weights are multiplied by the rows of a line.
  const int64_t count = packed && p.window ? p.window->out_w : rows.rows;
  // So are the lines of layers that are joined later.
  const bool odd = count % 2 == 1 || (p.window && p.window->out_w % 2 == 1);
  std::vector<int64_t> numbers = {each};
  const bool gathers = rows.pieces > 1 || storage.elements() != rows.count;
  const bool alone = odd && PaysAlone(graph, p);
  numbers.push_back(one_row ? gathers : alone);
  numbers.insert(numbers.end(), result.numbers.begin(), result.numbers.end());
  if (one_row) {
    return {result.once ? ir::kPairedRowOnce : ir::kPairedRow, Numbers(graph.ir(), numbers),
            "gathered", gathers ? storage.elements() : 1, DType::Int(8)};
  }
  return {result.once ? ir::kPairedOnce : ir::kPairedTwice, Numbers(graph.ir(), numbers), "widened",
          ir::PairedScratch(count, storage.elements(), alone), DType::Int(32)};
}

// Returns whether the row of `p` is multiplied on its own, which needs less memory and time: if no
// product of the model has more rows, or if the weights are many more than the code for one row.
bool IsOneRow(const IntegerGraph& graph, const IntegerProduct& p) {
  constexpr int64_t kManyWeights = 1 << 15;
  if (WindowRowsOf(p).rows != 1) return false;
  const bool many = p.columns * p.depth >= kManyWeights && !graph.has_small_depthwise();
  return many || graph.has_single_rows();
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
  const bool packed = HasPackedWeights(p), each = ScaleCount(epilogue) > 1;
  const bool one_row = !packed && IsOneRow(graph, p);
  const PairStorage storage(p, one_row);
  const auto scales = PairedScales(epilogue, each ? storage.columns() : ir::kPairedColumns);
  if (!scales) return std::nullopt;
  std::vector<int64_t> weights = PairedWeights(p, storage, packed);
  const std::vector<StoredConstant> constants = {
      packed ? PackedConstant(weights)
             : StoredConstant{"weights", DType::Int(8), std::move(weights)},
      {"starts", DType::Int(32), PairedStarts(numbers->bias, storage)},
      *scales};
  const RowProducts call = PairedCall(graph, p, storage, one_row, packed, each, *result);
  if (!packed) return EmitRowProducts(graph, p, wanted, constants, call);
  return EmitPackedProducts(
      graph, p, wanted, constants, call,
      {ir::kUnpackPairs, ir::kPairedColumns, storage.elements(),
       each ? ir::PairedScales(ir::kPairedColumns, epilogue.rounds_once()) : 0});
}

MaybeOperand EmitPairedDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                 const RealOperator& op, const RequiredResult& wanted) {
  const auto numbers = NumbersOf(p, op, wanted);
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  const auto result = OperationResultOf(epilogue);
  if (!result) return std::nullopt;
  constexpr int64_t kMaxSum = int64_t{1} << 30;  // as of FitsPairs, for PairedScales
  if (!result->once && BoundOfSums(p, numbers->bias) >= kMaxSum) return std::nullopt;
  const int64_t padded = ir::PairedColumns(p.columns);
  const auto scales = PairedScales(epilogue, padded);
  if (!scales) return std::nullopt;
  std::vector<int64_t> weights(static_cast<size_t>(padded * p.depth));
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      weights[static_cast<size_t>(ir::PairedChannelIndex(c, k, p.depth))] =
          p.weights[static_cast<size_t>(c * p.depth + k)];
    }
  }
  std::vector<int64_t> bias = numbers->bias;
  bias.resize(static_cast<size_t>(padded));
  const std::vector<StoredConstant> constants = {{"weights", DType::Int(16), std::move(weights)},
                                                 {"bias", DType::Int(32), std::move(bias)},
                                                 *scales};
  return EmitChannelProducts(graph, p, wanted, constants, *result,
                             result->once ? ir::kPairedDepthwiseOnce : ir::kPairedDepthwise);
}

}  // namespace lathe::transform
