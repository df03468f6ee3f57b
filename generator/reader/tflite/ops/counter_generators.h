// Emits the counter-based random generators of LiteRT: Philox-4x32 with 10 rounds, and
// Threefry-2x32 with 20 rounds (Salmon et al., SC 2011).
#ifndef LATHE_READER_TFLITE_OPS_COUNTER_GENERATORS_H_
#define LATHE_READER_TFLITE_OPS_COUNTER_GENERATORS_H_

#include <array>
#include <cstdint>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// A word of a generator in a program.
inline const DType kRandomWord = DType::UInt(32);
PrimRef RandomWord(ScalarMath& m, uint32_t value);
// The low and the high half of a uint64.
PrimRef LowWord(ScalarMath& m, PrimRef wide);
PrimRef HighWord(ScalarMath& m, PrimRef wide);

// Return the words that belong to a counter.
std::array<PrimRef, 4> Philox(ops::Statements& s, ScalarMath& m, std::array<PrimRef, 2> key,
                              std::array<PrimRef, 4> counter);
std::array<PrimRef, 2> Threefry(ops::Statements& s, ScalarMath& m, std::array<PrimRef, 2> key,
                                std::array<PrimRef, 2> counter);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_COUNTER_GENERATORS_H_
