// Integer operators for real ones: a function for each family, and the table of them.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/transform/quantize/real_operator.h"

namespace lathe::transform {

// What the operator's result is in integers. Nothing when the function does not know the operator
// in this form: it stays as it is.
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

// The function for the operator of that name; one that computes each element from one of another
// tensor is a table of all values there are.
MakeInteger FindIntegerOperator(absl::string_view op_name);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_OPERATOR_H_
