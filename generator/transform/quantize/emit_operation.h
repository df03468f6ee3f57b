// Emits kernels that call operations of ir/defined_operations.h, with their constants.
#ifndef LATHE_TRANSFORM_QUANTIZE_EMIT_OPERATION_H_
#define LATHE_TRANSFORM_QUANTIZE_EMIT_OPERATION_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// True if inputs, weights and results are int8, channels last.
bool IsOfInt8(const IntegerProduct& product, ir::DType weight_dtype, const RequiredResult& wanted);
// A bound of all sums, of any input.
int64_t BoundOfSums(const IntegerProduct& product, const std::vector<int64_t>& bias);

// Pairs of a mantissa and a shift to the right less one, for `count` columns.
std::vector<int64_t> ScalePairs(const std::vector<ops::FixedFactor>& factors, int64_t count);

// A constant argument of a kernel.
struct StoredConstant {
  const char* name;
  ir::DType dtype;
  std::vector<int64_t> values;
};

// Emits the kernel whose body `write` adds, with the input and these constants as arguments.
using WriteOperation = void(KernelBuilder& k, ir::BufferRef x,
                            const std::vector<ir::BufferRef>& constants, ir::BufferRef out);
MaybeOperand EmitOperation(IntegerGraph& graph, const IntegerProduct& product,
                           const RequiredResult& wanted,
                           const std::vector<StoredConstant>& constants,
                           absl::FunctionRef<WriteOperation> write);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_EMIT_OPERATION_H_
