// Writes matrix products and sums, which together form Gemm and convolutions with a bias.
#include "generator/ops/args/attributes.h"
#include "generator/writer/onnx/fuse_bias.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {

Written WriteMatMul(CallWriter& w) {
  const ir::DType dtype = w.TypeOf(0), out = w.ResultType();
  std::string a = w.In(0), b = w.In(1);
  if (out == dtype) return w.Node("MatMul", {a, b});
  const std::vector<Attribute> to = {IntAttribute("to", ElementTypeOf(out))};
  a = w.Step("Cast", {a}, to);
  b = w.Step("Cast", {b}, to);
  return w.Node("MatMul", {a, b});
}

Written WriteAdd(CallWriter& w) {
  if (const auto fused = FuseBias(w)) return *fused;
  return w.Node("Add", {w.InLike(0, w.ResultType()), w.InLike(1, w.ResultType())});
}

Written WriteEinsum(CallWriter& w) {
  std::vector<std::string> operands;
  for (const ir::Operand& field : w.FieldsOf(0)) operands.push_back(w.NameOf(field, "operand"));
  return w.Node("Einsum", operands,
                {TextAttribute("equation", ops::FindString(w.call(), "subscripts"))});
}

}  // namespace lathe::onnx
