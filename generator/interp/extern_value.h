// Values as C sees them (include/lathe/extern.h), for the time of one call.
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
  std::deque<lathe::interp::Value> values;      // what refs point at
  std::deque<std::vector<lathe_value>> fields;  // of tuples
  std::string error;
};

namespace lathe::interp {

// `value` for C; what it leads to belongs to `call`. Fails for what C has no kind for.
absl::StatusOr<lathe_value> ToExtern(const Value& value, lathe_call* call);

// What C means by `value`. Fails when it is none of the values that `call` has given out.
absl::StatusOr<Value> FromExtern(const lathe_value& value, const lathe_call& call);

lathe_dtype ToExtern(ir::DType dtype);
absl::StatusOr<ir::DType> FromExtern(lathe_dtype dtype);

// The functions that libraries are handed.
const lathe_host& ExternHost();

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EXTERN_VALUE_H_
