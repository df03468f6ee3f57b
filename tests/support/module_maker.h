// Builds small modules for tests without a reader.
#ifndef LATHE_TESTS_SUPPORT_MODULE_MAKER_H_
#define LATHE_TESTS_SUPPORT_MODULE_MAKER_H_

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::testing {

class ModuleMaker {
 public:
  explicit ModuleMaker(ir::Context& context) : context_(context) {}

  ir::Module& module() { return module_; }
  ir::Context& context() { return context_; }

  ir::ValueId Value(absl::string_view name, ir::StructInfoRef annotation = nullptr);
  ir::ValueId DataflowValue(absl::string_view name, ir::StructInfoRef annotation = nullptr);
  // R.Tensor(dims, "float32").
  ir::StructInfoRef Tensor(std::vector<ir::PrimRef> dims) {
    return context_.Tensor(std::move(dims), ir::DType::Float(32));
  }
  ir::ConstantId Constant(ir::DType dtype, std::vector<int64_t> shape, std::vector<uint8_t> bytes);
  // Adds a function that is exported by its name.
  ir::GlobalId Add(absl::string_view name, ir::Function f);
  ir::GlobalId AddPrivate(absl::string_view name, ir::Global::Definition def);

 private:
  ir::Context& context_;
  ir::Module module_;
};

inline ir::Operand Use(ir::ValueId v) { return ir::Operand{v}; }
inline ir::Operand Use(ir::PrimRef e) { return ir::Operand{ir::PrimValue{e}}; }
inline ir::Operand Use(ir::ConstantId c) { return ir::Operand{c}; }
ir::Operand Tuple(std::vector<ir::Operand> fields);

ir::Call CallOp(const ir::Op& op, std::vector<ir::Operand> args, ir::AttrMap attrs = {});
ir::Binding Bind(ir::ValueId var, ir::Rhs rhs);
ir::Block Ordinary(std::vector<ir::Binding> bindings);
ir::Block Dataflow(std::vector<ir::Binding> bindings);
ir::Function Func(std::vector<ir::ValueId> params, std::vector<ir::Block> blocks,
                  ir::Operand result);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_MODULE_MAKER_H_
