#include "generator/ops/external_call.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"

namespace lathe::ops {
namespace {

using ir::Operand;

constexpr absl::string_view kExternal[] = {
    "relax.ccl.allgather",
    "relax.ccl.allreduce",
    "relax.ccl.broadcast_from_worker0",
    "relax.ccl.scatter_from_worker0",
    "relax.dist.redistribute",
    "relax.dist.redistribute_replica_to_shard",
};

std::optional<Operand> OperandOf(ir::Context& context, const ir::AttrValue& value) {
  if (const auto* b = value.As<bool>()) return Operand{ir::PrimValue{context.Bool(*b)}};
  if (const auto* i = value.As<int64_t>()) return Operand{ir::PrimValue{context.Int(*i)}};
  if (const auto* text = value.As<std::string>()) return Operand{ir::StringImm{*text}};
  return std::nullopt;
}

}  // namespace

std::string ExternalFunction(const ir::Op& op) {
  for (absl::string_view name : kExternal) {
    if (op.name == name) return absl::StrCat("lathe.", absl::StripPrefix(name, "relax."));
  }
  return "";
}

std::optional<ir::Call> ExternalCall(ir::Context& context, const ir::Call& call,
                                     ir::StructInfoRef result) {
  std::vector<Operand> args = call.args;
  for (const ir::OpParam& param : call.op()->params) {
    if (!param.attr) continue;
    const auto value = call.attrs.find(param.name);
    if (value == call.attrs.end()) return std::nullopt;
    std::optional<Operand> given = OperandOf(context, value->second);
    if (!given) return std::nullopt;
    args.push_back(*std::move(given));
  }
  ir::Call external =
      CallOf("relax.call_dps_packed", {Operand{ir::ExternFunc{ExternalFunction(*call.op())}},
                                       Operand{ir::TupleExpr{std::move(args)}}});
  external.sinfo_args = {result};
  return external;
}

}  // namespace lathe::ops
