// Evaluates arithmetic on Python numbers: integers are exact, // rounds down, / yields a real
// number.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_PYTHON_NUMBERS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_PYTHON_NUMBERS_H_

#include <string>
#include <variant>

#include "absl/numeric/int128.h"
#include "generator/reader/relax_text/syntax/ast_operators.h"

namespace lathe::relax_text {

using PythonNumber = std::variant<absl::int128, double>;

// The reason why an operation has no result.
struct NoNumber {
  std::string why;  // for the message: "division by zero"
};

// Returns `lhs op rhs`. An integer result of 2^64 or more in magnitude is an error: no dtype of the
// language holds it.
std::variant<PythonNumber, NoNumber> Calculate(ast::BinaryOp op, PythonNumber lhs,
                                               PythonNumber rhs);
// Returns `lhs op rhs`.
bool Compare(ast::CompareOp op, PythonNumber lhs, PythonNumber rhs);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_PYTHON_NUMBERS_H_
