#include "generator/emit/c/print_call_step.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::Status PrintCallStep(const Model& model, ir::RoutineId id, CScope& scope,
                           const FrameText& frame, const ir::CallStep& step, size_t number,
                           absl::FunctionRef<absl::StatusOr<std::string>(const ir::Part&)> argument,
                           LineWriter& out) {
  std::vector<std::string> args;
  if (model.TakesExterns(step.routine)) args.push_back("externs");
  if (model.HasExternalWeights()) args.push_back("weights");
  const plan::Frame& own = model.plan.frames[id];
  const plan::Frame& callee = model.plan.frames[step.routine];
  for (size_t i = 0; i < model.plan.pools.size(); ++i) {
    if (!model.UsesPool(step.routine, i)) continue;
    const std::optional<int64_t> offset = own.shares[i].call_offsets[number];
    const std::string at = offset ? absl::StrCat(*offset) : frame.free_offset(i);
    args.push_back(AddressOf(model.plan.pools[i].name, at));
  }
  if (model.keeps.contains(step.routine)) {
    args.push_back("region");
  } else if (callee.open && model.keeps.contains(id)) {
    args.push_back(
        absl::StrCat("lathe_room(region, ", AddressOf(model.arena(), frame.free_offset()), ")"));
  } else {
    for (size_t i = 0; i < model.plan.pools.size(); ++i) {
      if (!callee.shares[i].open) continue;
      args.push_back(absl::StrCat(model.plan.pools[i].name, "_size - ", frame.free_offset(i)));
    }
  }
  for (const ir::Part& part : step.inputs) {
    LATHE_ASSIGN_OR_RETURN(std::string arg, argument(part));
    args.push_back(std::move(arg));
  }
  for (ir::PrimRef size : step.sizes) {
    LATHE_ASSIGN_OR_RETURN(std::string arg, PrintCExpr(scope, size));
    args.push_back(std::move(arg));
  }
  for (const ir::Part& part : step.outputs) {
    if (const auto* var = std::get_if<ir::PrimRef>(&part)) {
      args.push_back(absl::StrCat("&", scope.vars.at(*var).name));
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(std::string arg, argument(part));
    args.push_back(std::move(arg));
  }
  for (std::string& name : model.dialect.LastArgs(model)) args.push_back(std::move(name));
  PrintCheckedCall(absl::StrCat(model.routines[step.routine], "(", absl::StrJoin(args, ", "), ")"),
                   out);
  return absl::OkStatus();
}

}  // namespace lathe::emit
