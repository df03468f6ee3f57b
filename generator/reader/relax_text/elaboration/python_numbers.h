// Arithmetic of bare numbers, Python's way: whole numbers are exact, // rounds down, / is real.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_PYTHON_NUMBERS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_PYTHON_NUMBERS_H_

#include <string>
#include <variant>

#include "absl/numeric/int128.h"
#include "generator/reader/relax_text/syntax/ast_operators.h"

namespace lathe::relax_text {

using PythonNumber = std::variant<absl::int128, double>;

// Why there is no result.
struct NoNumber {
  std::string why;  // "division by zero"
};

// `lhs op rhs`. Whole numbers stay below 2^64 in size, which every type of the language does.
std::variant<PythonNumber, NoNumber> Calculate(ast::BinaryOp op, PythonNumber lhs,
                                               PythonNumber rhs);
bool Compare(ast::CompareOp op, PythonNumber lhs, PythonNumber rhs);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_PYTHON_NUMBERS_H_
