#include "generator/transform/quantize/integer_pairs.h"

#include <algorithm>
#include <utility>

#include "generator/ir/paired_products.h"
#include "generator/transform/quantize/copy_lines.h"
#include "generator/transform/quantize/emit_operation.h"
#include "generator/transform/quantize/product_numbers.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

std::vector<int64_t> WideWeights(const IntegerProduct& p) {
  return {p.weights.begin(), p.weights.end()};
}

// The weights as runtime-c/paired_products.h stores them.
std::vector<int64_t> PairedWeights(const IntegerProduct& p, const WindowRows& rows) {
  const int64_t each = ir::PairedDepth(rows.count), elements = rows.pieces * each;
  std::vector<int64_t> stored(static_cast<size_t>(ir::PairedColumns(p.columns) * elements));
  const auto at = [&](int64_t c, int64_t k) {
    return p.weights[static_cast<size_t>(c * p.depth + k)];
  };
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t element =
          k / rows.count * each + ir::PairedPosition(k % rows.count, rows.count);
      const bool less = c % 2 == 1 && at(c - 1, k) < 0;
      stored[static_cast<size_t>(ir::PairedIndex(c, element, elements))] =
          at(c, k) - (less ? 1 : 0);
      // The second column of the last pair is all zeros, but for this.
      if (c % 2 == 0 && c + 1 == p.columns && at(c, k) < 0) {
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
  const bool twice = !epilogue.rounds_once();
  if (twice && !epilogue.GoesRight()) return std::nullopt;
  const WindowRows rows = WindowRowsOf(p);
  const IntegerResult& range = epilogue.range();
  const int64_t factors = std::ssize(epilogue.twice());
  std::vector<StoredConstant> constants = {{"weights", DType::Int(8), PairedWeights(p, rows)},
                                           {"starts", DType::Int(32), PairedStarts(numbers->bias)}};
  constants.push_back(
      twice ? StoredConstant{"scales", DType::Int(32), ScalePairs(epilogue.twice(), factors)}
            : StoredConstant{"multipliers", DType::Int(32), epilogue.fixed().multipliers});
  const bool each = (twice ? factors : std::ssize(epilogue.fixed().multipliers)) > 1;
  return EmitOperation(
      graph, p, wanted, constants,
      [&](KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& stored, BufferRef out) {
        ops::ScalarMath& m = k.math();
        const BufferRef scratch = k.Scratch(
            "widened", ir::PairedScratch(rows.rows, rows.pieces * ir::PairedDepth(rows.count)),
            DType::Int(32));
        ForEachLine(
            k, p, x, LineCopies::kCalls, [&](BufferRef source, PrimRef from, PrimRef first) {
              const auto number = [&](int64_t value) { return m.ir().Int(value, DType::Int(32)); };
              std::vector<PrimRef> args = {
                  number(rows.rows),  number(rows.step), number(rows.pieces), number(rows.pitch),
                  number(rows.count), number(p.columns), number(each ? 1 : 0)};
              if (twice) {
                args.push_back(number(range.zero));
              } else {
                args.push_back(m.ir().Int(epilogue.start(), DType::Int(64)));
                args.push_back(number(epilogue.fixed().shift));
              }
              args.push_back(number(range.lo));
              args.push_back(number(range.hi));
              args.push_back(k.At(source, from));
              for (BufferRef buffer : stored) args.push_back(k.At(buffer, m.Int(0)));
              args.push_back(k.At(scratch, m.Int(0)));
              args.push_back(k.At(out, m.Mul(first, m.Int(p.columns))));
              k.s().Call(twice ? ir::kPairedTwice : ir::kPairedOnce, std::move(args));
            });
      });
}

MaybeOperand EmitPairedDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                 const RealOperator& op, const RequiredResult& wanted) {
  const auto numbers = NumbersOf(p, op, wanted);
  if (!numbers || !IsOfInt8(p, numbers->weight_dtype, wanted)) return std::nullopt;
  const IntegerEpilogue& epilogue = numbers->epilogue;
  constexpr int64_t kMaxSum = int64_t{1} << 30;
  if (BoundOfSums(p, numbers->bias) >= kMaxSum) return std::nullopt;
  if (epilogue.rounds_once() || !epilogue.GoesRight()) return std::nullopt;
  const IntegerWindow& w = *p.window;
  const int64_t padded = ir::PairedColumns(p.columns);
  std::vector<int64_t> weights(static_cast<size_t>(padded * p.depth));
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      weights[static_cast<size_t>(ir::PairedChannelIndex(c, k, p.depth))] =
          2 * p.weights[static_cast<size_t>(c * p.depth + k)];
    }
  }
  std::vector<int64_t> bias = numbers->bias;
  for (int64_t& sum : bias) sum *= 2;
  bias.resize(static_cast<size_t>(padded));
  const std::vector<StoredConstant> constants = {
      {"weights", DType::Int(16), std::move(weights)},
      {"bias", DType::Int(32), std::move(bias)},
      {"scales", DType::Int(32), ScalePairs(epilogue.twice(), padded)}};
  const IntegerResult& range = epilogue.range();
  return EmitOperation(
      graph, p, wanted, constants,
      [&](KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& stored, BufferRef out) {
        ops::ScalarMath& m = k.math();
        const int64_t line = w.has_padding() ? PaddedLine(w) : w.dilation_h * w.width * w.channels;
        ForEachWindowLine(
            k, p, x, LineCopies::kCalls, [&](BufferRef source, PrimRef from, PrimRef first) {
              const auto number = [&](int64_t value) { return m.ir().Int(value, DType::Int(32)); };
              std::vector<PrimRef> args = {number(w.out_w),
                                           number(w.channels),
                                           number(w.stride_w * w.channels),
                                           number(w.kernel_h),
                                           number(line),
                                           number(w.kernel_w),
                                           number(w.dilation_w * w.channels),
                                           number(range.zero),
                                           number(range.lo),
                                           number(range.hi),
                                           k.At(source, from)};
              for (BufferRef buffer : stored) args.push_back(k.At(buffer, m.Int(0)));
              args.push_back(k.At(out, m.Mul(first, m.Int(p.columns))));
              k.s().Call(ir::kPairedDepthwise, std::move(args));
            });
      });
}

}  // namespace lathe::transform
