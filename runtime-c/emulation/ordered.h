// Implements lathe/cuda_ordered.h and fences in C++ in place of PTX. ordered.cc contains the
// functions.
#ifndef LATHE_EMULATION_ORDERED_H_
#define LATHE_EMULATION_ORDERED_H_

#define LATHE_CUDA_ORDERED_H  // the original header becomes empty

#include <stdint.h>
#include <string.h>

namespace lathe_emulation {

enum class Scope { kBlock, kGpu };  // all threads that access its memory

void Fence(Scope scope);
// A load found that value: returns true if it must be repeated, because other threads have run.
bool FindAgain(const void* at, uint64_t found);
void SeeLoad(const void* at, size_t bytes, bool acquires, Scope scope);
void SeeStore(const void* at, size_t bytes, bool releases, Scope scope);
// For an atomic, which orders memory only with fences.
void SeeChange(const void* at, bool changes, bool stores);

template <typename T>
__attribute__((no_sanitize("thread"))) T LoadInOrder(const T* at, bool acquires, Scope scope) {
  T value = *at;
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  if (FindAgain(at, bits)) value = *at;
  SeeLoad(at, sizeof value, acquires, scope);
  return value;
}
template <typename T>
__attribute__((no_sanitize("thread"))) void StoreInOrder(T* at, T value, bool releases,
                                                         Scope scope) {
  SeeStore(at, sizeof value, releases, scope);
  *at = value;
}

}  // namespace lathe_emulation

#define LATHE_ORDERED_LOAD(name, acquires, scope)                                     \
  template <typename T>                                                               \
  T name(const T* at) {                                                               \
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");                  \
    return lathe_emulation::LoadInOrder(at, acquires, lathe_emulation::Scope::scope); \
  }
#define LATHE_ORDERED_STORE(name, releases, scope)                                        \
  template <typename T, typename V>                                                       \
  void name(T* at, V value) {                                                             \
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");                      \
    lathe_emulation::StoreInOrder(at, (T)value, releases, lathe_emulation::Scope::scope); \
  }
LATHE_ORDERED_LOAD(lathe_load_acquire_cta, true, kBlock)
LATHE_ORDERED_LOAD(lathe_load_acquire_gpu, true, kGpu)
LATHE_ORDERED_LOAD(lathe_load_acquire_sys, true, kGpu)
LATHE_ORDERED_LOAD(lathe_load_relaxed_cta, false, kBlock)
LATHE_ORDERED_LOAD(lathe_load_relaxed_gpu, false, kGpu)
LATHE_ORDERED_LOAD(lathe_load_relaxed_sys, false, kGpu)
LATHE_ORDERED_LOAD(lathe_load_volatile, false, kGpu)
LATHE_ORDERED_STORE(lathe_store_release_cta, true, kBlock)
LATHE_ORDERED_STORE(lathe_store_release_gpu, true, kGpu)
LATHE_ORDERED_STORE(lathe_store_release_sys, true, kGpu)
LATHE_ORDERED_STORE(lathe_store_relaxed_cta, false, kBlock)
LATHE_ORDERED_STORE(lathe_store_relaxed_gpu, false, kGpu)
LATHE_ORDERED_STORE(lathe_store_relaxed_sys, false, kGpu)
LATHE_ORDERED_STORE(lathe_store_volatile, false, kGpu)
#undef LATHE_ORDERED_LOAD
#undef LATHE_ORDERED_STORE

static inline void __threadfence() { lathe_emulation::Fence(lathe_emulation::Scope::kGpu); }
static inline void __threadfence_system() { lathe_emulation::Fence(lathe_emulation::Scope::kGpu); }
static inline void __threadfence_block() { lathe_emulation::Fence(lathe_emulation::Scope::kBlock); }

#endif  // LATHE_EMULATION_ORDERED_H_
