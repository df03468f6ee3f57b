// Local memory that a program declares outside of its loops over threads, for all of them: each
// thread has its own part, as registers.
#ifndef LATHE_SCHEDULE_CUDA_OWN_REGISTERS_H_
#define LATHE_SCHEDULE_CUDA_OWN_REGISTERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

struct OwnRegisters {
  ir::StmtRef stmt = nullptr;
  std::vector<ir::BufferRef> buffers;  // what each thread has of them, to be allocated before
};

// `launch`, which binds loops to threads, with `outside` and the local buffers that blocks around
// such loops allocate made as small as a thread needs. What a thread reads and writes has to begin
// at one place that hangs on its number, in every dimension: fails where that is not so.
absl::StatusOr<OwnRegisters> MakeRegistersOwn(ir::Context& context, ir::StmtRef launch,
                                              const std::vector<ir::BufferRef>& outside);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_OWN_REGISTERS_H_
