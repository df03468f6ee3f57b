// Reads and applies --numerics, which selects how quantized operators are computed.
#ifndef LATHE_DRIVER_OPTIONS_NUMERICS_H_
#define LATHE_DRIVER_OPTIONS_NUMERICS_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace lathe::driver {

enum class Numerics {
  kFused,  // in integers if transform/quantize/fuse_quantized can; results differ by at most 1
  kOnnx,   // as defined: in float32 between R.dequantize and R.quantize
  // In integers as TensorFlow Lite Micro computes them, bit for bit: the only one of TFLite models.
  kTflite,
};

inline constexpr char kNumericsOption[] = "--numerics";
inline constexpr char kNumericsChoices[] = "fused|onnx|tflite";
inline constexpr char kNumericsDescription[] =
    "quantized operators: in integers, within one unit, or exactly as defined (fused); a TFLite "
    "model's as TFLite Micro (tflite)";

// Fails if the option does not apply to the format of the operand.
absl::StatusOr<Numerics> ReadNumerics(const Arguments& args);

// Rewrites the quantized operators of `module` for the target, with small constants on demand, if
// `numerics` is kFused; the others leave the module as it is. Returns a description for the user,
// which is empty for a module without quantized operators.
std::string ApplyNumerics(ir::Context& context, Numerics numerics, const Target& target,
                          ir::Module& module, Diagnostics& diags, bool small = false);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_NUMERICS_H_
