#include "generator/reader/relay_text/infer/relate.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/infer/info_of_type.h"
#include "generator/reader/relay_text/ops/op_call.h"
#include "generator/support/status.h"
#include "generator/transform/block_builder.h"

namespace lathe::relay {
namespace {

using Params = std::vector<transform::BlockBuilder::Param>;

void AddParams(ir::Context& context, const Types& types, const RelationArg& arg, Params& params) {
  if (arg.constant) return;
  if (!arg.fields.empty()) {
    for (const RelationArg& field : arg.fields) AddParams(context, types, field, params);
    return;
  }
  params.push_back(
      {absl::StrCat("x", params.size()), InfoOfType(context, types, arg.type, AnyDims::kNewVars)});
}

Operand OperandOf(transform::BlockBuilder& builder, const RelationArg& arg, const Operands& params,
                  size_t& next) {
  if (arg.constant) return builder.Constant(*arg.constant);
  if (arg.fields.empty()) return params[next++];
  Operands fields;
  for (const RelationArg& field : arg.fields) {
    fields.push_back(OperandOf(builder, field, params, next));
  }
  return transform::BlockBuilder::Tuple(std::move(fields));
}

}  // namespace

absl::StatusOr<TypeRef> Relate(ir::Context& context, Types& types, const OpRow& row,
                               const ir::AttrMap& attrs, const std::vector<RelationArg>& args,
                               const Location& loc, Diagnostics& diags) {
  transform::BlockBuilder builder(context);
  Params params;
  for (const RelationArg& arg : args) AddParams(context, types, arg, params);
  for (const auto& param : params) {
    if (param.info == nullptr) {
      return diags.Error(loc, "relay-bad-call") << row.name << ": an operator takes tensors";
    }
  }
  absl::StatusOr<ir::StructInfoRef> info = absl::InternalError("not evaluated");
  builder.Function("relation", params, [&](const Operands& in) {
    Operands operands;
    size_t next = 0;
    for (const RelationArg& arg : args) operands.push_back(OperandOf(builder, arg, in, next));
    OpCall call(context, builder, row, std::move(operands), attrs, loc, diags);
    const absl::StatusOr<Operand> result = row.import(call);
    if (!call.status().ok()) {
      info = call.status();
    } else if (!result.ok()) {
      info = result.status();
    } else if (builder.premature().has_errors()) {
      info = diags.Error(loc, "relay-bad-call")
             << row.name << ": " << builder.premature().all().front().message;
    } else {
      info = builder.InfoOf(*result);
    }
    return builder.Number(0);
  });
  LATHE_RETURN_IF_ERROR(info.status());
  const TypeRef type = TypeOfInfo(types, *info);
  if (type != nullptr) return type;
  return diags.Unsupported(loc, "relay-unsupported")
         << row.name << ": its result has an unknown rank";
}

}  // namespace lathe::relay
