// Generates integer operators as elementwise expressions for GPUs. Threads share the elements, and
// fusion and the tiling of products match kernels of this form.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_ELEMENTS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_ELEMENTS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/ops/te/te.h"
#include "generator/transform/quantize/integer_epilogue.h"
#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

struct ElementInput {
  std::string name;
  std::vector<int64_t> dims;
  ir::DType dtype;
};

class ElementKernel {
 public:
  ElementKernel(ir::Context& context, const std::vector<ElementInput>& inputs);

  ops::Te& te() { return te_; }
  ops::ScalarMath& math() { return te_.math(); }
  ir::PrimRef At(int input, ops::Indices indices) {
    return te_.At(te_.Input(input), std::move(indices));
  }
  ops::Dims Dims(const std::vector<int64_t>& dims);

  // Finishes the kernel. The result is the buffer `out`, or the value that `element` computes with
  // statements.
  ir::PrimFunc Finish(absl::string_view op_name, ir::BufferRef out);
  using Element = std::function<ir::PrimRef(ops::Statements&, const ops::Indices& at)>;
  ir::PrimFunc Finish(absl::string_view op_name, const std::vector<int64_t>& dims, ir::DType dtype,
                      const Element& element);

 private:
  ops::Te te_;
};

// Emits a product or convolution, with one or several groups, as a sum stage and an epilogue stage,
// which fusion merges. Returns nullopt if EmitIntegerProduct() would, or if the epilogue rounds
// twice.
MaybeOperand EmitElementProduct(IntegerGraph& graph, IntegerProduct product, const RealOperator& op,
                                const RequiredResult& wanted);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_ELEMENTS_H_
