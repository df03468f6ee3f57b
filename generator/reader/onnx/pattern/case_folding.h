// Finds the letters that differ from given ones in case only.
#ifndef LATHE_READER_ONNX_PATTERN_CASE_FOLDING_H_
#define LATHE_READER_ONNX_PATTERN_CASE_FOLDING_H_

#include "generator/reader/onnx/pattern/pattern.h"

namespace lathe::onnx {

// Returns `points` and all code points with the same simple case folding, unsorted. Three letters
// may fold together: k, K and the Kelvin sign.
CodePoints WithAllCases(const CodePoints& points);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_PATTERN_CASE_FOLDING_H_
