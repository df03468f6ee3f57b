#include "generator/lower/actual_call.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/lower/boxed_values.h"
#include "generator/support/status.h"

namespace lathe::lower {
namespace {

using ir::Operand;
using ir::PrimRef;
using ir::StructInfoRef;

class Inferring final : public ir::InferContext {
 public:
  Inferring(RoutineBuilder& b, const ActualCall& call, const Location& loc)
      : b_(b), call_(call), loc_(loc) {}
  ir::Context& ir() override { return b_.lowering.ir; }
  const ir::Module& module() const override { return b_.lowering.module; }
  StructInfoRef InfoOf(const Operand& operand) const override { return call_.InfoOf(operand); }
  std::string Show(const Operand& operand) const override {
    const auto* id = operand.As<ir::ValueId>();
    return id == nullptr ? std::string("it") : b_.lowering.module.values[*id].name;
  }
  PrimRef Simplify(PrimRef e) override { return analysis::Simplify(b_.lowering.ir, e); }
  ir::Tri ProveEqual(PrimRef a, PrimRef c) override {
    return analysis::ProveEqual(b_.lowering.ir, a, c);
  }
  ir::Tri ProveLessEqual(PrimRef a, PrimRef c) override {
    return analysis::ProveLessEqual(b_.lowering.ir, a, c);
  }
  DiagnosticBuilder Error(absl::string_view code) override { return found_.Error(loc_, code); }
  DiagnosticBuilder Warning(absl::string_view code) override { return found_.Warning(loc_, code); }

  std::vector<PrimRef> TakeNeeds() { return std::move(needs_); }

 private:
  void RequireAtRunTime(PrimRef cond) override {
    if (std::find(needs_.begin(), needs_.end(), cond) == needs_.end()) needs_.push_back(cond);
  }

  RoutineBuilder& b_;
  const ActualCall& call_;
  const Location loc_;
  Diagnostics found_;  // errors are in the status instead
  std::vector<PrimRef> needs_;
};

class Computing final : public ir::ComputeContext {
 public:
  Computing(ir::Context& context, const ActualCall& call, StructInfoRef result)
      : context_(context), call_(call), result_(result) {}
  ir::Context& ir() override { return context_; }
  StructInfoRef InfoOf(const Operand& operand) const override { return call_.InfoOf(operand); }
  StructInfoRef ResultInfo() const override { return result_; }

 private:
  ir::Context& context_;
  const ActualCall& call_;
  StructInfoRef result_;
};

bool AreScalars(const TupleForm& tuple) {
  for (const Form& field : tuple.fields) {
    if (field.As<PrimRef>() == nullptr) return false;
  }
  return !tuple.fields.empty();
}

}  // namespace

std::optional<ActualCall> ActualCall::Of(RoutineBuilder& b, const ir::Call& call,
                                         const Location& loc) {
  ActualCall actual(b, loc);
  actual.call_ = call;
  actual.call_.args.clear();
  for (const Operand& arg : call.args) {
    if (!actual.Add(arg, actual.call_.args)) return std::nullopt;
  }
  return actual;
}

// Replaces variables by the shapes and scalars that they hold, because inference looks at these.
bool ActualCall::Add(const Operand& operand, std::vector<Operand>& to) {
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    ir::TupleExpr fields;
    for (const Operand& field : tuple->fields) {
      if (!Add(field, fields.fields)) return false;
    }
    to.push_back(Operand{std::move(fields)});
    return true;
  }
  const auto form = b_.FormOf(operand, loc_);
  if (!form) return false;
  if (const auto* shape = form->As<ShapeForm>()) {
    to.push_back(Operand{ir::ShapeExpr{shape->dims}});
  } else if (const auto* scalar = form->As<PrimRef>()) {
    to.push_back(Operand{ir::PrimValue{*scalar}});
  } else if (const auto* tuple = form->As<TupleForm>(); tuple != nullptr && AreScalars(*tuple)) {
    ir::TupleExpr fields;
    for (const Form& field : tuple->fields) {
      fields.fields.push_back(Operand{ir::PrimValue{*field.As<PrimRef>()}});
    }
    to.push_back(Operand{std::move(fields)});
  } else {
    to.push_back(operand);
    for (const ir::Part& part : PartsOf(*form)) {
      if (const auto* id = std::get_if<ir::TensorId>(&part)) tensors_.push_back(*id);
    }
  }
  return true;
}

StructInfoRef ActualCall::InfoOf(const Operand& operand) const {
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    std::vector<StructInfoRef> fields;
    for (const Operand& field : tuple->fields) fields.push_back(InfoOf(field));
    return b_.lowering.ir.Tuple(std::move(fields));
  }
  if (operand.As<ir::ValueId>() == nullptr) {
    return analysis::KnownInfo(b_.lowering.ir, b_.lowering.module, operand);
  }
  const auto form = b_.FormOf(operand, loc_);
  if (!form) return b_.lowering.ir.Object();
  // For a boxed value, the graph may know a dtype.
  return AsBoxed(b_.lowering.program, *form)
             ? analysis::KnownInfo(b_.lowering.ir, b_.lowering.module, operand)
             : b_.InfoOf(*form);
}

absl::StatusOr<analysis::Inferred> ActualCall::Infer() {
  if (call_.op()->infer == nullptr) return analysis::Inferred{b_.lowering.ir.Object(), {}};
  Inferring inferring(b_, *this, loc_);
  LATHE_ASSIGN_OR_RETURN(StructInfoRef info, call_.op()->infer(inferring, call_));
  return analysis::Inferred{info, inferring.TakeNeeds()};
}

absl::StatusOr<ir::PrimFunc> ActualCall::Compute(StructInfoRef result) {
  Computing computing(b_.lowering.ir, *this, result);
  return call_.op()->compute(computing, call_);
}

}  // namespace lathe::lower
