// Evaluates scalar expressions, given the values of their variables.
#ifndef LATHE_INTERP_EVAL_SCALAR_H_
#define LATHE_INTERP_EVAL_SCALAR_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/interp/kernel/run_code.h"

namespace lathe::interp {

// Caches compiled expressions, because shapes are evaluated repeatedly. Must not outlive the
// Context of the expressions.
class ScalarEvaluator {
 public:
  // The value of a variable; null when it is unbound.
  using ValueOf = std::function<const Scalar*(ir::PrimRef var)>;

  // kNumber: integers wrap around, and division by zero gives 0. kSize: overflow and division by
  // zero are errors.
  enum class As { kNumber, kSize };

  // Fails, with a diagnostic, when a variable is unbound or the size is invalid.
  absl::StatusOr<Scalar> Eval(ir::PrimRef e, As as, const ValueOf& value_of, const RunEnv& env);

  // Returns the free variables of `e`, in order of appearance.
  const std::vector<ir::PrimRef>& VarsOf(ir::PrimRef e);

 private:
  struct Entry {
    std::vector<ir::PrimRef> vars;
    std::unique_ptr<Code> code[2];  // by As; compiled on first use
  };
  absl::flat_hash_map<ir::PrimRef, std::unique_ptr<Entry>> entries_;
  Entry& EntryFor(ir::PrimRef e);
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_SCALAR_H_
