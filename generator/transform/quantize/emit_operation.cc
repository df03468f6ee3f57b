#include "generator/transform/quantize/emit_operation.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "generator/ir/once_result.h"
#include "generator/ir/quad_products.h"
#include "generator/support/align_up.h"
#include "generator/transform/quantize/packed_weights.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

MaybeOperand EmitOperation(IntegerGraph& graph, const IntegerProduct& p,
                           const RequiredResult& wanted,
                           const std::vector<StoredConstant>& constants,
                           absl::FunctionRef<WriteOperation> write) {
  KernelBuilder k(graph.ir(), p.name);
  const BufferRef x = k.Input("x", p.x.dims, p.x.affine.dtype);
  std::vector<BufferRef> buffers;
  std::vector<ir::Operand> args = {p.x.data};
  for (const StoredConstant& constant : constants) {
    const std::vector<int64_t> dims = {std::ssize(constant.values)};
    buffers.push_back(k.Input(constant.name, dims, constant.dtype));
    args.push_back(graph.Constant(constant.dtype, dims, constant.values));
  }
  const BufferRef out = k.Output(p.dims, wanted.dtype());
  write(k, x, buffers, out);
  return graph.Kernel(p.name, k.Finish(), std::move(args), p.dims, wanted.dtype());
}

namespace {

// The bytes of the weights of a depthwise convolution up to which they are stored in 4 bits: memory
// that all of them take while they are unpacked.
constexpr int64_t kMaxUnpackedWindows = 2048;

}  // namespace

std::vector<PrimRef> Numbers(ir::Context& context, absl::Span<const int64_t> values) {
  std::vector<PrimRef> numbers;
  for (int64_t value : values) numbers.push_back(context.Int(value, DType::Int(32)));
  return numbers;
}

bool IsOfInt8(const IntegerProduct& p, DType weight_dtype, const RequiredResult& wanted) {
  const DType small = DType::Int(8);
  return p.x.affine.dtype == small && weight_dtype == small && wanted.affine &&
         wanted.dtype() == small && !p.channels_first;
}

int64_t BoundOfSums(const IntegerProduct& p, const std::vector<int64_t>& bias) {
  constexpr int64_t kMaxInput = 128;
  int64_t most = 0;
  for (int64_t c = 0; c < p.columns; ++c) {
    int64_t bound = std::abs(bias[static_cast<size_t>(c)]);
    for (int64_t k = 0; k < p.depth; ++k) {
      bound += kMaxInput * std::abs(p.weights[static_cast<size_t>(c * p.depth + k)]);
    }
    most = std::max(most, bound);
  }
  return most;
}

std::optional<OperationResult> OperationResultOf(const IntegerEpilogue& epilogue) {
  const IntegerResult& range = epilogue.range();
  if (!epilogue.rounds_once()) {
    if (!epilogue.GoesRight()) return std::nullopt;
    return OperationResult{false, {range.zero, range.lo, range.hi}};
  }
  const auto form = ir::OnceResultOf(epilogue.start(), epilogue.fixed().shift);
  if (!form) return std::nullopt;
  return OperationResult{true, {form->start, form->shift, range.lo, range.hi}};
}

int64_t ScaleCount(const IntegerEpilogue& epilogue) {
  return epilogue.rounds_once() ? std::ssize(epilogue.fixed().multipliers)
                                : std::ssize(epilogue.twice());
}

int64_t ScaleNumbers(const IntegerEpilogue& epilogue) { return epilogue.rounds_once() ? 1 : 2; }

int64_t MultiplierOf(const IntegerEpilogue& epilogue, int64_t c) {
  const auto at = static_cast<size_t>(std::min(c, ScaleCount(epilogue) - 1));
  return epilogue.rounds_once() ? epilogue.fixed().multipliers[at] : epilogue.twice()[at].mantissa;
}

int64_t ShiftOf(const IntegerEpilogue& epilogue, int64_t c) {
  if (epilogue.rounds_once()) return 32 - epilogue.fixed().shift;
  return epilogue.twice()[static_cast<size_t>(std::min(c, ScaleCount(epilogue) - 1))].shift;
}

