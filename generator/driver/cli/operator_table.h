// Renders the table of Relax operators for `lathe ops` and docs/operators.md.
#ifndef LATHE_DRIVER_CLI_OPERATOR_TABLE_H_
#define LATHE_DRIVER_CLI_OPERATOR_TABLE_H_

#include <string>

#include "generator/ir/op.h"

namespace lathe::driver {

// Returns the call syntax: "R.nn.softmax(data, axis: int = -1)".
std::string OperatorSignature(const ir::Op& op);

// Prints the default value of an attribute: "[1, 1]".
std::string DefaultText(const ir::AttrValue& value);

// Returns "loop nest", or the reason why the operator has none.
std::string OperatorComputation(const ir::Op& op);

// The following functions list all operators: one per line, as a Markdown page, as a JSON document.
std::string OperatorsAsText();
std::string OperatorsAsMarkdown();
std::string OperatorsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_OPERATOR_TABLE_H_
