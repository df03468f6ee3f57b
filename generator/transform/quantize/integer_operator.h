// Emits integer operators that replace real ones: one function per family, and the table of them.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/transform/quantize/real_operator.h"

namespace lathe::transform {

// The integer result of the operator; nullopt when the function does not support the operator in
// this form, which then stays unchanged.
using Made = std::optional<ir::Operand>;
using MakeInteger = Made (*)(IntegerGraph&, const RealOperator&, const WantedResult&);

Made IntegerConv(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerMatMul(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerSum(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerMultiply(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerConcat(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerMaxPool(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerAveragePool(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerMean(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);
Made IntegerTable(IntegerGraph& graph, const RealOperator& op, const WantedResult& wanted);

// The function for the operator of that name. Elementwise operators of one tensor become lookup
// tables.
MakeInteger FindIntegerOperator(absl::string_view op_name);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
