// Counts the multiply-accumulate operations of the routines of a program and of their steps.
#ifndef LATHE_ANALYSIS_PROGRAM_MACS_H_
#define LATHE_ANALYSIS_PROGRAM_MACS_H_

#include <cstdint>
#include <optional>

#include "generator/ir/program.h"

namespace lathe::analysis {

// The counts are upper bounds for one execution: of a branch, the larger side counts. A call has
// the operations of the routine that it calls. External functions have none, because their code is
// not a part of the program. A count is nullopt if sizes are symbolic, if a routine loops or calls
// itself, if a kernel calls PrimFuncs of a program of which one has operations, and if the sum
// overflows 63 bits.
class ProgramMacs {
 public:
  explicit ProgramMacs(const ir::Program& program);

  std::optional<int64_t> OfSteps(const ir::Steps& steps) const;
  std::optional<int64_t> OfStep(const ir::Step& step) const;
  std::optional<int64_t> OfRoutine(ir::RoutineId id) const { return of_routine_[id]; }

 private:
  IdVector<ir::KernelId, std::optional<int64_t>> of_kernel_;
  IdVector<ir::RoutineId, std::optional<int64_t>> of_routine_;
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_PROGRAM_MACS_H_
