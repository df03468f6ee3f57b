#include "generator/driver/pipeline.h"

#include "generator/analysis/derive_struct_info.h"
#include "generator/analysis/verify_prim_func.h"
#include "generator/analysis/well_formed.h"
#include "generator/ir/verify_graph.h"
#include "generator/reader/read_module.h"
#include "generator/transform/normalize.h"
#include "generator/transform/pass.h"
#include "generator/transform/realize_vdevice.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kRead = "read";

absl::Status WellFormed(PassContext& context, ir::Module& module) {
  analysis::CheckWellFormed(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status VerifyPrimFuncs(PassContext& context, ir::Module& module) {
  analysis::VerifyPrimFuncs(module, context.diags);
  return absl::OkStatus();
}

absl::Status DeriveStructInfo(PassContext& context, ir::Module& module) {
  if (module.vdevices().empty()) analysis::DeriveStructInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status RealizeVDevice(PassContext& context, ir::Module& module) {
  if (!module.vdevices().empty()) transform::RealizeVDevice(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status WellFormedWithInfos(PassContext& context, ir::Module& module) {
  analysis::CheckWellFormedWithInfos(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status Normalize(PassContext& context, ir::Module& module) {
  transform::Normalize(context.ir, module);
  return absl::OkStatus();
}

struct Stage {
  Pass pass;
  // Runs although there were errors, so that the user sees all of them at once.
  bool despite_errors;
};

constexpr Stage kStages[] = {
    {{"well_formed", WellFormed}, true},
    {{"verify_prim_funcs", VerifyPrimFuncs}, true},
    // After the rules of form: it takes them for granted where it can, and guesses where not.
    {{"derive_struct_info", DeriveStructInfo}, true},
    // In its place where the module declares devices: infos and devices follow from each other.
    {{"realize_vdevice", RealizeVDevice}, true},
    // Before normalisation, which would mend what rule 23 forbids: the rules are for what the user
    // wrote.
    {{"well_formed_with_infos", WellFormedWithInfos}, true},
    // What an operator's normal form is depends on what its operands are.
    {{"normalize", Normalize}, false},
};

}  // namespace

std::vector<absl::string_view> StageNames() {
  std::vector<absl::string_view> names = {kRead};
  for (const Stage& stage : kStages) names.push_back(stage.pass.name);
  return names;
}

std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     absl::string_view last, Diagnostics& diags) {
  absl::StatusOr<ir::Module> module = ReadModule(context, file, diags);
  if (!module.ok()) return std::nullopt;
  if (!diags.has_errors()) ir::VerifyGraph(*module, kRead);
  PassContext pass_context{context, diags};
  for (const Stage& stage : kStages) {
    if (last == kRead) break;
    if (diags.has_errors() && !stage.despite_errors) break;
    if (!stage.pass.run(pass_context, *module).ok()) return std::nullopt;
    if (!diags.has_errors()) ir::VerifyGraph(*module, stage.pass.name);
    if (stage.pass.name == last) break;
  }
  if (diags.has_errors()) return std::nullopt;
  return *std::move(module);
}

std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     Diagnostics& diags) {
  return LoadModule(context, file, std::end(kStages)[-1].pass.name, diags);
}

}  // namespace lathe::driver
