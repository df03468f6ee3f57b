// The table of operators as people and programs read it: `lathe ops` and docs/operators.md.
#ifndef LATHE_DRIVER_CLI_OPERATOR_TABLE_H_
#define LATHE_DRIVER_CLI_OPERATOR_TABLE_H_

#include <string>

#include "generator/ir/op.h"

namespace lathe::driver {

// "R.nn.softmax(data, axis: int = -1)": the surface call.
std::string OperatorSignature(const ir::Op& op);

// "loop nest", or why it has none.
std::string OperatorComputation(const ir::Op& op);

// All of them: a line each, a Markdown page, a JSON document.
std::string OperatorsAsText();
std::string OperatorsAsMarkdown();
std::string OperatorsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_OPERATOR_TABLE_H_
