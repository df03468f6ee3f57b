// Converts local memory that a program declares outside of its thread loops to registers of each
// thread.
#ifndef LATHE_SCHEDULE_CUDA_PRIVATIZE_REGISTERS_H_
#define LATHE_SCHEDULE_CUDA_PRIVATIZE_REGISTERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

struct PrivateRegisters {
  ir::StmtRef stmt = nullptr;
  std::vector<ir::BufferRef> buffers;  // the part of each thread, to be allocated before `stmt`
};

// Returns `launch`, which binds loops to threads, with the local buffers in `outside` and in blocks
// around thread loops shrunk to the part of one thread. Fails unless all accesses of a thread have
// the same thread-dependent base index in every dimension, and constant loops bound the rest.
absl::StatusOr<PrivateRegisters> PrivatizeRegisters(ir::Context& context, ir::StmtRef launch,
                                                    const std::vector<ir::BufferRef>& outside);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_PRIVATIZE_REGISTERS_H_
