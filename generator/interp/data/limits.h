// Limits the resources of one evaluation. Exceeding a limit is reported as an error that names it.
#ifndef LATHE_INTERP_DATA_LIMITS_H_
#define LATHE_INTERP_DATA_LIMITS_H_

#include <cstdint>

namespace lathe::interp {

// Bytes of live tensors, tuples, closures and frames.
inline constexpr uint64_t kMaxBytes = uint64_t{4} << 30;

// Nested calls of Relax functions, without tail calls.
inline constexpr int kMaxCallDepth = 100'000;

// Different return checks that tail calls postpone.
inline constexpr int kMaxPendingChecks = 2'000'000;

// Nested calls of PrimFuncs; each uses the C++ stack.
inline constexpr int kMaxPrimFuncDepth = 100;

// Nesting of expressions and statements in a PrimFunc; readers stop earlier.
inline constexpr int kMaxNesting = 1'000;

// Instructions of one compiled PrimFunc; a vector operation becomes one instruction per lane.
inline constexpr int kMaxInstructions = 2'000'000;

// Threads of one block that run concurrently because of barriers.
inline constexpr int kMaxThreads = 1'024;

// Lanes of a vector, and the value of T.vscale(), which fixes the length of scalable vectors.
inline constexpr int kMaxLanes = 4'096;
inline constexpr int kVscale = 1;

// Dimensions of a tensor; numpy stops at 64 too.
inline constexpr int kMaxRank = 64;

// Nesting of tuples that are printed or written to files.
inline constexpr int kMaxValueDepth = 200;

// Values within one printed or written value. Tuples share fields, so expanding them may need
// exponentially more memory.
inline constexpr int kMaxWrittenValues = 100000;

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_LIMITS_H_
