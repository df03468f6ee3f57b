// Computes with complex64 tensors, which programs hold as float32 with an innermost axis of two:
// real and imaginary parts.
#ifndef LATHE_READER_TFLITE_OPS_COMPLEX_NUMBERS_H_
#define LATHE_READER_TFLITE_OPS_COMPLEX_NUMBERS_H_

#include <cstdint>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Returns true for the operators that can read or write complex64 tensors.
bool TakesComplex(const Operator& op);

// Returns the Fourier transform of each row of `width` float32 numbers of `data`: (rows, length / 2
// + 1, 2). `length`, a power of 2 of at least 4, crops the rows or pads them with zeros.
Operand RealTransform(OpCall& c, const Operand& data, int64_t width, int64_t length);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_COMPLEX_NUMBERS_H_
