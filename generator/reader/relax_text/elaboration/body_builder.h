// Builds a function body in normal form. Consecutive bindings are collected into binding blocks.
//
//   R.reshape(R.add(x, y), (4,))      lv = R.add(x, y);  lv1 = R.reshape(lv, R.shape([4]))
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_BODY_BUILDER_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_BODY_BUILDER_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "generator/ir/module.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

class BodyBuilder {
 public:
  explicit BodyBuilder(ir::Module& module) : module_(module) {}

  // Starts a dataflow section. Until EndDataflow, new variables are DataflowVars and their bindings
  // are appended to a dataflow block.
  void BeginDataflow(Location loc);
  void EndDataflow() { dataflow_ = false; }
  bool in_dataflow() const { return dataflow_; }
  bool empty() const { return body_.blocks.empty(); }

  // Adds `value` to the module, binds it to `rhs` and returns its id. Overwrites value.dataflow
  // with in_dataflow().
  ir::ValueId Bind(ir::Value value, ir::Rhs rhs, Location loc);
  // Binds `rhs` to `var`, which is already in the module. Used for recursive functions, whose
  // variable must exist before the right-hand side is elaborated.
  void BindTo(ir::ValueId var, ir::Rhs rhs, Location loc);

  // Returns the body with `result` as its result. The builder must not be used afterwards.
  ir::Body Finish(ir::Operand result, Location loc);

 private:
  ir::Module& module_;
  ir::Body body_;
  bool dataflow_ = false;
  Location dataflow_loc_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_BODY_BUILDER_H_
