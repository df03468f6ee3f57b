// Binds the arguments of an operator's call to its parameters, by the rules of Python.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_OP_ARGUMENTS_H_
#define LATHE_READER_RELAX_TEXT_RELAX_OP_ARGUMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

struct OpArguments {
  std::vector<ast::ExprRef> given;  // one entry per parameter; null: omitted
  std::vector<ast::ExprRef> rest;   // the arguments of the variadic parameter
  ast::ExprRef out = nullptr;       // the StructInfo of the results; null: not given
  // The shape and dtype of the results in the oldest dialect: call_tir(f, args, shape,
  // dtype="float32"). Null: not given.
  ast::ExprRef out_shape = nullptr;
  ast::ExprRef out_dtype = nullptr;
};

// Returns the arguments of `call`. Reports surplus, unknown and repeated arguments, but not missing
// ones. An optional argument that is None counts as omitted, except an integer attribute with a
// default value.
absl::StatusOr<OpArguments> BindOpArguments(Elaboration& el, const ast::Call& call,
                                            const ir::Op& op);

// Returns the name of `op` in TVMScript: "R.nn.relu" for relax.nn.relu.
std::string SurfaceOf(const ir::Op& op);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_OP_ARGUMENTS_H_
