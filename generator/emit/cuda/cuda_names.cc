#include "generator/emit/cuda/cuda_names.h"

namespace lathe::emit {
namespace {

constexpr absl::string_view kCudaNames[] = {
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3",
    "half",      "half2",    "float2",   "float4",  "int4",     "uint4",
    "stream",    "status",   "failed",   "count",   "at",       "assert"};

}  // namespace

void ReserveCudaNames(CNames& names) {
  for (absl::string_view name : kCudaNames) (void)names.Unique(name);
}

}  // namespace lathe::emit
