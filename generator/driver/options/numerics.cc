#include "generator/driver/options/numerics.h"

#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/quantize/fuse_quantized.h"
#include "generator/transform/rederive_info.h"

namespace lathe::driver {
namespace {

bool HasSmallIntegers(const ir::Module& module) {
  for (int32_t i = 0; i < std::ssize(module.values); ++i) {
    const ir::StructInfoRef info = module.values[ir::ValueId{i}].info;
    const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
    if (tensor != nullptr && tensor->dtype.is_integer() && tensor->dtype.bits <= 16) return true;
  }
  return false;
}

}  // namespace

bool IsTflite(absl::string_view path) { return absl::EndsWithIgnoreCase(path, ".tflite"); }

absl::StatusOr<Numerics> ReadNumerics(const Arguments& args) {
  const bool is_tflite = !args.operands.empty() && IsTflite(args.operands[0]);
  const absl::string_view name = args.Value(kNumericsOption, is_tflite ? "tflite" : "fused");
  if (is_tflite != (name == "tflite")) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '", kNumericsOption, "' of a ",
                     is_tflite ? "TFLite model must be tflite" : "program must be fused or onnx",
                     "; got '", name, "'"));
  }
  if (is_tflite) return Numerics::kTflite;
  return name == "onnx" ? Numerics::kOnnx : Numerics::kFused;
}

std::string ApplyNumerics(ir::Context& context, Numerics numerics, const Target& target,
                          ir::Module& module, Diagnostics& diags) {
  if (numerics == Numerics::kTflite) {
    if (!HasSmallIntegers(module)) return "";
    return "tflite: quantised operators in integers, bit for bit as TensorFlow Lite Micro";
  }
  ir::Module fused = module;
  if (!transform::FuseQuantized(context, fused, target)) return "";
  if (numerics == Numerics::kOnnx) return "onnx: quantised operators as defined";
  transform::RederiveInfo(context, fused, diags);
  if (!diags.has_errors()) ir::VerifyGraph(fused, "fuse_quantized");
  module = std::move(fused);
  return "fused: quantised operators in integers, within one unit of their definition";
}

}  // namespace lathe::driver
