#include "generator/transform/call_to_tir.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/tir_mentions.h"
#include "generator/ops/complete_call.h"
#include "generator/support/status.h"

namespace lathe::transform {
namespace {

class Computing final : public ir::ComputeContext {
 public:
  Computing(ir::Context& context, const ir::Module& module, ir::StructInfoRef result)
      : context_(context), module_(module), result_(result) {}
  ir::Context& ir() override { return context_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return analysis::KnownInfo(context_, module_, operand);
  }
  ir::StructInfoRef ResultInfo() const override { return result_; }

 private:
  ir::Context& context_;
  const ir::Module& module_;
  ir::StructInfoRef result_;
};

void Assert(ir::Context& context, const std::vector<ir::PrimRef>& needs, const std::string& op_name,
            ir::PrimFunc& func) {
  if (needs.empty()) return;
  std::vector<ir::StmtRef> stmts;
  for (ir::PrimRef need : needs) {
    ir::AssertStmt assert;
    assert.cond = need;
    assert.kind = ir::kShapeError;
    assert.messages = {absl::StrCat(op_name, " needs ", ir::ToString(need))};
    stmts.push_back(context.Make(ir::Stmt::Node(std::move(assert)), {}));
  }
  if (const auto* seq = func.body->As<ir::SeqStmt>()) {
    stmts.insert(stmts.end(), seq->stmts.begin(), seq->stmts.end());
  } else {
    stmts.push_back(func.body);
  }
  func.body = context.Make(ir::Stmt::Node(ir::SeqStmt{std::move(stmts)}), {});
}

}  // namespace

std::vector<ir::PrimRef> FreeScalars(const ir::PrimFunc& func) {
  absl::flat_hash_set<ir::PrimRef> bound;
  for (const ir::PrimParam& param : func.params) {
    bound.insert(param.var);
    if (param.buffer == nullptr) continue;
    for (ir::PrimRef dim : param.buffer->shape) bound.insert(dim);
  }
  std::vector<ir::PrimRef> free;
  const ir::TirMentions mentions = ir::MentionsOf(func);
  for (ir::PrimRef var : mentions.undefined) {
    if (!bound.contains(var) && !mentions.let_vars.contains(var)) free.push_back(var);
  }
  return free;
}

absl::StatusOr<std::vector<ir::PrimRef>> AddSizeParams(ir::PrimFunc& func) {
  const std::vector<ir::PrimRef> sizes = FreeScalars(func);
  for (ir::PrimRef var : sizes) {
    if (var->dtype() != ir::DType::Int(64)) {
      return absl::UnimplementedError(absl::StrCat("it needs '", var->As<ir::SymVar>()->name,
                                                   "', which is not a size but a scalar of dtype ",
                                                   ToString(var->dtype())));
    }
  }
  for (ir::PrimRef var : sizes) func.params.push_back({var, nullptr, {}});
  return sizes;
}

absl::StatusOr<CallTirFunc> CallToTir(ir::Context& context, const ir::Module& module,
                                      const ir::Call& call, ir::ComputeFn compute,
                                      ir::StructInfoRef result,
                                      const std::vector<ir::PrimRef>& needs) {
  Computing computing(context, module, result);
  CallTirFunc tir;
  LATHE_ASSIGN_OR_RETURN(tir.func, compute(computing, call));
  Assert(context, needs, call.op()->name, tir.func);
  LATHE_ASSIGN_OR_RETURN(tir.sizes, AddSizeParams(tir.func));
  return tir;
}

ir::Call CallTir(ir::GlobalId func, const std::vector<ir::Operand>& tensors,
                 const std::vector<ir::PrimRef>& sizes, ir::StructInfoRef result) {
  ir::Call call =
      ops::CallOf("relax.call_tir", {ir::Operand{func}, ir::Operand{ir::TupleExpr{tensors}}});
  if (!sizes.empty()) call.args.push_back(ir::Operand{ir::ShapeExpr{sizes}});
  call.sinfo_args = {result};
  return call;
}

}  // namespace lathe::transform
