// Removes the conversions between real and quantized numbers at the inputs and outputs of a
// function, so that callers pass and get the integers.
//
//   def main(x: float32):                     def main(x: int8):
//     q = R.quantize(x, 0.5, 3)                 R.func_attr({"scales": [[0.5, 3], [0.1, 0]]})
//     r = R.nn.relu(q)                  →       r = R.nn.relu(x)
//     return R.dequantize(r, 0.1, 0)            return r
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_PORTS_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_PORTS_H_

#include "absl/status/status.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// The ports that are converted.
struct IntegerPorts {
  bool inputs = true;
  bool outputs = true;
};

// Converts float inputs that only R.quantize reads, with one scale, and results of R.dequantize
// with one scale; the state is left as it is. Tuples are not converted. Adds their scales and zero
// points to the attribute `scales` (lower/declare_ports.h). Fails without changes, and names them,
// if other ports are float, and if the module calls the function.
absl::Status MakePortsInteger(ir::Context& context, ir::Module& module, ir::GlobalId function,
                              const IntegerPorts& ports, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_PORTS_H_
