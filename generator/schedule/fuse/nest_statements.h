// Converts the stages of a call to kernel statements, as the choice of launches sees them.
#ifndef LATHE_SCHEDULE_FUSE_NEST_STATEMENTS_H_
#define LATHE_SCHEDULE_FUSE_NEST_STATEMENTS_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/nest/nest_call.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {

struct NestStatements {
  std::vector<ir::StmtRef> rows;
  std::vector<BufferUses> uses;            // of each statement
  size_t first = 0;                        // the first statement that is not an allocation
  absl::flat_hash_set<ir::PrimRef> given;  // pointers to the parameters and to `own`
  absl::flat_hash_set<ir::PrimRef> own;    // pointers to the memory that the kernel allocates
};

NestStatements StatementsOf(ir::Context& context, const nest::NestCall& call);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_NEST_STATEMENTS_H_
