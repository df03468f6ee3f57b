#include "generator/transform/quantize/emit_operation.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/functional/function_ref.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

// Emits the kernel whose body `write` adds, with the input and these constants as arguments.
using WriteOperation = void(KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& constants,
                            BufferRef out);
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

std::vector<int64_t> ScalePairs(const std::vector<ops::FixedFactor>& factors, int64_t count) {
  std::vector<int64_t> scales;
  for (int64_t c = 0; c < count; ++c) {
    const ops::FixedFactor& factor = factors[std::min(static_cast<size_t>(c), factors.size() - 1)];
    scales.push_back(factor.mantissa);
    scales.push_back(-factor.shift - 1);
  }
  return scales;
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
              std::vector<PrimRef> args = Numbers(graph.ir(), {rows.rows, rows.step, rows.pieces,
                                                               rows.pitch, rows.count, p.columns});
              args.insert(args.end(), call.numbers.begin(), call.numbers.end());
              args.push_back(k.At(source, from));
              for (BufferRef buffer : stored) args.push_back(k.At(buffer, m.Int(0)));
              args.push_back(k.At(scratch, m.Int(0)));
              args.push_back(k.At(out, m.Mul(first, m.Int(p.columns))));
              k.s().Call(call.operation, std::move(args));
            });
      });
}

MaybeOperand EmitChannelProducts(IntegerGraph& graph, const IntegerProduct& p,
                                 const RequiredResult& wanted,
                                 const std::vector<StoredConstant>& constants,
                                 const IntegerResult& range, const char* operation) {
  return EmitOperation(
      graph, p, wanted, constants,
      [&](KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& stored, BufferRef out) {
        ops::ScalarMath& m = k.math();
        const IntegerWindow& w = *p.window;
        ForEachWindowLine(
            k, p, x, LineCopies::kCalls, [&](BufferRef source, PrimRef from, PrimRef first) {
              std::vector<PrimRef> args =
                  Numbers(graph.ir(), {w.out_w, w.channels, w.stride_w * w.channels, w.kernel_h,
                                       PitchOfLines(w), w.kernel_w, w.dilation_w * w.channels,
                                       range.zero, range.lo, range.hi});
              args.push_back(k.At(source, from));
              for (BufferRef buffer : stored) args.push_back(k.At(buffer, m.Int(0)));
              args.push_back(k.At(out, m.Mul(first, m.Int(p.columns))));
              k.s().Call(operation, std::move(args));
            });
      });
}

}  // namespace lathe::transform
