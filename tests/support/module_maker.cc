#include "tests/support/module_maker.h"

namespace lathe::testing {

ir::ValueId ModuleMaker::Value(absl::string_view name, ir::StructInfoRef annotation) {
  ir::Value value;
  value.name = std::string(name);
  value.annotation = annotation;
  return module_.values.Add(std::move(value));
}

ir::ValueId ModuleMaker::DataflowValue(absl::string_view name, ir::StructInfoRef annotation) {
  const ir::ValueId id = Value(name, annotation);
  module_.values[id].dataflow = true;
  return id;
}

ir::ConstantId ModuleMaker::Constant(ir::DType dtype, std::vector<int64_t> shape,
                                     std::vector<uint8_t> bytes) {
  return module_.constants.Add(
      {dtype, std::move(shape), std::make_shared<const std::vector<uint8_t>>(std::move(bytes))});
}

ir::GlobalId ModuleMaker::Add(absl::string_view name, ir::Function f) {
  f.attrs[ir::kGlobalSymbol] = std::string(name);
  return AddPrivate(name, std::move(f));
}

ir::GlobalId ModuleMaker::AddPrivate(absl::string_view name, ir::Global::Definition def) {
  return module_.globals.Add({std::string(name), std::move(def), {}});
}

ir::Operand Tuple(std::vector<ir::Operand> fields) {
  return ir::Operand{ir::TupleExpr{std::move(fields)}};
}

ir::Call CallOp(const ir::Op& op, std::vector<ir::Operand> args, ir::AttrMap attrs) {
  ir::Call call;
  call.callee = &op;
  call.args = std::move(args);
  call.attrs = std::move(attrs);
  return call;
}

ir::Binding Bind(ir::ValueId var, ir::Rhs rhs) { return {var, std::move(rhs), {}}; }

ir::Block Ordinary(std::vector<ir::Binding> bindings) { return {false, std::move(bindings), {}}; }

ir::Block Dataflow(std::vector<ir::Binding> bindings) { return {true, std::move(bindings), {}}; }

ir::Function Func(std::vector<ir::ValueId> params, std::vector<ir::Block> blocks,
                  ir::Operand result) {
  ir::Function f;
  f.params = std::move(params);
  f.body.blocks = std::move(blocks);
  f.body.result = std::move(result);
  return f;
}

}  // namespace lathe::testing
