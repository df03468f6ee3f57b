// Memory of GPUs, each separate, and of the host.
#ifndef LATHE_EMULATION_GPU_MEMORY_H_
#define LATHE_EMULATION_GPU_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

namespace lathe_emulation {

constexpr int kHost = -1;  // in place of a GPU number: memory of cudaMallocHost

// Finds the owner of these bytes, in one allocation; false if there is none.
bool OwnerOf(uintptr_t at, size_t bytes, int* owner);

// Makes the memory of GPUs accessible, or not.
void Protect(bool open);
// Enables messages that explain access faults.
void InstallFaults();

// The number of GPUs, and the current one of the host.
int CountOfGpus();
int CurrentGpu();

}  // namespace lathe_emulation

#endif  // LATHE_EMULATION_GPU_MEMORY_H_
