// Collects the checks of return annotations that tail calls postpone until a value is returned.
//
//   def loop(n) -> R.Tensor((), "int32"): ... return loop(n - 1)
//
// A million tail calls owe the same check of the same value. A new check replaces an equal earlier
// one, so the list grows with the number of different checks, not with the number of calls. The
// check of the innermost call still fails first.
#ifndef LATHE_INTERP_RETURN_CHECKS_H_
#define LATHE_INTERP_RETURN_CHECKS_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"
#include "generator/interp/values.h"

namespace lathe::interp {

// The return annotation of a function, with the values of its variables when the function ended.
struct ReturnCheck {
  std::shared_ptr<const Closure> closure;
  std::vector<std::pair<ir::PrimRef, Scalar>> shape_vars;
  std::vector<std::pair<ir::ValueId, Value>> shapes;
};

class ReturnChecks {
 public:
  // Adds the check of `closure`, with variables from `scope`. Returns false when there are too many
  // checks.
  bool Add(Runtime& rt, const std::shared_ptr<const Closure>& closure, const Scope& scope);

  // Runs all checks on `value`, the latest first.
  absl::Status Run(Runtime& rt, const Value& value) const;

 private:
  std::vector<ReturnCheck> checks_;
};

// A second location for a message: "called here".
struct RelatedLocation {
  Location loc;
  absl::string_view remark;
};

// Reports "wanted ..., got ...; ..." at `loc` when `value` does not match `info`. `subject` is, for
// example, "the result of 'f'".
absl::Status CheckStructInfo(Runtime& rt, const Value& value, ir::StructInfoRef info, Scope& scope,
                             const Location& loc, absl::string_view subject,
                             const RelatedLocation& other = {});

// Binds the parameters of `f` to `args`, binds the shape variables that are whole dimensions of the
// annotations, and checks the annotations. Messages begin with `subject`, such as "argument", the
// name of the parameter and `name`, the function's.
absl::Status CheckArguments(Runtime& rt, const ir::Function& f, absl::string_view name,
                            const std::vector<Value>& args, Scope& scope, absl::string_view subject,
                            const RelatedLocation& other = {});

}  // namespace lathe::interp

#endif  // LATHE_INTERP_RETURN_CHECKS_H_
