// Memory of GPUs and of the host, and the current GPU.
#include "gpu_memory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>

#include "emulation.h"
#include "order.h"

namespace lathe_emulation {
namespace {

constexpr int kMaxGpus = 64;

struct Allocation {
  size_t bytes = 0;
  int owner = 0;
};

struct Memory {
  std::map<uintptr_t, Allocation> allocations;  // by address
  bool open = false;                            // GPUs are running, and their memory is accessible
  int current = 0;
};
Memory& TheMemory() {
  static Memory memory;
  return memory;
}

size_t Pages(size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page) / page * page;
}

void OnFault(int, siginfo_t* info, void*) {
  const uintptr_t at = (uintptr_t)info->si_addr;
  const char* what = "emulation: an access outside of all memory\n";
  for (const auto& [from, allocation] : TheMemory().allocations) {
    if (at >= from && at < from + Pages(allocation.bytes)) {
      what = "emulation: the host touched memory of the GPU\n";
    }
  }
  (void)!write(2, what, strlen(what));
  _exit(86);
}

cudaError_t Allocate(void** memory, size_t bytes, int owner) {
  InstallFaults();
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  if (bytes > ((size_t)1 << 36)) return cudaErrorMemoryAllocation;
  const int access = owner == kHost ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* const made = mmap(nullptr, Pages(bytes), access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return cudaErrorMemoryAllocation;
  TheMemory().allocations[(uintptr_t)made] = {bytes, owner};
  *memory = made;
  return cudaSuccess;
}

cudaError_t Release(void* memory, bool host) {
  if (memory == nullptr) return cudaSuccess;
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  AdvanceAll();
  auto& all = TheMemory().allocations;
  const auto found = all.find((uintptr_t)memory);
  if (found == all.end() || (found->second.owner == kHost) != host) return cudaErrorInvalidValue;
  ForgetAccesses(found->first, found->second.bytes);
  (void)munmap(memory, Pages(found->second.bytes));
  all.erase(found);
  return cudaSuccess;
}

}  // namespace

void Protect(bool open) {
  Memory& memory = TheMemory();
  if (memory.open == open) return;
  memory.open = open;
  for (const auto& [at, allocation] : memory.allocations) {
    if (allocation.owner == kHost) continue;
    (void)mprotect((void*)at, Pages(allocation.bytes), open ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
}

void InstallFaults() {
  static bool done = false;
  if (done) return;
  done = true;
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  static char stack[65536];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  (void)sigaltstack(&alternative, nullptr);
  (void)sigaction(SIGSEGV, &action, nullptr);
  (void)sigaction(SIGBUS, &action, nullptr);
}

bool OwnerOf(uintptr_t at, size_t bytes, int* owner) {
  const auto& all = TheMemory().allocations;
  auto next = all.upper_bound(at);
  if (next == all.begin()) return false;
  --next;
  *owner = next->second.owner;
  return at + bytes <= next->first + next->second.bytes;
}

int CountOfGpus() {
  const char* const said = getenv("LATHE_EMULATED_GPUS");
  const int count = said == nullptr ? 4 : atoi(said);
  return count < 1 || count > kMaxGpus ? 1 : count;
}

int CurrentGpu() { return TheMemory().current; }

}  // namespace lathe_emulation

using namespace lathe_emulation;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = CountOfGpus();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = CurrentGpu();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= CountOfGpus()) return cudaErrorInvalidDevice;
  TheMemory().current = device;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return Allocate(memory, bytes, CurrentGpu());
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) { return Allocate(memory, bytes, kHost); }
cudaError_t cudaFree(void* memory) { return Release(memory, false); }
cudaError_t cudaFreeHost(void* memory) { return Release(memory, true); }
