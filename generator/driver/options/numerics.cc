#include "generator/driver/options/numerics.h"

#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/driver/options/file_format.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/quantize/fuse_quantized.h"
#include "generator/transform/rederive_info.h"

namespace lathe::driver {
namespace {

// Functions of a quantized TFLite model say so.
bool IsQuantized(const ir::Module& module) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Function* f = module.globals[ir::GlobalId{i}].function();
    if (f != nullptr && f->attrs.contains("scales")) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<Numerics> ReadNumerics(const Arguments& args) {
  const bool is_tflite = !args.operands.empty() && IsTfliteFile(args.operands[0]);
  const absl::string_view name = args.Value(kNumericsOption, is_tflite ? "tflite" : "fused");
  if (is_tflite != (name == "tflite")) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '", kNumericsOption, "' of a ",
                     is_tflite ? "TFLite model must be tflite"
                               : "Relax, Relay or ONNX model must be fused or onnx",
                     "; got '", name, "'"));
  }
  if (is_tflite) return Numerics::kTflite;
  return name == "onnx" ? Numerics::kOnnx : Numerics::kFused;
}

std::string ApplyNumerics(ir::Context& context, Numerics numerics, const Target& target,
                          ir::Module& module, Diagnostics& diags, bool small) {
  if (numerics == Numerics::kTflite) {
    if (!IsQuantized(module)) return "";
    return "tflite: quantized operators in integers, as TensorFlow Lite Micro computes them";
  }
  ir::Module fused = module;
  if (!transform::FuseQuantized(context, fused, target, small)) return "";
  if (numerics == Numerics::kOnnx) return "onnx: quantized operators as defined";
  transform::RederiveInfo(context, fused, diags);
  if (!diags.has_errors()) ir::VerifyGraph(fused, "fuse_quantized");
  module = std::move(fused);
  return "fused: quantized operators in integers, within one unit of their definition";
}

}  // namespace lathe::driver
