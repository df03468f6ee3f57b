// What one evaluation may take. Each limit ends in an error that names it, never in a crash.
#ifndef LATHE_INTERP_DATA_LIMITS_H_
#define LATHE_INTERP_DATA_LIMITS_H_

#include <cstdint>

namespace lathe::interp {

// Tensors, tuples, closures and frames that are alive at the same time, in bytes.
inline constexpr uint64_t kMaxBytes = uint64_t{4} << 30;

// Calls of Relax functions that wait for another to return; tail calls do not wait.
inline constexpr int kMaxCallDepth = 100'000;

// Return checks that tail calls leave behind, when no two of them ask the same.
inline constexpr int kMaxPendingChecks = 2'000'000;

// PrimFuncs that call each other: each level is a level of the C++ stack.
inline constexpr int kMaxPrimFuncDepth = 100;

// Nesting of expressions and statements in a PrimFunc; readers stop earlier.
inline constexpr int kMaxNesting = 1'000;

// Instructions that one PrimFunc may become: vectors are taken apart lane by lane.
inline constexpr int kMaxInstructions = 2'000'000;

// Threads of one block, when barriers make them run side by side.
inline constexpr int kMaxThreads = 1'024;

// Lanes of a vector; and what T.vscale() is here, so that scalable vectors have a length.
inline constexpr int kMaxLanes = 4'096;
inline constexpr int kVscale = 1;

// Dimensions of a tensor; numpy stops at 64 too.
inline constexpr int kMaxRank = 64;

// Fields inside fields of a tuple, when values are printed or written.
inline constexpr int kMaxValueDepth = 200;

// Values within one value, when it is printed or written: tuples share their fields, and written
// out a small one may be larger than the machine.
inline constexpr int kMaxWrittenValues = 100000;

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_LIMITS_H_
