#include "generator/emit/c/print_need.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_frame.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

// Returns the argument that `call` passes for the callee's parameter `var`.
PrimRef GivenTo(const ir::Routine& callee, const ir::CallStep& call, PrimRef var) {
  for (size_t i = 0; i < callee.inputs.size(); ++i) {
    const auto* formal = std::get_if<PrimRef>(&callee.inputs[i]);
    if (formal != nullptr && *formal == var) return std::get<PrimRef>(call.inputs[i]);
  }
  const auto at = std::find(callee.sizes.begin(), callee.sizes.end(), var);
  return call.sizes[static_cast<size_t>(at - callee.sizes.begin())];
}

struct OpenCall {
  Need need;
  std::vector<PrimRef> args;
};

std::string Indented(const std::string& text) {
  LineWriter lines(2);
  LineWriter::Indent in(lines);
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) lines.Line(line);
  return lines.Take();
}

}  // namespace

absl::StatusOr<std::optional<Need>> NeedPrinter::Of(ir::RoutineId id, size_t pool) {
  const std::pair key(id, pool);
  if (const auto it = needs_.find(key); it != needs_.end()) return it->second;
  needs_[key] = std::nullopt;  // the result for a recursive routine
  if (!model_.plan.frames[id].shares[pool].open) return std::optional<Need>();
  LATHE_ASSIGN_OR_RETURN(std::optional<Need> need, Print(id, pool));
  needs_[key] = need;
  return need;
}

absl::StatusOr<std::optional<Need>> NeedPrinter::Print(ir::RoutineId id, size_t pool) {
  const ir::Routine& routine = model_.program.routines[id];
  const plan::Frame& frame = model_.plan.frames[id];
  if (frame.shares[pool].grows || model_.keeps.contains(id)) return std::optional<Need>();
  std::vector<PrimRef> used;
  for (const plan::Slot& slot : frame.slots) {
    if (slot.pool == pool) used.insert(used.end(), slot.dims.begin(), slot.dims.end());
  }
  std::vector<const ir::CallStep*> calls;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    const auto* call = std::get_if<ir::CallStep>(&step.node);
    if (call == nullptr || !model_.plan.frames[call->routine].shares[pool].open) return;
    calls.push_back(call);
  });
  std::vector<OpenCall> open;
  for (const ir::CallStep* call : calls) {
    LATHE_ASSIGN_OR_RETURN(const std::optional<Need> need, Of(call->routine, pool));
    if (!need) return std::optional<Need>();
    OpenCall next{*need, {}};
    for (PrimRef var : need->vars) {
      next.args.push_back(GivenTo(model_.program.routines[call->routine], *call, var));
      used.push_back(next.args.back());
    }
    open.push_back(std::move(next));
  }

  std::vector<PrimRef> known = routine.sizes;
  for (const ir::Part& part : routine.inputs) {
    if (const auto* var = std::get_if<PrimRef>(&part)) known.push_back(*var);
  }
  const std::string of = model_.dialect.NamesOf(model_.plan.pools[pool]).need_ending;
  Need need{model_.file_names.Unique(absl::StrCat(model_.name, "_", routine.name, "_need", of)),
            {},
            frame.exact};
  for (const OpenCall& call : open) need.exact = need.exact && call.need.exact;
  for (PrimRef e : used) {
    for (PrimRef var : analysis::VarsIn(e)) {
      if (std::find(known.begin(), known.end(), var) == known.end()) return std::optional<Need>();
      if (std::find(need.vars.begin(), need.vars.end(), var) == need.vars.end()) {
        need.vars.push_back(var);
      }
    }
  }
  CNames names(model_.name);
  CScope scope{model_.context, model_.needs, names};
  scope.wide = true;
  FrameText frame_text(model_, id, scope);
  const std::string frame_size = frame_text.end(pool);
  (void)names.Unique(frame_size);
  std::vector<std::string> params;
  for (PrimRef var : need.vars) {
    const std::string name = names.Unique(ir::ToString(var));
    scope.vars[var] = {name, var->dtype()};
    params.push_back(absl::StrCat(CScalarType(var->dtype()), " ", name));
  }
  std::string text = absl::StrCat("static size_t ", need.function, "(",
                                  params.empty() ? "void" : absl::StrJoin(params, ", "), ") {\n");
  LATHE_ASSIGN_OR_RETURN(const std::string slots, frame_text.Slots(pool));
  LineWriter lines(2);
  lines.Append(slots);
  if (!open.empty()) lines.Line("size_t most = ", frame_size, ";");
  for (const OpenCall& call : open) {
    std::vector<std::string> args;
    for (PrimRef e : call.args) {
      LATHE_ASSIGN_OR_RETURN(std::string arg, PrintCExpr(scope, e));
      args.push_back(std::move(arg));
    }
    model_.needs.headers.insert("\"lathe/scalar.h\"");
    lines.Line("most = lathe_larger(most, lathe_sum(", frame_size, ", ", call.need.function, "(",
               absl::StrJoin(args, ", "), ")));");
  }
  lines.Line("return ", open.empty() ? frame_size : "most", ";");
  functions_.push_back(absl::StrCat(text, Indented(lines.Take()), "}"));
  return std::optional<Need>(std::move(need));
}

}  // namespace lathe::emit
