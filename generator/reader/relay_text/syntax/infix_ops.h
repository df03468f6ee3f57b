// Lists the operators of Relay text that are written between their operands.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_INFIX_OPS_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_INFIX_OPS_H_

#include "absl/strings/string_view.h"

namespace lathe::relay {

struct InfixOp {
  absl::string_view symbol;
  int binding_power;
  const char* op;
};
// All associate to the left. TVM does not read && and ||.
inline constexpr InfixOp kInfixOps[] = {
    {"*", 12, "multiply"},  {"/", 12, "divide"},        {"+", 10, "add"},
    {"-", 10, "subtract"},  {"<", 8, "less"},           {"<=", 8, "less_equal"},
    {">", 8, "greater"},    {">=", 8, "greater_equal"}, {"==", 7, "equal"},
    {"!=", 7, "not_equal"}, {"&&", 5, "logical_and"},   {"||", 4, "logical_or"},
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_INFIX_OPS_H_
