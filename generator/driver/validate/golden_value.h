// A value of any structure as C of a self-test: what it is made of, and what makes it.
#ifndef LATHE_DRIVER_VALIDATE_GOLDEN_VALUE_H_
#define LATHE_DRIVER_VALIDATE_GOLDEN_VALUE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

struct GoldenValue {
  std::string constants;  // elements and sizes, of the file
  std::string lines;      // inside a function, before `value` is used
  std::string value;      // an expression of type lathe_value
};

// `bytes` is what PartOfAnyValue makes of a value; all names begin with `name`. Fails for a
// function: a model alone makes one.
absl::StatusOr<GoldenValue> GoldenValueOf(const std::string& name, absl::string_view bytes);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_GOLDEN_VALUE_H_
