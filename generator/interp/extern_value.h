// Converts values to and from the C types of include/lathe/extern.h, for the duration of one call.
#ifndef LATHE_INTERP_EXTERN_VALUE_H_
#define LATHE_INTERP_EXTERN_VALUE_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/values.h"
#include "lathe/extern.h"

// One call, opaque to the library.
struct lathe_call {
  std::shared_ptr<lathe::interp::MemoryBudget> budget;
  std::deque<lathe::interp::Value> values;      // that handles refer to
  std::deque<std::vector<lathe_value>> fields;  // of tuples
  std::string error;
};

namespace lathe::interp {

// Converts `value` to C. Memory that the result refers to is owned by `call`. Functions and
// storages become opaque objects. Fails when tuples are nested deeper than kMaxValueDepth.
absl::StatusOr<lathe_value> ToExtern(const Value& value, lathe_call* call);

// Converts `value` from C. Null, scalars and dtypes are read from its fields, as libraries may
// create them. Fails for any other value that `call` did not create.
absl::StatusOr<Value> FromExtern(const lathe_value& value, const lathe_call& call);

// Convert dtypes. A dtype that C has no code for becomes an opaque pointer of 64 bits. FromExtern
// fails when no dtype has the code, bits and lanes.
lathe_dtype ToExtern(ir::DType dtype);
absl::StatusOr<ir::DType> FromExtern(lathe_dtype dtype);

// The table of host functions that is passed to libraries.
const lathe_host& ExternHost();

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EXTERN_VALUE_H_
