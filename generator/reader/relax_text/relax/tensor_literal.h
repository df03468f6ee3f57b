// Reads tensor literals: R.const(1.5), R.const([[1, 2], [3, 4]], "int8").
#ifndef LATHE_READER_RELAX_TEXT_RELAX_TENSOR_LITERAL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_TENSOR_LITERAL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// Returns the tensor of the number or nested list `e`. If `dtype` is nullopt, a tensor of booleans
// is bool, one with a real or without elements float32, and any other int32, as in R.const.
absl::StatusOr<ir::Constant> ReadTensorLiteral(Elaboration& el, const ast::Expr& e,
                                               std::optional<ir::DType> dtype);

// Returns true if `e` is a number, with or without a sign, True, False, or a call such as
// float("inf").
bool IsNumber(const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_TENSOR_LITERAL_H_
