#include "generator/driver/bind_params_file.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/interp/data/npy_format.h"
#include "generator/ir/state.h"
#include "generator/ir/verify_graph.h"
#include "generator/support/status.h"
#include "generator/transform/bind_params.h"
#include "generator/transform/rederive_info.h"

namespace lathe::driver {
namespace {

// The exported Relax functions and their parameters by name, without the variables of a state.
struct ExportedFunction {
  std::string name;
  std::map<std::string, ir::ValueId> params;
};

std::vector<ExportedFunction> ExportedFunctions(const ir::Module& module,
                                                std::vector<absl::string_view>& names) {
  std::vector<ExportedFunction> functions;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    if (global.function() == nullptr || !ir::IsExported(global)) continue;
    ExportedFunction function{global.name, {}};
    std::vector<ir::ValueId> given = global.function()->params;
    // The variables of a state change in each run.
    given.resize(given.size() - ir::FirstBytesOfState(*global.function()).size());
    for (const ir::ValueId param : given) {
      const std::string& name = module.values[param].name;
      function.params[name] = param;
      if (!absl::c_linear_search(names, name)) names.push_back(name);
    }
    functions.push_back(std::move(function));
  }
  return functions;
}

// The dtype of a tensor parameter, for arrays that numpy wrote as raw bytes.
ir::DType DeclaredDType(const ir::Value& param) {
  const auto* tensor =
      param.annotation == nullptr ? nullptr : param.annotation->As<ir::TensorInfo>();
  return tensor == nullptr ? ir::DType::Void() : tensor->dtype;
}

absl::StatusOr<ir::Constant> DecodeArray(const interp::ZipMember& array, ir::DType raw) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  const absl::StatusOr<interp::TensorRef> tensor = interp::ReadNpy(array.bytes, budget, raw);
  if (!tensor.ok()) {
    return absl::DataLossError(
        absl::StrCat("array '", array.name, "': ", tensor.status().message()));
  }
  const interp::Tensor& t = **tensor;
  return ir::Constant{t.dtype, t.shape,
                      std::make_shared<std::vector<uint8_t>>(
                          t.data(), t.data() + ir::StorageBytes(t.dtype, t.num_elements()))};
}

}  // namespace

absl::Status BindParamsFile(ir::Context& context, const ParamsFile& file, ir::Module& module,
                            Diagnostics& diags) {
  const auto in_file = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat("'", file.path, "': ", status.message()));
  };
  std::vector<absl::string_view> names;
  const std::vector<ExportedFunction> functions = ExportedFunctions(module, names);
  for (const interp::ZipMember& array : file.arrays) {
    if (absl::c_linear_search(names, array.name)) continue;
    return in_file(absl::InvalidArgumentError(absl::StrCat(
        "no function has a parameter '", array.name, "'",
        names.empty() ? "; the program has no parameters"
                      : absl::StrCat("; the parameters are ", absl::StrJoin(names, ", ")))));
  }
  for (const ExportedFunction& function : functions) {
    std::map<std::string, ir::Constant> constants;
    for (const interp::ZipMember& array : file.arrays) {
      const auto param = function.params.find(array.name);
      if (param == function.params.end()) continue;
      auto constant = DecodeArray(array, DeclaredDType(module.values[param->second]));
      if (!constant.ok()) return in_file(constant.status());
      constants[array.name] = *std::move(constant);
    }
    if (constants.empty()) continue;
    const absl::Status bound = transform::BindParams(context, module, function.name, constants);
    if (!bound.ok()) return in_file(bound);
  }
  transform::RederiveInfo(context, module, diags);
  if (!diags.has_errors()) ir::VerifyGraph(module, "bind_params");
  return absl::OkStatus();
}

}  // namespace lathe::driver
