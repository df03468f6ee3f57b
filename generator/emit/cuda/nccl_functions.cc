#include "generator/emit/cuda/nccl_functions.h"

#include "absl/algorithm/container.h"

namespace lathe::emit {

bool IsOfNccl(absl::string_view function) {
  constexpr absl::string_view kDefined[] = {
      "lathe.ccl.allgather", "lathe.ccl.allreduce", "lathe.ccl.broadcast_from_worker0",
      "lathe.ccl.scatter_from_worker0", "lathe.dist.redistribute_replica_to_shard"};
  return absl::c_linear_search(kDefined, function);
}

}  // namespace lathe::emit
