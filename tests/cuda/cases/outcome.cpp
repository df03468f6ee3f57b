// A model whose indices are data, with one that is out of bounds and with none: what its run, and
// what NAME_outcome says. The same workspace serves both.
#include <cstdio>

#include "case.h"
#include "net.h"

static int RunWith(const net* m, const std::vector<int64_t>& at, cudaStream_t stream) {
  net_dims dims = {};
  dims.n = 2;
  float* const x = OnGpu(std::vector<float>(6, 1.0f), stream);
  int64_t* const indices = OnGpu(at, stream);
  float* const y = OnGpu(std::vector<float>(8), stream);
  net_inputs in = {};
  in.x = x;
  in.at = indices;
  net_outputs out = {};
  out.y = y;
  const size_t bytes = net_workspace_size(&dims);
  void* const workspace = OnGpu(std::vector<char>(bytes, 1), stream);
  const int status = net_run(m, &dims, &in, &out, workspace, bytes, stream);
  const int outcome = status == LATHE_OK ? net_outcome(workspace, stream) : status;
  for (void* memory : {(void*)x, (void*)indices, (void*)y, workspace}) Check(cudaFree(memory));
  return outcome;
}

int main() {
  cudaStream_t stream = nullptr;
  net* m = nullptr;
  Check(cudaStreamCreate(&stream));
  if (net_create(&m, nullptr, stream) != LATHE_OK) return 2;
  printf("%s\n", net_status_string(RunWith(m, {0, 1, 2, 1}, stream)));
  printf("%s\n", net_status_string(RunWith(m, {0, 1, 0, 1}, stream)));
  if (net_destroy(m) != LATHE_OK) return 2;
  Check(cudaStreamDestroy(stream));
  return 0;
}
