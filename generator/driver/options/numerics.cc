#include "generator/driver/options/numerics.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/quantize/fuse_quantized.h"
#include "generator/transform/rederive_info.h"

namespace lathe::driver {
absl::StatusOr<Numerics> ReadNumerics(const Arguments& args) {
  const absl::string_view name = args.Value(kNumericsOption, "fused");
  if (name == "fused") return Numerics::kFused;
  if (name == "onnx") return Numerics::kOnnx;
  return absl::InvalidArgumentError(
      absl::StrCat("option '", kNumericsOption, "' must be fused or onnx; got '", name, "'"));
}

std::string ApplyNumerics(ir::Context& context, Numerics numerics, const Target& target,
                          ir::Module& module, Diagnostics& diags) {
  ir::Module fused = module;
  if (!transform::FuseQuantized(context, fused, target)) return "";
  if (numerics == Numerics::kOnnx) return "onnx: quantised operators as defined";
  transform::RederiveInfo(context, fused, diags);
  if (!diags.has_errors()) ir::VerifyGraph(fused, "fuse_quantized");
  module = std::move(fused);
  return "fused: quantised operators in integers, within one unit of their definition";
}

}  // namespace lathe::driver
