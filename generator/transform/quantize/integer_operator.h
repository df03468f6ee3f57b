// Emits integer operators that replace real ones: one function per family, and the table of them.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/transform/quantize/real_operator.h"

namespace lathe::transform {

// The integer result of the operator; nullopt when the function does not support the operator in
// this form, which then stays unchanged.
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

// The function for the operator of that name. Elementwise operators of one tensor become lookup
// tables.
EmitInteger FindIntegerOperator(absl::string_view op_name);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
