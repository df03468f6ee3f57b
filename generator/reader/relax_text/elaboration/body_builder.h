// Grows a body in normal form: bindings come one by one and fall into consolidated blocks.
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

  // Until EndDataflow, variables are DataflowVars and bindings fall into a dataflow block.
  void BeginDataflow(Location loc);
  void EndDataflow() { dataflow_ = false; }
  bool in_dataflow() const { return dataflow_; }
  bool empty() const { return body_.blocks.empty(); }

  // Appends `value` = `rhs`; Value's dataflow flag is set here.
  ir::ValueId Bind(ir::Value value, ir::Rhs rhs, Location loc);
  // For a variable that had to be there before its right-hand side: a function that calls itself.
  void BindTo(ir::ValueId var, ir::Rhs rhs, Location loc);

  ir::Body Finish(ir::Operand result, Location loc);

 private:
  ir::Module& module_;
  ir::Body body_;
  bool dataflow_ = false;
  Location dataflow_loc_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_BODY_BUILDER_H_
