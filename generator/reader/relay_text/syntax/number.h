// Reads the numbers of Relay text: 1 is an int32, 2i64 an int64, 1.5f a float32, inff infinity.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_NUMBER_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_NUMBER_H_

#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::relay {

struct Number {
  ir::DType dtype;
  std::variant<int64_t, double> value;
};

// Reads `text`, which has no sign. Fails with a message for the user. A fraction without suffix is
// a float only if `bare_floats`, as in attributes.
absl::StatusOr<Number> ReadNumber(absl::string_view text, bool negative, bool bare_floats);

// Returns the scalar constant of `number`.
ir::Constant ConstantOf(const Number& number);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_NUMBER_H_
