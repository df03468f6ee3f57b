// Replaces Relax variables and shape variables by other values. Most passes end with this step.
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

  // The replacement itself is not rewritten again. A called variable must become another variable,
  // a global or an extern function. If `var` is the shape of a tensor type, R.Tensor(var), the type
  // gets the variable or the dimensions of the R.shape that replace `var`; for any other
  // replacement, its shape becomes unknown.
  void Set(ir::ValueId var, ir::Operand by);
  void Set(ir::PrimRef var, ir::PrimRef by) { shape_vars_[var] = by; }
  const ir::Operand* Find(ir::ValueId var) const;
  bool empty() const { return values_.empty() && shape_vars_.empty(); }

  // Rewrites uses, and the annotations and infos of the variables that are bound there.
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
