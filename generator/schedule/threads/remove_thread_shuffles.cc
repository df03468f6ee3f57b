#include "generator/schedule/threads/remove_thread_shuffles.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/map_children.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using ir::StmtRef;

PrimRef Unshuffled(ir::Context& context, PrimRef e, const ir::ForStmt& threads) {
  const auto* call = e->As<ir::Intrinsic>();
  if (call == nullptr || call->name != "tvm_warp_shuffle" || call->args.size() != 5) return e;
  if (!IsLoadFree(call->args[1])) return e;
  const auto* width = call->args[3]->As<ir::IntImm>();
  const auto* lane = call->args[2]->As<ir::IntImm>();
  const auto* count = threads.extent->As<ir::IntImm>();
  const std::vector<PrimRef> vars = analysis::VarsIn(call->args[1]);
  const bool own = absl::c_all_of(vars, [&](PrimRef var) { return var == threads.var; });
  if (width == nullptr || lane == nullptr || count == nullptr || !own) return e;
  if (width->value < 1 || lane->value < 0 || lane->value >= width->value ||
      count->value % width->value != 0) {
    return e;
  }
  const ir::DType dtype = threads.var->dtype();
  const PrimRef of = context.Int(width->value, dtype);
  const PrimRef row = context.Make(BinaryOp::kFloorDiv, threads.var, of);
  const PrimRef first = context.Make(BinaryOp::kMul, row, of);
  const PrimRef other = context.Make(BinaryOp::kAdd, first, context.Int(lane->value, dtype));
  const PrimRef said = analysis::Substitute(context, call->args[1], {{threads.var, other}});
  return context.MakeCast(e->dtype(), said);
}

}  // namespace

bool IsLoadFree(PrimRef e) {
  if (e->As<ir::Load>() != nullptr || e->As<ir::Intrinsic>() != nullptr) return false;
  bool is = true;
  ir::ForEachOperand(e, [&](PrimRef operand) { is = is && IsLoadFree(operand); });
  return is;
}

StmtRef RemoveThreadShuffles(ir::Context& context, StmtRef body, const ir::ForStmt& threads) {
  if (const auto* let = body->As<ir::LetStmt>()) {
    const PrimRef value = Unshuffled(context, let->value, threads);
    const StmtRef inner =
        let->body == nullptr ? nullptr : RemoveThreadShuffles(context, let->body, threads);
    return context.Make(ir::LetStmt{let->var, value, inner}, body->loc());
  }
  return ir::MapChildren(
      context, body, [&](StmtRef part) { return RemoveThreadShuffles(context, part, threads); });
}

}  // namespace lathe::schedule
