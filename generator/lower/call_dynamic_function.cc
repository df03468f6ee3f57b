#include "generator/lower/call_dynamic_function.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/match_form.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

class AnyCall {
 public:
  AnyCall(RoutineBuilder& b, const ir::Binding& binding, StructInfoRef info, ir::TensorId value,
          const std::vector<Form>& args, CallInto call)
      : b_(b),
        binding_(binding),
        loc_(binding.loc),
        name_(b.lowering.module.values[binding.var].name),
        info_(info),
        functions_(b.lowering.program.functions),
        value_(value),
        args_(args),
        call_(call) {}

  std::optional<Form> Lower() {
    std::vector<size_t> numbers;
    for (size_t n = 0; n < functions_.size(); ++n) {
      if (MayBeIt(functions_[n])) numbers.push_back(n);
    }
    // Without candidates, no value of this type is ever created, so nothing reaches the call.
    if (numbers.empty()) return EndRunAtCall(b_, binding_, info_);
    which_ = b_.lowering.ir.NewVar(absl::StrCat(name_, "_calls"));
    b_.Define(which_, which_);
    b_.Emit(ir::FunctionStep{which_, value_}, loc_);
    const auto result = b_.NewResult(info_, name_, ir::Home::kArena, loc_);
    if (!result || !OneOf(numbers, *result)) return std::nullopt;
    return result;
  }

 private:
  bool MayBeIt(const Form& function) const {
    const auto* id = function.As<ir::GlobalId>();
    const ir::Global* global = id == nullptr ? nullptr : &b_.lowering.module.globals[*id];
    if (global != nullptr && global->prim_func() != nullptr) return MayBeIt(*global->prim_func());
    if (global == nullptr || global->function() == nullptr) return true;
    const ir::Function& f = *global->function();
    if (f.params.size() < args_.size()) return false;
    SizeMatch sizes(b_.lowering.ir);
    for (size_t i = 0; i < args_.size(); ++i) {
      const ir::Value& param = b_.lowering.module.values[f.params[i]];
      if (!MatchForm(b_.lowering.program, args_[i], param.info, param.name, sizes)) return false;
    }
    return MayReturn(f.ret_info);
  }

  // A function that returns any object is not a value of a type that returns something specific.
  bool MayReturn(StructInfoRef ret) const {
    const bool less_specific =
        ret->As<ir::ObjectInfo>() != nullptr && info_->As<ir::ObjectInfo>() == nullptr;
    return !less_specific && AreCompatible(ret, info_);
  }

  // A PrimFunc captures nothing.
  bool MayBeIt(const ir::PrimFunc& func) const {
    if (func.params.size() != args_.size()) return false;
    const StructInfoRef info = analysis::DerivePrimFunc(b_.lowering.ir, func);
    const ir::FuncInfo& known = *info->As<ir::FuncInfo>();
    SizeMatch sizes(b_.lowering.ir);
    for (size_t i = 0; i < args_.size(); ++i) {
      if (!MatchForm(b_.lowering.program, args_[i], (*known.params)[i], "", sizes)) return false;
    }
    return MayReturn(known.ret);
  }

  // Returns false after a report.
  bool OneOf(absl::Span<const size_t> numbers, const Form& to) {
    const PrimRef number = b_.lowering.ir.Int(static_cast<int64_t>(numbers[0]));
    const PrimRef is_it = b_.lowering.ir.Make(ir::BinaryOp::kEq, which_, number);
    if (numbers.size() == 1) {
      b_.Emit(ir::CheckStep{is_it, absl::StrCat("function value that returns ", name_)}, loc_);
      return Call(functions_[numbers[0]], to);
    }
    bool good = true;
    b_.EmitBranch(
        is_it, [&] { good = Call(functions_[numbers[0]], to); },
        [&] { good = OneOf(numbers.subspan(1), to) && good; }, loc_);
    return good;
  }

  bool Call(const Form& function, const Form& to) {
    const auto* id = function.As<ir::GlobalId>();
    const ir::Function* f = id == nullptr ? nullptr : b_.lowering.module.globals[*id].function();
    const size_t kept = f == nullptr ? 0 : f->params.size() - args_.size();
    return call_(UnboxFunction(b_, value_, function, kept, name_, loc_), to);
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const Location loc_;
  const std::string& name_;
  const StructInfoRef info_;
  const std::vector<Form>& functions_;
  const ir::TensorId value_;
  const std::vector<Form>& args_;
  CallInto call_;
  PrimRef which_ = nullptr;
};

}  // namespace

std::optional<Form> EndRunAtCall(RoutineBuilder& b, const ir::Binding& binding,
                                 StructInfoRef info) {
  const std::string& name = b.lowering.module.values[binding.var].name;
  b.Emit(ir::CheckStep{b.lowering.ir.Bool(false), absl::StrCat("function that gives ", name)},
         binding.loc);
  return b.NewResult(info, name, ir::Home::kArena, binding.loc);
}

std::optional<Form> CallDynamicFunction(RoutineBuilder& b, const ir::Binding& binding,
                                        StructInfoRef info, ir::TensorId value,
                                        const std::vector<Form>& args, CallInto call) {
  return AnyCall(b, binding, info, value, args, call).Lower();
}

}  // namespace lathe::lower
