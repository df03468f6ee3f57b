// Formats literals that Python reads back to the same bits: "a\"b", 0.1, "nan".
#ifndef LATHE_IR_PRINT_LITERAL_H_
#define LATHE_IR_PRINT_LITERAL_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe::ir {

// Returns a string in double quotes; control characters, quotes and backslashes are escaped.
std::string StringLiteral(absl::string_view text);

// Returns the shortest decimal that reads back as `value`, always with a point or an exponent: 1.0,
// 1e-05. Infinities and NaNs, for which Python has no literal, are quoted: "inf", "-inf", "nan".
std::string FloatLiteral(double value);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_LITERAL_H_
