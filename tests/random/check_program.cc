#include "tests/random/check_program.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/validate/expected_failure.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/transform/bind_params.h"
#include "generator/transform/bind_symbolic_vars.h"
#include "generator/transform/rederive_info.h"
#include "tests/support/pass_probe.h"

namespace lathe::random {
namespace {

using interp::Value;
using testing::Errors;
using testing::FormProblems;
using testing::PrintingProblems;

// A packed function in destination-passing style: every element twice.
absl::StatusOr<Value> Twice(const interp::PackedCall& call) {
  const interp::Tensor* from = call.args[0].AsTensor();
  const interp::Tensor* to = call.args[1].AsTensor();
  for (uint64_t i = 0; i < from->num_elements(); ++i) {
    to->Set(i, interp::FromDouble(to->dtype, 2 * from->At(i).AsDouble()));
  }
  return Value::Unit();
}

// Overwrites its argument: every element grows by 1.
absl::StatusOr<Value> Grow(const interp::PackedCall& call) {
  const interp::Tensor* tensor = call.args[0].AsTensor();
  for (uint64_t i = 0; i < tensor->num_elements(); ++i) {
    tensor->Set(i, interp::FromDouble(tensor->dtype, 1 + tensor->At(i).AsDouble()));
  }
  return call.args[0];
}

std::string TensorDifference(const interp::Tensor& want, const interp::Tensor& got) {
  if (want.dtype != got.dtype || want.shape != got.shape) {
    return absl::StrCat(ToString(want.dtype), " ", interp::ShapeToString(want.shape), " against ",
                        ToString(got.dtype), " ", interp::ShapeToString(got.shape));
  }
  for (uint64_t i = 0; i < want.num_elements(); ++i) {
    const interp::Scalar a = want.At(i), b = got.At(i);
    if (a.bits == b.bits) continue;
    const double x = a.AsDouble(), y = b.AsDouble();
    if (want.dtype.is_floating() && std::isnan(x) && std::isnan(y)) continue;
    return absl::StrCat("element ", i, ": ", x, " against ", y);
  }
  return "";
}

std::string ExactDifference(const Value& want, const Value& got) {
  if (want.AsTensor() != nullptr && got.AsTensor() != nullptr) {
    return TensorDifference(*want.AsTensor(), *got.AsTensor());
  }
  const auto *a = want.AsTuple(), *b = got.AsTuple();
  if (a == nullptr || b == nullptr || a->size() != b->size()) {
    return testing::ValueDifference(want, got);
  }
  for (size_t i = 0; i < a->size(); ++i) {
    const std::string inside = ExactDifference((*a)[i], (*b)[i]);
    if (!inside.empty()) return absl::StrCat("field ", i, ": ", inside);
  }
  return "";
}

absl::Status BindParams(ir::Context& context, const SizesByName& sizes, ir::Module& module) {
  interp::Interpreter interpreter(context, module);
  const auto inputs = MainInputs(interpreter, module, sizes);
  if (!inputs.ok()) return inputs.status();
  std::map<std::string, ir::Constant> constants;
  const ir::Function& f = *module.globals[*module.Find("main")].function();
  // Every second one that is a tensor.
  for (size_t i = 0; i < f.params.size(); i += 2) {
    const interp::Tensor* tensor = (*inputs)[i].AsTensor();
    if (tensor == nullptr) continue;
    auto bytes =
        std::make_shared<std::vector<uint8_t>>(tensor->data(), tensor->data() + tensor->bytes());
    constants[module.values[f.params[i]].name] = {tensor->dtype, tensor->shape, std::move(bytes)};
  }
  return transform::BindParams(context, module, "main", constants);
}

absl::Status Apply(PassContext& context, const std::string& pass, const SizesByName& sizes,
                   ir::Module& module) {
  if (const Pass* known = driver::FindGraphPass(pass)) return known->run(context, module);
  absl::Status bound;
  if (pass == "bind_params") {
    bound = BindParams(context.ir, sizes, module);
  } else {
    const SizesByName own = SizesOfMain(module, sizes);
    if (own.empty()) return absl::OkStatus();
    bound = transform::BindSymbolicVars(context.ir, module, "main", own);
  }
  if (bound.ok()) transform::RederiveInfo(context.ir, module, context.diags);
  return bound;
}

}  // namespace

SizesByName SizesOfMain(const ir::Module& module, const SizesByName& sizes) {
  SizesByName own;
  const ir::Function& f = *module.globals[*module.Find("main")].function();
  for (ir::ValueId param : f.params) {
    for (ir::PrimRef var : analysis::BindingVars(module.values[param].annotation)) {
      const std::string& name = var->As<ir::SymVar>()->name;
      const auto size = sizes.find(name);
      if (size != sizes.end()) own[name] = size->second;
    }
  }
  return own;
}

std::vector<std::string> PassNames() {
  std::vector<std::string> names = {"bind_params", "bind_symbolic_vars"};
  for (const Pass& pass : driver::GraphPasses()) {
    // Integers may be one off: fuse_quantized_test.cc.
    if (pass.name != "fuse_quantized") names.emplace_back(pass.name);
  }
  return names;
}

absl::StatusOr<std::vector<Value>> MainInputs(interp::Interpreter& interpreter,
                                              const ir::Module& module, const SizesByName& sizes) {
  driver::RunOptions options;
  options.func = "main";
  options.seed = 1;
  options.sizes = SizesOfMain(module, sizes);
  return driver::CollectInputs(interpreter, *module.Find("main"), options);
}

Outcome RunMain(ir::Context& context, const ir::Module& module, const SizesByName& sizes) {
  Outcome outcome;
  interp::Options settings;
  settings.max_steps = 3'000'000;
  settings.max_call_depth = 300;
  settings.packed.Add("random.twice", Twice);
  settings.packed.Add("random.grow", Grow);
  settings.print = [&](absl::string_view text) { absl::StrAppend(&outcome.printed, text); };
  interp::Interpreter interpreter(context, module, std::move(settings));
  auto args = MainInputs(interpreter, module, sizes);
  if (!args.ok()) {
    outcome.why = std::string(args.status().message());
    return outcome;
  }
  Diagnostics diags;
  auto result = interpreter.Run(*module.Find("main"), *std::move(args), diags);
  if (result.ok()) {
    outcome.value = *std::move(result);
  } else {
    outcome.why = Errors(diags);
    outcome.fails = driver::FailureReason(diags).has_value();
  }
  return outcome;
}

std::string Problem(ir::Context& context, const ir::Module& module, const SizesByName& sizes,
                    const Outcome& wanted, const std::vector<std::string>& passes, bool printed) {
  ir::Module after = module;
  Diagnostics diags;
  PassContext pass_context{context, diags};
  for (const std::string& pass : passes) {
    const absl::Status status = Apply(pass_context, pass, sizes, after);
    if (!status.ok()) return absl::StrCat(pass, " fails: ", status.message());
    // What fails when it runs may be refused as soon as its sizes are known.
    if (diags.has_errors() && !wanted.value && absl::StartsWith(pass, "bind_")) return "";
    if (diags.has_errors()) return absl::StrCat(pass, " reports: ", Errors(diags));
    const std::string form = FormProblems(context, after);
    if (!form.empty()) return absl::StrCat("after ", pass, ": ", form);
  }
  if (printed) {
    const std::string form = PrintingProblems(after);
    if (!form.empty()) return form;
  }
  if (!wanted.value) return "";
  if (!after.Find("main")) return "main is gone";
  const Outcome got = RunMain(context, after, sizes);
  if (!got.value) return absl::StrCat("running fails: ", got.why);
  if (got.printed != wanted.printed) {
    return absl::StrCat("prints ", got.printed, "\ninstead of ", wanted.printed);
  }
  const bool rounds =
      std::find(passes.begin(), passes.end(), "decompose_composites") != passes.end();
  const std::string difference = rounds ? testing::ValueDifference(*wanted.value, *got.value)
                                        : ExactDifference(*wanted.value, *got.value);
  return difference.empty() ? "" : absl::StrCat("gives another value: ", difference);
}

}  // namespace lathe::random
