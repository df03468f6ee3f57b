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

// Returns the number `text`, which has no sign, or its opposite if `negative`. With `bare_floats`,
// as in attributes, a fraction needs no suffix, and the range of floats is not checked. Fails with
// a message for the user.
absl::StatusOr<Number> ReadNumber(absl::string_view text, bool negative, bool bare_floats);

// Returns the scalar constant of `number`.
ir::Constant ConstantOf(const Number& number);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_NUMBER_H_
