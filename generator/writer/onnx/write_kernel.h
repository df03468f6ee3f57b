// Writes a loop nest as ONNX nodes: each elementwise stage as elementwise nodes, each sum, product,
// maximum or minimum as a reduction of these.
//
//   for i, k: sum[i] = sum[i] + exp(x[i, k])      →   ReduceSum(Exp(x), axes=[1])
//
// Importers write operators without an equivalent in Relax as such nests.
#ifndef LATHE_WRITER_ONNX_WRITE_KERNEL_H_
#define LATHE_WRITER_ONNX_WRITE_KERNEL_H_

#include <string>

#include "generator/writer/onnx/call_writer.h"

namespace lathe::onnx {

// Writes a call of R.call_tir. `what` becomes its description in messages, "R.call_tir of NAME":
// the operator that the nest implements or, if it is unknown, the PrimFunc.
Written WriteKernel(CallWriter& w, std::string& what);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_WRITE_KERNEL_H_