StoredConstant ScaleConstant(const IntegerEpilogue& epilogue, int64_t count) {
  const bool once = epilogue.rounds_once();
  std::vector<int64_t> scales;
  for (int64_t c = 0; c < count; ++c) {
    scales.push_back(MultiplierOf(epilogue, c));
    if (!once) scales.push_back(-ShiftOf(epilogue, c) - 1);
  }
  return {once ? "multipliers" : "scales", DType::Int(32), std::move(scales)};
}

std::vector<PrimRef> NumbersOfCall(IntegerGraph& graph, const RowProducts& call,
                                   const WindowRows& rows, int64_t count, int64_t columns) {
  std::vector<PrimRef> numbers =
      Numbers(graph.ir(), {count, rows.step, rows.pieces, rows.pitch, rows.count, columns});
  numbers.insert(numbers.end(), call.numbers.begin(), call.numbers.end());
  return numbers;
}

MaybeOperand EmitRowProducts(IntegerGraph& graph, const IntegerProduct& p,
                             const RequiredResult& wanted,
                             const std::vector<StoredConstant>& constants,
                             const RowProducts& call) {
  return EmitOperation(
      graph, p, wanted, constants,
      [&](KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& stored, BufferRef out) {
        ops::ScalarMath& m = k.math();
        const WindowRows rows = WindowRowsOf(p);
        const BufferRef scratch = k.Scratch(call.scratch, call.elements, call.dtype);
        ForEachLine(
            k, p, x, LineCopies::kCalls, [&](BufferRef source, PrimRef from, PrimRef first) {
              std::vector<PrimRef> args = NumbersOfCall(graph, call, rows, rows.rows, p.columns);
              args.push_back(k.At(source, from));
              for (BufferRef buffer : stored) args.push_back(k.At(buffer, m.Int(0)));
              args.push_back(k.At(scratch, m.Int(0)));
              args.push_back(k.At(out, m.Mul(first, m.Int(p.columns))));
              k.s().Call(call.operation, std::move(args));
            });
      });
}

bool HasPackedWindows(const IntegerProduct& p) {
  return HasPackedWeights(p) &&
         AlignUp(p.columns, ir::kQuadColumns) * p.depth <= kMaxUnpackedWindows;
}

MaybeOperand EmitChannelProducts(IntegerGraph& graph, const IntegerProduct& p,
                                 const RequiredResult& wanted,
                                 std::vector<StoredConstant> constants,
                                 const OperationResult& result, const char* operation) {
  const int64_t elements = AlignUp(std::ssize(constants[0].values), ir::kUnpackElements);
  const bool packed = constants[0].dtype == DType::Int(8) && HasPackedWindows(p);
  if (packed) constants[0] = PackedConstant(constants[0].values);
  return EmitOperation(
      graph, p, wanted, constants,
      [&](KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& stored, BufferRef out) {
        ops::ScalarMath& m = k.math();
        const IntegerWindow& w = *p.window;
        const BufferRef weights =
            packed ? k.Scratch("unpacked", elements, DType::Int(8)) : stored[0];
        ForEachWindowLine(
            k, p, x, LineCopies::kCalls, [&](BufferRef source, PrimRef from, PrimRef first) {
              if (packed) {
                UnpackWeights(k, stored[0], m.Int(0), elements / ir::kUnpackElements,
                              ir::kUnpackSigned, weights);
              }
              std::vector<PrimRef> args =
                  Numbers(graph.ir(), {w.out_w, w.channels, w.stride_w * w.channels, w.kernel_h,
                                       PitchOfLines(w), w.kernel_w, w.dilation_w * w.channels});
              for (PrimRef number : Numbers(graph.ir(), result.numbers)) args.push_back(number);
              args.push_back(k.At(source, from));
              args.push_back(k.At(weights, m.Int(0)));
              for (size_t i = 1; i < stored.size(); ++i) {
                args.push_back(k.At(stored[i], m.Int(0)));
              }
              args.push_back(k.At(out, m.Mul(first, m.Int(p.columns))));
              k.s().Call(operation, std::move(args));
            });
      });
}

}  // namespace lathe::transform
