// Which written argument of an operator's call goes to which parameter, as Python binds them.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_OP_ARGUMENTS_H_
#define LATHE_READER_RELAX_TEXT_RELAX_OP_ARGUMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

struct OpArguments {
  std::vector<ast::ExprRef> given;  // by parameter; null where there is none, or None
  std::vector<ast::ExprRef> rest;   // of the variadic parameter
  ast::ExprRef out = nullptr;       // the StructInfo of the results
  // The results as the oldest programs have them: call_tir(f, args, shape, dtype="float32").
  ast::ExprRef out_shape = nullptr;
  ast::ExprRef out_dtype = nullptr;
};

// Too many arguments, unknown and repeated ones are diagnosed; missing ones are not.
absl::StatusOr<OpArguments> BindOpArguments(Elaboration& el, const ast::Call& call,
                                            const ir::Op& op);

// "R.nn.relu" for relax.nn.relu.
std::string SurfaceOf(const ir::Op& op);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_OP_ARGUMENTS_H_
