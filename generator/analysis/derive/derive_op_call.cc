#include "generator/analysis/derive/derive_op_call.h"

#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/derive/purity.h"
#include "generator/analysis/show_operand.h"
#include "generator/ir/op.h"

namespace lathe::analysis {
namespace {

// Answers the queries of inference, and suppresses its messages if an argument is a guess.
class Inference : public ir::InferContext {
 public:
  Inference(Derivation& d, const Location& loc, Diagnostics& sink)
      : d_(d), loc_(loc), sink_(sink) {}

  ir::Context& ir() override { return d_.ir; }
  const ir::Module& module() const override { return d_.module; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return DeriveOperand(d_, operand).info;
  }
  std::string Show(const ir::Operand& operand) const override {
    return ShowOperand(d_.module, operand);
  }
  ir::PrimRef Simplify(ir::PrimRef e) override {
    return analysis::Simplify(d_.ir, e, d_.assumptions);
  }
  ir::Tri ProveEqual(ir::PrimRef a, ir::PrimRef b) override {
    return analysis::ProveEqual(d_.ir, a, b, d_.assumptions);
  }
  ir::Tri ProveLessEqual(ir::PrimRef a, ir::PrimRef b) override {
    return analysis::ProveLessEqual(d_.ir, a, b, d_.assumptions);
  }
  DiagnosticBuilder Error(absl::string_view code) override { return sink_.Error(loc_, code); }
  DiagnosticBuilder Warning(absl::string_view code) override { return sink_.Warning(loc_, code); }

 private:
  Derivation& d_;
  const Location& loc_;
  Diagnostics& sink_;
};

}  // namespace

Derived DeriveOpCall(Derivation& d, const ir::Call& call, const Location& loc) {
  const ir::Op& op = *call.op();
  CheckPurity(d, call, op.pure, loc);
  // The result is unknown, so it is compatible with any annotation.
  if (op.infer == nullptr) return d.Guess();
  bool guess = false;
  for (const ir::Operand& arg : call.args) guess |= DeriveOperand(d, arg).guess;
  Diagnostics unheard;
  Inference inference(d, loc, guess ? unheard : *d.diags);
  const int errors = d.diags->error_count();
  const absl::StatusOr<ir::StructInfoRef> info = op.infer(inference, call);
  if (info.ok()) return d.Limited({d.Normalize(*info)}, loc);
  if (!guess && d.diags->error_count() == errors) {
    // The status is the only reason given.
    d.Error(loc, "op-argument-kind") << info.status().message();
  }
  return d.Guess();
}

}  // namespace lathe::analysis
