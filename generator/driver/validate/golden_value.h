// Renders a boxed value as C code of a self-test.
#ifndef LATHE_DRIVER_VALIDATE_GOLDEN_VALUE_H_
#define LATHE_DRIVER_VALIDATE_GOLDEN_VALUE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

struct GoldenValue {
  std::string constants;  // definitions of elements and sizes at file scope
  std::string lines;      // statements of a function, before `value` is used
  std::string value;      // an expression of type lathe_value
};

// `bytes` is the serialization by PartOfAnyValue; all C names begin with `name`. Fails for values
// that contain a function or an object.
absl::StatusOr<GoldenValue> GoldenValueOf(const std::string& name, absl::string_view bytes);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_GOLDEN_VALUE_H_
