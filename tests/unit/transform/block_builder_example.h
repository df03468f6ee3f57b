// The example of docs/block-builder.md: a test says that the page shows what is between the marks.
#ifndef LATHE_TESTS_UNIT_TRANSFORM_BLOCK_BUILDER_EXAMPLE_H_
#define LATHE_TESTS_UNIT_TRANSFORM_BLOCK_BUILDER_EXAMPLE_H_

// -- the page begins
#include "generator/interp/interpreter.h"
#include "generator/transform/block_builder.h"

namespace example {

using lathe::ir::Context;
using lathe::ir::Module;
using lathe::ir::Operand;
using lathe::ir::PrimRef;
using lathe::ops::Indices;
using lathe::ops::Te;
using lathe::transform::BlockBuilder;
using lathe::transform::Operands;

// relu(x * w + b), squared, for any number of rows.
inline absl::StatusOr<Module> BuildLayer(Context& context) {
  BlockBuilder b(context);
  PrimRef n = b.ShapeVar("n");
  PrimRef three = context.Int(3), two = context.Int(2);
  b.Function("main", {{"x", b.Tensor({n, three})}, {"w", b.Tensor({three, two})}},
             [&](const Operands& in) {
               return b.Dataflow([&] {
                 Operand product = b.Op("relax.matmul", {in[0], in[1]});
                 Operand bias = b.Constant(lathe::ir::DType::Float(32), {2}, {0.5, -0.5});
                 Operand sum = b.Op("relax.add", {product, bias});
                 Operand relu = b.Op("relax.nn.relu", {sum});
                 // A kernel of one's own: what each element is.
                 Operand square = b.EmitTe("square", {relu}, [](Te& te) {
                   auto x = te.Input(0);
                   return std::vector{te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
                     return te.math().Mul(te.At(x, at), te.At(x, at));
                   })};
                 });
                 return b.Output(square, "y");
               });
             });
  return b.Finish();
}

// The value of `main` for x and w.
inline absl::StatusOr<lathe::interp::Value> RunLayer(Context& context, const Module& module,
                                                     lathe::interp::TensorRef x,
                                                     lathe::interp::TensorRef w) {
  lathe::interp::Interpreter interpreter(context, module);
  lathe::Diagnostics diags;
  return interpreter.Run(*module.Find("main"), {x, w}, diags);
}

}  // namespace example
// -- the page ends

#endif  // LATHE_TESTS_UNIT_TRANSFORM_BLOCK_BUILDER_EXAMPLE_H_
