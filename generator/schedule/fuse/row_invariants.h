// Hoists computations that are invariant in a row, so that they are done once for each row.
#ifndef LATHE_SCHEDULE_FUSE_ROW_INVARIANTS_H_
#define LATHE_SCHEDULE_FUSE_ROW_INVARIANTS_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::schedule {

// Processes the stages of a row in order:
//
//   for k: out[i, k] = x[i, k] - log(sum)        log_of_sum = log(sum)
//                                                for k: out[i, k] = x[i, k] - log_of_sum
class RowInvariants {
 public:
  explicit RowInvariants(ir::Context& context) : ir_(context) {}

  // Adds a variable or a complete sum that is invariant in the row.
  void AddNumber(ir::PrimRef number) { numbers_.insert(number); }
  // Hoists the subexpressions of the stage's inner loops that call functions or divide and depend
  // only on numbers of the row. `folds`: the stage reduces in a loop.
  void TakeFrom(ir::NestStage& stage, bool folds);
  // Hoists from one expression of that stage, and returns the rest.
  ir::PrimRef Without(ir::PrimRef e);
  // Returns the stages that compute the numbers hoisted since the last call.
  std::vector<ir::NestStage> Take() { return std::exchange(taken_, {}); }

 private:
  // The properties of an expression that determine whether it is hoisted.
  struct Traits {
    bool of_row = true;            // invariant in the row and safe to evaluate anywhere
    bool is_dear = false;          // calls a function or divides
    ir::PrimRef number = nullptr;  // a number of the row that it reads
  };
  Traits TraitsOf(ir::PrimRef e);
  ir::PrimRef NumberFor(ir::PrimRef e, const Traits& traits);

  ir::Context& ir_;
  absl::flat_hash_set<ir::PrimRef> numbers_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> number_of_;  // by the expression that it replaced
  std::vector<ir::NestStage> taken_;
  // State of the current stage.
  ir::PrimRef sum_ = nullptr;  // incomplete before the end of the stage
  absl::flat_hash_map<ir::PrimRef, Traits> traits_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> without_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_ROW_INVARIANTS_H_
