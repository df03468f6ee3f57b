#include "generator/schedule/fuse/join_attention.h"

#include "generator/schedule/cuda/match_attention.h"
#include "generator/schedule/fuse/nest_statements.h"

namespace lathe::schedule {

bool MayEndAttention(const nest::NestCall& call) {
  const ir::NestStage& last = call.nest.stages.back();
  const auto* sum = last.acc == nullptr ? nullptr : last.update->As<ir::Binary>();
  return sum != nullptr && sum->op == ir::BinaryOp::kAdd && last.reduce.size() == 1;
}

bool IsAttention(ir::Context& context, const nest::NestCall& call) {
  const NestStatements s = StatementsOf(context, call);
  if (s.first == s.rows.size()) return false;
  const auto found = MatchAttention(context, s.rows, s.first, s.uses, s.given, s.own, {});
  return found && s.first + found->statements == s.rows.size();
}

}  // namespace lathe::schedule
