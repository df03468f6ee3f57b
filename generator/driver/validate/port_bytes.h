// Serializes values to the bytes that pass through the ports of a generated function.
#ifndef LATHE_DRIVER_VALIDATE_PORT_BYTES_H_
#define LATHE_DRIVER_VALIDATE_PORT_BYTES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/interp/values.h"

namespace lathe::driver {

// A tensor or scalar of a value. The parts of a value, from left to right, correspond to ports.
struct PartBytes {
  ir::DType dtype;
  std::vector<int64_t> shape;  // empty for scalars
  std::string bytes;
  std::vector<PartBytes> pieces = {};  // of a boxed value; `bytes` concatenates theirs

  std::string type() const { return pieces.empty() ? ir::ToString(dtype) : "value"; }
};
// Returns the tensors and scalars of `value`. A shape has a scalar for each dimension; strings,
// dtypes, functions and objects have no parts.
std::vector<PartBytes> PartsOfValue(const interp::Value& value);

// Returns the shape of a part as a part. It follows each output of dynamic size.
PartBytes SizesOf(const PartBytes& part);

// Serializes a value of any structure, with tags and sizes, in the format of
// templates/validate/values.h.tmpl.
PartBytes PartOfAnyValue(const interp::Value& value);

// Returns the outputs of `function` if the program's function returns `value`: its parts, each
// followed by its sizes if these are outputs too.
std::vector<PartBytes> PartsOfResult(const emit::ApiFunction& function, const interp::Value& value);

// Returns the inputs of `function` for the arguments `args` of the program's function: their parts
// without those of the state, and the sizes that are inputs. Fails with Unimplemented if such a
// size is not a dimension of an argument.
absl::StatusOr<std::vector<PartBytes>> PartsOfCall(const GeneratedModel& model,
                                                   const emit::ApiFunction& function,
                                                   const std::vector<interp::Value>& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_PORT_BYTES_H_
