// What goes through the ports of a generated function, byte for byte.
#ifndef LATHE_DRIVER_VALIDATE_PORT_BYTES_H_
#define LATHE_DRIVER_VALIDATE_PORT_BYTES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/interp/values.h"

namespace lathe::driver {

// The tensors and scalars that a value consists of, from left to right: what the ports of a routine
// take, byte for byte.
struct PartBytes {
  ir::DType dtype;
  std::vector<int64_t> shape;  // empty for scalars
  std::string bytes;
  std::vector<PartBytes> pieces = {};  // of a value of any structure: `bytes` is all of theirs

  std::string type() const { return pieces.empty() ? ir::ToString(dtype) : "value"; }
};
std::vector<PartBytes> PartsOfValue(const interp::Value& value);

// What stands behind a part of any size: its shape, as a part.
PartBytes SizesOf(const PartBytes& part);

// A value of any structure: numbers that say what it is, and what it is made of, as
// templates/validate/values.h.tmpl reads and writes it.
PartBytes PartOfAnyValue(const interp::Value& value);

// What `function` gives back when the program's function gives `value`: its parts, and the sizes of
// those whose sizes are outputs too.
std::vector<PartBytes> PartsOfResult(const emit::ApiFunction& function, const interp::Value& value);

// What `function` takes when the program's function is given `args`: their parts, and the sizes
// that are known from them.
absl::StatusOr<std::vector<PartBytes>> PartsOfCall(const GeneratedModel& model,
                                                   const emit::ApiFunction& function,
                                                   const std::vector<interp::Value>& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_PORT_BYTES_H_
