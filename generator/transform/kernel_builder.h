// Builds PrimFuncs statement by statement, over tensors as flat rows of elements. It serves kernels
// with loops of their own rather than one loop nest over the elements of the result.
//
//   KernelBuilder k(context, "copy");
//   BufferRef x = k.Input("x", {2, 8}, dtype), out = k.Output({16}, dtype);
//   k.s().For("i", k.math().Int(16), [&](PrimRef i) { k.s().Store(out, {i}, k.At(x, i)); });
//   PrimFunc func = k.Finish();
#ifndef LATHE_TRANSFORM_KERNEL_BUILDER_H_
#define LATHE_TRANSFORM_KERNEL_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/ops/te/statements.h"

namespace lathe::transform {

class KernelBuilder {
 public:
  // `op_name` names the operator in comments and reports.
  KernelBuilder(ir::Context& context, absl::string_view op_name)
      : context_(context), math_(context), statements_(context), op_name_(op_name) {}

  // Adds parameters, in the order of the calls. The returned view has one dimension.
  ir::BufferRef Input(absl::string_view name, const std::vector<int64_t>& dims, ir::DType dtype) {
    return Parameter(name, dims, dtype);
  }
  ir::BufferRef Output(const std::vector<int64_t>& dims, ir::DType dtype) {
    return Parameter("out", dims, dtype);
  }
  // Allocates memory in the kernel.
  ir::BufferRef Scratch(absl::string_view name, int64_t count, ir::DType dtype);
  // Declares a variable. It must be stored to before it is read, and is only valid in the loop that
  // stores it.
  ir::BufferRef Register(absl::string_view name, ir::DType dtype);

  ops::ScalarMath& math() { return math_; }
  ops::Statements& s() { return statements_; }
  ir::PrimRef At(ir::BufferRef buffer, ir::PrimRef index) {
    return context_.MakeLoad(buffer, {index});
  }
  // Returns the value of a register.
  ir::PrimRef Of(ir::BufferRef reg) { return context_.MakeLoad(reg, {}); }

  ir::PrimFunc Finish();

 private:
  ir::BufferRef Parameter(absl::string_view name, const std::vector<int64_t>& dims,
                          ir::DType dtype);
  ir::BufferRef NewBuffer(absl::string_view name, const std::vector<int64_t>& dims, ir::DType dtype,
                          absl::string_view scope);

  ir::Context& context_;
  ops::ScalarMath math_;
  ops::Statements statements_;
  const std::string op_name_;
  std::vector<ir::BufferRef> params_;
  std::vector<ir::BufferRef> flat_;  // views of parameters
  std::vector<ir::BufferRef> allocs_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_KERNEL_BUILDER_H_
