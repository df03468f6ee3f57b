#include "generator/emit/c/emit_c.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/c_routine_dialect.h"
#include "generator/emit/c/check_externs.h"
#include "generator/emit/c/kernel/c_kernel_dialect.h"
#include "generator/emit/c/model_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/emit/text/template.h"
#include "generator/emit/text/wrap_lines.h"
#include "generator/schedule/finish/divide_run.h"
#include "generator/support/status.h"

namespace lathe::emit {
absl::StatusOr<EmittedModel> EmitC(ir::Context& context, const ir::Program& program,
                                   const plan::Plan& plan, const Target& target, const CName& name,
                                   const EmitOptions& options, Diagnostics& diags) {
  const CRoutineDialect routines;
  const CKernelDialect kernels;
  CheckExterns(program, name.str(), options.externs, routines.extern_rules(), diags);
  if (diags.has_errors()) return absl::UnimplementedError("functions without a name in C");
  EmittedModel emitted;
  schedule::RunParts parts;
  if (options.steps.hooked()) {
    LATHE_RETURN_IF_ERROR(schedule::CheckSeparable(program, diags));
  }
  if (options.steps.parts) {
    LATHE_ASSIGN_OR_RETURN(parts, schedule::DivideRuns(program, options.steps.most_macs));
  }
  auto view =
      ModelView({context, program, plan, target, name, options.externs, options.weights, routines,
                 CNeeds{kernels}, options.steps, std::move(parts), options.shared_constants},
                options, emitted, diags);
  if (!view.ok() && diags.has_errors()) return view.status();
  if (!view.ok()) return diags.Unsupported({}, "cannot-emit") << view.status().message();
  const TemplateValue::Dict data = {{"model", *std::move(view)}};
  for (const absl::string_view extension : {"h", "c"}) {
    LATHE_ASSIGN_OR_RETURN(std::string text,
                           RenderNamed(absl::StrCat("c/model.", extension, ".tmpl"), data));
    WrapLines(text);
    emitted.files.push_back({absl::StrCat(name, ".", extension), std::move(text)});
  }
  if (emitted.weights.empty()) return emitted;
  if (options.weights == Weights::kIncbin) {
    LATHE_ASSIGN_OR_RETURN(std::string text, RenderNamed("c/weights.S.tmpl", data));
    emitted.files.push_back({absl::StrCat(name, "_weights.S"), std::move(text)});
  }
  emitted.files.push_back({absl::StrCat(name, "_weights.bin"), emitted.weights});
  return emitted;
}

}  // namespace lathe::emit
