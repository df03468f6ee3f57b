// R.const(1.5), R.const([[1, 2], [3, 4]], "int8"): tensors written out in the program.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_TENSOR_LITERAL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_TENSOR_LITERAL_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// The tensor of the number or nested list at `e`. Without a dtype, whole numbers are int32, others
// float32, True and False bool, as R.const has it.
absl::StatusOr<ir::Constant> ReadTensorLiteral(Elaboration& el, const ast::Expr& e,
                                               std::optional<ir::DType> dtype);

// Whether `e` is a number, True, False, or a number after a minus.
bool IsNumber(const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_TENSOR_LITERAL_H_
