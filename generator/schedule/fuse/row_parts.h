// What is the same for a whole row, computed once for it.
#ifndef LATHE_SCHEDULE_FUSE_ROW_PARTS_H_
#define LATHE_SCHEDULE_FUSE_ROW_PARTS_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::schedule {

// Of the stages of one row, from the first to the last:
//
//   for k: out[i, k] = x[i, k] - log(sum)        log_of_sum = log(sum)
//                                                for k: out[i, k] = x[i, k] - log_of_sum
class RowParts {
 public:
  explicit RowParts(ir::Context& context) : ir_(context) {}

  // A variable, or a sum, that is the same for the whole row.
  void AddNumber(ir::PrimRef number) { numbers_.insert(number); }
  // Replaces parts of what the stage does in loops of its own, which call functions or divide and
  // read numbers of the row alone, by further numbers of the row. `folds`: values come together in
  // a loop.
  void TakeFrom(ir::NestStage& stage, bool folds);
  // The same of an expression of that stage.
  ir::PrimRef Without(ir::PrimRef e);
  // The stages that compute the numbers that were taken since the last time.
  std::vector<ir::NestStage> Take() { return std::exchange(taken_, {}); }

 private:
  // What an expression is made of, as far as the question is whether to compute it for the row.
  struct Traits {
    bool of_row = true;    // of constants and numbers of the row, harmless wherever it stands
    bool is_dear = false;  // calls a function, or divides
    ir::PrimRef number = nullptr;  // of the row, one that it reads
  };
  Traits TraitsOf(ir::PrimRef e);
  ir::PrimRef NumberFor(ir::PrimRef e, const Traits& traits);

  ir::Context& ir_;
  absl::flat_hash_set<ir::PrimRef> numbers_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> number_of_;  // for what stood there
  std::vector<ir::NestStage> taken_;
  // Of the stage in hand.
  ir::PrimRef sum_ = nullptr;  // not complete before its end
  absl::flat_hash_map<ir::PrimRef, Traits> traits_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> without_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_ROW_PARTS_H_
