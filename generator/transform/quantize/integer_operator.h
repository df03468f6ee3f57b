// Emits integer operators that replace float operators: one function for each family of operators,
// and a lookup by name.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/transform/quantize/real_operator.h"

namespace lathe::transform {

// The result of the integer operator, or nullopt if the function does not support this form of the
// float operator, which then stays unchanged.
using MaybeOperand = std::optional<ir::Operand>;
using EmitInteger = MaybeOperand (*)(IntegerGraph&, const RealOperator&, const RequiredResult&);

MaybeOperand IntegerConv(IntegerGraph& graph, const RealOperator& op, const RequiredResult& wanted);
MaybeOperand IntegerMatMul(IntegerGraph& graph, const RealOperator& op,
                           const RequiredResult& wanted);
MaybeOperand IntegerSum(IntegerGraph& graph, const RealOperator& op, const RequiredResult& wanted);
MaybeOperand IntegerMultiply(IntegerGraph& graph, const RealOperator& op,
                             const RequiredResult& wanted);
MaybeOperand IntegerConcat(IntegerGraph& graph, const RealOperator& op,
                           const RequiredResult& wanted);
MaybeOperand IntegerMaxPool(IntegerGraph& graph, const RealOperator& op,
                            const RequiredResult& wanted);
MaybeOperand IntegerAveragePool(IntegerGraph& graph, const RealOperator& op,
                                const RequiredResult& wanted);
MaybeOperand IntegerMean(IntegerGraph& graph, const RealOperator& op, const RequiredResult& wanted);
MaybeOperand IntegerTable(IntegerGraph& graph, const RealOperator& op,
                          const RequiredResult& wanted);

// Returns the function for the operator `op_name`, such as "relax.nn.conv2d". Returns IntegerTable
// for names that are not in the table: it replaces elementwise operators of one tensor by a lookup
// table and does not support others.
EmitInteger FindIntegerOperator(absl::string_view op_name);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
