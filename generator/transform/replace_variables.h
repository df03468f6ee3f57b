// Variables of a graph, Relax's and those of shapes, replaced by what they are: the step that most
// passes end with.
#ifndef LATHE_TRANSFORM_REPLACE_VARIABLES_H_
#define LATHE_TRANSFORM_REPLACE_VARIABLES_H_

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

class Replacement {
 public:
  Replacement(ir::Context& context, ir::Module& module) : context_(context), module_(module) {}

  // What stands on the right is not looked at again. A variable that is called becomes another
  // variable, a global or an extern function; R.Tensor(s) becomes one of another variable or of the
  // dimensions of a shape literal, and of unknown shape where `s` becomes anything else.
  void Set(ir::ValueId var, ir::Operand by);
  void Set(ir::PrimRef var, ir::PrimRef by) { shape_vars_[var] = by; }
  const ir::Operand* Find(ir::ValueId var) const;
  bool empty() const { return values_.empty() && shape_vars_.empty(); }

  // Uses, and what is written or known of the variables that are bound there.
  void In(ir::Operand& operand);
  void In(ir::Rhs& rhs);
  void In(ir::Binding& binding);
  void In(ir::Body& body);
  void In(ir::Function& f);
  void In(ir::Value& value);
  ir::StructInfoRef In(ir::StructInfoRef info) const;
  ir::PrimRef In(ir::PrimRef e) const;

 private:
  void In(ir::Call& call);
  void In(ir::AttrValue& value);

  ir::Context& context_;
  ir::Module& module_;
  absl::flat_hash_map<ir::ValueId, ir::Operand> values_;
  analysis::ShapeVarMap shape_vars_;
  analysis::ShapeVarOfCallee shapes_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REPLACE_VARIABLES_H_
