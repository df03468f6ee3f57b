#include "tests/support/pass_probe.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "generator/analysis/verify_prim_func.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/structural_equal.h"
#include "generator/ir/verify_graph.h"

namespace lathe::testing {
namespace {

using interp::Value;

std::optional<Value> RunOn(ir::Context& context, const ir::Module& module, ir::GlobalId id,
                           std::string* why) {
  interp::Options settings;
  settings.max_steps = 20'000;
  settings.max_call_depth = 300;
  interp::Interpreter interpreter(context, module, settings);
  driver::RunOptions options;
  options.func = module.globals[id].name;
  options.seed = 1;
  Diagnostics diags;
  auto args = driver::CollectInputs(interpreter, id, options);
  if (!args.ok()) {
    *why = std::string(args.status().message());
    return std::nullopt;
  }
  auto result = interpreter.Run(id, *std::move(args), diags);
  if (result.ok()) return *std::move(result);
  *why = Errors(diags);
  return std::nullopt;
}

std::string TensorDifference(const interp::Tensor& want, const interp::Tensor& got) {
  if (want.dtype != got.dtype || want.shape != got.shape) {
    return absl::StrCat(ToString(want.dtype), " ", interp::ShapeToString(want.shape), " against ",
                        ToString(got.dtype), " ", interp::ShapeToString(got.shape));
  }
  const bool exact = !want.dtype.is_floating();
  const double relative = want.dtype.bits < 32 ? 2e-2 : 1e-4;
  for (uint64_t i = 0; i < want.num_elements(); ++i) {
    const interp::Scalar a = want.At(i), b = got.At(i);
    if (a.bits == b.bits) continue;
    const double x = exact ? 0 : a.AsDouble(), y = exact ? 1 : b.AsDouble();
    if (!exact && std::isnan(x) && std::isnan(y)) continue;
    if (!exact && std::abs(x - y) <= relative * std::max(1.0, std::abs(x))) continue;
    return absl::StrCat("element ", i, ": ", x, " against ", y);
  }
  return "";
}

}  // namespace

std::string Errors(const Diagnostics& diags) {
  std::string text;
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::kError) absl::StrAppend(&text, Render(d), "\n");
  }
  return text;
}

std::string FormProblems(ir::Context& context, const ir::Module& module) {
  if (const auto broken = ir::BrokenInvariant(module)) return absl::StrCat("broken: ", *broken);
  Diagnostics diags;
  analysis::CheckWellFormed(context, module, diags);
  analysis::CheckWellFormedWithInfos(context, module, diags);
  analysis::VerifyPrimFuncs(module, diags);
  return diags.has_errors() ? absl::StrCat("not well-formed: ", Errors(diags)) : "";
}

std::string PrintingProblems(const ir::Module& module) {
  const std::string text = ir::PrintTvmScript(module, {});
  const SourceFile file("printed.py", text);
  ir::Context other;
  Diagnostics diags;
  const auto read = driver::LoadModule(other, file, "read", diags);
  if (!read) return absl::StrCat("not read back: ", Errors(diags));
  std::string where;
  if (!ir::StructurallyEqual(module, *read, &where)) {
    return absl::StrCat("reads back as another program: ", where);
  }
  return "";
}

std::string ValueDifference(const Value& want, const Value& got) {
  if (want.AsTensor() != nullptr && got.AsTensor() != nullptr) {
    return TensorDifference(*want.AsTensor(), *got.AsTensor());
  }
  const auto *a = want.AsTuple(), *b = got.AsTuple();
  if (a != nullptr && b != nullptr && a->size() == b->size()) {
    for (size_t i = 0; i < a->size(); ++i) {
      const std::string inside = ValueDifference((*a)[i], (*b)[i]);
      if (!inside.empty()) return absl::StrCat("field ", i, ": ", inside);
    }
    return "";
  }
  if (want.AsScalar() != nullptr && got.AsScalar() != nullptr) {
    return want.AsScalar()->bits == got.AsScalar()->bits ? "" : "another scalar";
  }
  const std::string x = Describe(want), y = Describe(got);
  // A closure that was lifted has another name.
  if (want.AsClosure() != nullptr && got.AsClosure() != nullptr) return "";
  return x == y ? "" : absl::StrCat(x, " against ", y);
}

std::string PassProblems(const std::string& text, const std::string& passes, int* compared) {
  const SourceFile file("test.py", text);
  ir::Context context;
  Diagnostics diags;
  const std::optional<ir::Module> before = driver::LoadModule(context, file, diags);
  if (!before) return absl::StrCat("cannot be loaded: ", Errors(diags));
  ir::Module after = *before;
  PassContext pass_context{context, diags};
  if (!driver::ApplyPasses(pass_context, passes, after).ok()) return "no such pass";
  if (diags.has_errors()) return absl::StrCat("after ", passes, ": ", Errors(diags));
  const std::string form = FormProblems(context, after);
  if (!form.empty()) return absl::StrCat("after ", passes, ": ", form);
  const std::string reading = PrintingProblems(after);
  if (!reading.empty()) {
    return absl::StrCat("after ", passes, ": ", reading, "\n", ir::PrintTvmScript(after, {}));
  }
  for (int32_t i = 0; i < std::ssize(before->globals); ++i) {
    const ir::Global& global = before->globals[ir::GlobalId{i}];
    if (global.function() == nullptr || !ir::IsExported(global)) continue;
    std::string why;
    const auto want = RunOn(context, *before, ir::GlobalId{i}, &why);
    if (!want) continue;
    const auto id = after.Find(global.name);
    if (!id) return absl::StrCat("after ", passes, " '", global.name, "' is gone");
    const auto got = RunOn(context, after, *id, &why);
    if (!got) return absl::StrCat("after ", passes, " '", global.name, "' fails: ", why);
    const std::string difference = ValueDifference(*want, *got);
    if (!difference.empty()) {
      return absl::StrCat("after ", passes, " '", global.name,
                          "' gives another value: ", difference, "\n",
                          ir::PrintTvmScript(after, {}));
    }
    if (compared != nullptr) ++*compared;
  }
  return "";
}

}  // namespace lathe::testing
