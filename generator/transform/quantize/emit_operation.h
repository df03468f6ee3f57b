// Emits kernels that call operations of ir/defined_operations.h, with their constants.
#ifndef LATHE_TRANSFORM_QUANTIZE_EMIT_OPERATION_H_
#define LATHE_TRANSFORM_QUANTIZE_EMIT_OPERATION_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_product.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

// Returns true if inputs, weights and results are int8, channels last.
bool IsOfInt8(const IntegerProduct& product, ir::DType weight_dtype, const RequiredResult& wanted);
// Returns a bound of the magnitude of all sums, for any int8 input.
int64_t BoundOfSums(const IntegerProduct& product, const std::vector<int64_t>& bias);

// Returns `values` as int32 arguments of an operation.
std::vector<ir::PrimRef> Numbers(ir::Context& context, absl::Span<const int64_t> values);

// A constant argument of a kernel.
struct StoredConstant {
  const char* name;
  ir::DType dtype;
  std::vector<int64_t> values;
};

// How an operation converts sums to results.
struct OperationResult {
  bool once;                     // with one rounding (ir/once_result.h)
  std::vector<int64_t> numbers;  // the zero point, or start and shift; then the range
};
// Returns the conversion of `epilogue`, or nullopt if a shift does not go to the right or, with one
// rounding, is too short.
std::optional<OperationResult> OperationResultOf(const IntegerEpilogue& epilogue);

// Returns the number of different scales: 1, or one for each column.
int64_t ScaleCount(const IntegerEpilogue& epilogue);
// Returns the number of int32 of the scale of a column in ScaleConstant().
int64_t ScaleNumbers(const IntegerEpilogue& epilogue);
// Returns the factor of column `c` with one rounding, or its mantissa with two.
int64_t MultiplierOf(const IntegerEpilogue& epilogue, int64_t c);
// Returns the negative shift of column `c`; with one rounding, that after the high half of the
// product.
int64_t ShiftOf(const IntegerEpilogue& epilogue, int64_t c);
// Returns the scales of `count` columns: factors, or pairs of a mantissa and a shift to the right
// less one.
StoredConstant ScaleConstant(const IntegerEpilogue& epilogue, int64_t count);

// Emits the kernel whose body `write` adds, with the input and `constants` as arguments.
using WriteOperation = void(KernelBuilder& k, ir::BufferRef x,
                            const std::vector<ir::BufferRef>& constants, ir::BufferRef out);
MaybeOperand EmitOperation(IntegerGraph& graph, const IntegerProduct& product,
                           const RequiredResult& wanted,
                           const std::vector<StoredConstant>& constants,
                           absl::FunctionRef<WriteOperation> write);

// Returns whether EmitChannelProducts() stores int8 weights of windows in 4 bits: they fit, and the
// unpacked ones are few.
bool HasPackedWindows(const IntegerProduct& product);

// The call of an operation that multiplies rows (ir::IsRowProducts).
struct RowProducts {
  const char* operation;
  std::vector<ir::PrimRef> numbers;  // those that follow `columns`
  const char* scratch;               // the name of the scratch memory
  int64_t elements;
  ir::DType dtype;
};
// Returns the numbers of a call that multiplies `count` rows by `columns` columns.
std::vector<ir::PrimRef> NumbersOfCall(IntegerGraph& graph, const RowProducts& call,
                                       const WindowRows& rows, int64_t count, int64_t columns);
// Emits a kernel that calls `call.operation` for each line, with the input and `constants` as
// arguments.
MaybeOperand EmitRowProducts(IntegerGraph& graph, const IntegerProduct& product,
                             const RequiredResult& wanted,
                             const std::vector<StoredConstant>& constants, const RowProducts& call);
// Emits a kernel that calls `operation` (ir::IsChannelProducts) for each line of a depthwise
// convolution. The first of `constants` are the weights, as int8 or int16. A few int8 weights that
// fit 4 bits are stored so, and unpacked for each line.
MaybeOperand EmitChannelProducts(IntegerGraph& graph, const IntegerProduct& product,
                                 const RequiredResult& wanted,
                                 std::vector<StoredConstant> constants,
                                 const OperationResult& result, const char* operation);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_EMIT_OPERATION_H_
