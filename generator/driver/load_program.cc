#include "generator/driver/load_program.h"

#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/bind_params_file.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/pipeline.h"
#include "generator/ir/verify_graph.h"
#include "generator/reader/onnx/symbolic_sizes.h"
#include "generator/support/status.h"
#include "generator/transform/bind_symbolic_vars.h"
#include "generator/transform/quantize/integer_ports.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/tap_values.h"

namespace lathe::driver {
namespace {

std::map<std::string, DimRange> RangesIn(const std::map<std::string, DimRange>& sizes) {
  std::map<std::string, DimRange> ranges;
  for (const auto& [name, range] : sizes) {
    if (!range.is_single()) ranges[name] = range;
  }
  return ranges;
}

// Returns the function main, or the only exported function.
absl::StatusOr<ir::GlobalId> MainOf(const ir::Module& module, absl::string_view option) {
  absl::StatusOr<ir::GlobalId> function = FindExported(module, "main");
  std::vector<ir::GlobalId> exported;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    if (ir::IsExported(global) && global.function() != nullptr) exported.push_back({i});
  }
  if (!function.ok() && exported.size() == 1) function = exported[0];
  if (!function.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '", option, "' needs a function 'main'"));
  }
  return function;
}

// Applies --tap.
absl::Status Tap(ir::Context& context, const LoadRequest& request, ir::Module& module,
                 Diagnostics& diags) {
  LATHE_ASSIGN_OR_RETURN(const ir::GlobalId function, MainOf(module, "--tap"));
  return transform::TapValues(context, module, function, request.read.taps, diags);
}

// Applies --io, which the reader of TFLite models applies itself.
absl::Status ConvertPorts(ir::Context& context, tflite::IoTypes types, ir::Module& module,
                          Diagnostics& diags) {
  LATHE_ASSIGN_OR_RETURN(const ir::GlobalId function, MainOf(module, "--io"));
  const transform::IntegerPorts ports = {types != tflite::IoTypes::kIntegerOutputs,
                                         types != tflite::IoTypes::kIntegerInputs};
  return transform::MakePortsInteger(context, module, function, ports, diags);
}

// Before the numerics, which make kernels of layers.
absl::Status Stream(ir::Context& context, const LoadRequest& request, LoadedProgram& loaded,
                    Diagnostics& diags) {
  LATHE_ASSIGN_OR_RETURN(const ir::GlobalId function, MainOf(loaded.module, "--stream"));
  std::function<void(ir::Module&)> arithmetic;
  if (request.numerics) {
    arithmetic = [&context, numerics = *request.numerics, target = request.target,
                  small = request.small](ir::Module& module) {
      Diagnostics unreported;  // the program has the same errors
      ApplyNumerics(context, numerics, *target, module, unreported, small);
    };
  }
  LATHE_ASSIGN_OR_RETURN(loaded.stream, StreamProgram(context, loaded.module, function,
                                                      request.read, arithmetic, diags));
  return absl::OkStatus();
}

}  // namespace

absl::Status BindSizes(ir::Context& context, const std::map<std::string, DimRange>& sizes,
                       ir::Module& module, Diagnostics& diags) {
  std::map<std::string, int64_t> numbers;
  for (const auto& [name, range] : sizes) {
    if (range.is_single()) numbers[name] = range.low;
  }
  if (numbers.empty()) return absl::OkStatus();
  LATHE_RETURN_IF_ERROR(transform::BindSymbolicVars(context, module, "", numbers));
  transform::RederiveInfo(context, module, diags);
  if (!diags.has_errors()) ir::VerifyGraph(module, "bind_symbolic_vars");
  return absl::OkStatus();
}

absl::StatusOr<std::optional<LoadedProgram>> LoadProgram(ir::Context& context,
                                                         const SourceFile& file,
                                                         const LoadRequest& request,
                                                         Diagnostics& diags,
                                                         NotChecked& not_checked) {
  ReadOptions read = request.read;
  std::map<std::string, DimRange> sizes = request.sizes;
  const bool at_import = IsOnnx(file.path());
  if (at_import) {
    std::map<std::string, analysis::Interval> said;
    for (const auto& [name, range] : sizes) said[name] = {range.low, range.high};
    LATHE_ASSIGN_OR_RETURN(read.sizes, onnx::NameSizes(file, said));
    sizes.clear();
    for (const auto& [name, size] : read.sizes) sizes[name] = {size.lo, size.hi};
  }
  auto module = request.last_stage.empty()
                    ? LoadModule(context, file, diags, &not_checked, read)
                    : LoadModule(context, file, request.last_stage, diags, &not_checked, read);
  if (!module) return std::nullopt;
  if (!at_import) LATHE_RETURN_IF_ERROR(BindSizes(context, sizes, *module, diags));
  if (!request.params.path.empty() && !diags.has_errors()) {
    LATHE_RETURN_IF_ERROR(BindParamsFile(context, request.params, *module, diags));
  }
  const bool converts =
      read.io_types != tflite::IoTypes::kAsRead && !IsTfliteFile(std::string(file.path()));
  if (converts && !diags.has_errors()) {
    LATHE_RETURN_IF_ERROR(ConvertPorts(context, read.io_types, *module, diags));
  }
  if (!read.taps.empty() && !diags.has_errors()) {
    LATHE_RETURN_IF_ERROR(Tap(context, request, *module, diags));
  }
  LoadedProgram loaded{*std::move(module), "", RangesIn(sizes), std::nullopt};
  if (!read.streams.empty() && !diags.has_errors()) {
    LATHE_RETURN_IF_ERROR(Stream(context, request, loaded, diags));
  }
  if (request.numerics && !diags.has_errors()) {
    loaded.numerics = ApplyNumerics(context, *request.numerics, *request.target, loaded.module,
                                    diags, request.small);
  }
  if (diags.has_errors()) return std::nullopt;
  return loaded;
}

absl::StatusOr<ir::GlobalId> FindExported(const ir::Module& module, const std::string& name) {
  const auto function = module.Find(name);
  if (function && ir::IsExported(module.globals[*function]) &&
      module.globals[*function].function() != nullptr) {
    return *function;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the module exports no Relax function '", name, "'; choose one with --func"));
}

}  // namespace lathe::driver
