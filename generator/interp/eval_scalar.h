// The value of a scalar expression, given those of its variables.
#ifndef LATHE_INTERP_EVAL_SCALAR_H_
#define LATHE_INTERP_EVAL_SCALAR_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/interp/kernel/run_code.h"

namespace lathe::interp {

// Keeps what it has compiled: shapes are evaluated again and again. Must not outlive the Context
// of the expressions.
class ScalarEvaluator {
 public:
  // The value of a variable, or null when it has none.
  using ValueOf = std::function<const Scalar*(ir::PrimRef var)>;

  // Numbers wrap around, and are 0 where they are divided by 0; sizes are none, then.
  enum class As { kNumber, kSize };

  // Fails, with a diagnostic, when a variable has no value or there is no such size.
  absl::StatusOr<Scalar> Eval(ir::PrimRef e, As as, const ValueOf& value_of, const RunEnv& env);

  // The variables of `e` that it does not bind itself, in the order in which they occur.
  const std::vector<ir::PrimRef>& VarsOf(ir::PrimRef e);

 private:
  struct Entry {
    std::vector<ir::PrimRef> vars;
    std::unique_ptr<Code> code[2];  // by As; made when first evaluated
  };
  absl::flat_hash_map<ir::PrimRef, std::unique_ptr<Entry>> entries_;
  Entry& EntryFor(ir::PrimRef e);
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_SCALAR_H_
