#include "generator/analysis/derive/reinfer_call.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/show_operand.h"
#include "generator/ir/op.h"

namespace lathe::analysis {
namespace {

class Again final : public ir::InferContext {
 public:
  Again(ir::Context& context, const ir::Module& module) : context_(context), module_(module) {}

  ir::Context& ir() override { return context_; }
  const ir::Module& module() const override { return module_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return KnownInfo(context_, module_, operand);
  }
  std::string Show(const ir::Operand& operand) const override {
    return ShowOperand(module_, operand);
  }
  ir::PrimRef Simplify(ir::PrimRef e) override { return analysis::Simplify(context_, e); }
  ir::Tri ProveEqual(ir::PrimRef a, ir::PrimRef b) override {
    return analysis::ProveEqual(context_, a, b);
  }
  ir::Tri ProveLessEqual(ir::PrimRef a, ir::PrimRef b) override {
    return analysis::ProveLessEqual(context_, a, b);
  }
  DiagnosticBuilder Error(absl::string_view code) override { return unheard_.Error({}, code); }
  DiagnosticBuilder Warning(absl::string_view code) override { return unheard_.Warning({}, code); }

  std::vector<ir::PrimRef> TakeNeeds() { return std::move(needs_); }

 private:
  void RequireAtRunTime(ir::PrimRef cond) override {
    if (std::find(needs_.begin(), needs_.end(), cond) == needs_.end()) needs_.push_back(cond);
  }

  ir::Context& context_;
  const ir::Module& module_;
  Diagnostics unheard_;
  std::vector<ir::PrimRef> needs_;
};

}  // namespace

std::optional<Inferred> ReinferCall(ir::Context& context, const ir::Module& module,
                                    const ir::Call& call) {
  const ir::Op* op = call.op();
  if (op == nullptr || op->infer == nullptr) return std::nullopt;
  Again again(context, module);
  const absl::StatusOr<ir::StructInfoRef> info = op->infer(again, call);
  if (!info.ok()) return std::nullopt;
  return Inferred{*info, again.TakeNeeds()};
}

}  // namespace lathe::analysis
