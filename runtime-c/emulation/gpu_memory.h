// Memory as the parts of the emulation see it: of GPUs, each its own, and of the host.
#ifndef LATHE_TESTS_CUDA_EMULATION_GPU_MEMORY_H_
#define LATHE_TESTS_CUDA_EMULATION_GPU_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

namespace lathe_emulation {

constexpr int kHost = -1;  // in the place of a GPU's number: memory of cudaMallocHost

// Whose these bytes are, of one allocation; false where they are of none.
bool OwnerOf(uintptr_t at, size_t bytes, int* owner);

// Memory of GPUs can be reached, or not.
void Protect(bool open);
// What a fault means is said from here on.
void InstallFaults();

// How many GPUs there are, and the current one of the host.
int CountOfGpus();
int CurrentGpu();

}  // namespace lathe_emulation

#endif  // LATHE_TESTS_CUDA_EMULATION_GPU_MEMORY_H_
