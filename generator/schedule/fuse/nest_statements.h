// The statements that a kernel will have, as those see them who choose its launches.
#ifndef LATHE_SCHEDULE_FUSE_NEST_STATEMENTS_H_
#define LATHE_SCHEDULE_FUSE_NEST_STATEMENTS_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/nest/nest_call.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {

struct NestStatements {
  std::vector<ir::StmtRef> rows;
  std::vector<BufferUses> uses;  // of each
  size_t first = 0;              // the first that allocates nothing
  // Memory that is there before, of the kernel's own too, and its own.
  absl::flat_hash_set<ir::PrimRef> given, own;
};

NestStatements StatementsOf(ir::Context& context, const nest::NestCall& call);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_NEST_STATEMENTS_H_
