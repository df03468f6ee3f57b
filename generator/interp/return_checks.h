// The checks that calls in tail position leave to be done when a value is finally returned.
//
//   def loop(n) -> R.Tensor((), "int32"): ... return loop(n - 1)
//
// Every one of a million calls owes the same check of the same value. A check that asks the same
// as an earlier one takes its place, so that what is kept grows with the questions, not the calls;
// the first to fail is still the one of the innermost call.
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

// The return annotation of a function, with what its variables were when the function ended.
struct ReturnCheck {
  std::shared_ptr<const Closure> closure;
  std::vector<std::pair<ir::PrimRef, Scalar>> shape_vars;
  std::vector<std::pair<ir::ValueId, Value>> shapes;
};

class ReturnChecks {
 public:
  // The check that `closure` owes, whose variables are in `scope`. False when there are too many.
  bool Add(Runtime& rt, const std::shared_ptr<const Closure>& closure, const Scope& scope);

  // Checks `value` against all of them, the latest first.
  absl::Status Run(Runtime& rt, const Value& value) const;

 private:
  std::vector<ReturnCheck> checks_;
};

// Another place that a message points at: "called here".
struct OtherPlace {
  Location loc;
  absl::string_view remark;
};

// "wanted ..., got ...; ..." as an error at `loc`, when `value` does not match `info`. `subject` is
// "the result of 'f'".
absl::Status CheckStructInfo(Runtime& rt, const Value& value, ir::StructInfoRef info, Scope& scope,
                             const Location& loc, absl::string_view subject,
                             const OtherPlace& other = {});

// Binds the parameters of `f`, and the variables that stand alone in their annotations, to `args`,
// one for each, and checks the rest of the annotations. Messages begin with `subject`, "argument",
// and name the parameter of `name`.
absl::Status CheckArguments(Runtime& rt, const ir::Function& f, absl::string_view name,
                            const std::vector<Value>& args, Scope& scope, absl::string_view subject,
                            const OtherPlace& other = {});

}  // namespace lathe::interp

#endif  // LATHE_INTERP_RETURN_CHECKS_H_
