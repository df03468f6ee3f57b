// Prints the elements of small constants as numbers, which can be read and compared.
#ifndef LATHE_EMIT_C_PRINT_NUMBERS_H_
#define LATHE_EMIT_C_PRINT_NUMBERS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// Returns the elements in lines with commas. Returns "" for constants that are printed as words:
// those with more than kMaxNumbers elements, single integers, of types that C has not, and floats
// that C cannot write exactly, such as NaN.
std::string NumbersText(ir::DType dtype, absl::string_view bytes);

// Biases and scales of a layer have fewer elements than its weights.
inline constexpr size_t kMaxNumbers = 1024;

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_NUMBERS_H_
