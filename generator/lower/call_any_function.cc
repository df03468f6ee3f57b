#include "generator/lower/call_any_function.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "generator/lower/may_be.h"
#include "generator/lower/open_value.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

class AnyCall {
 public:
  AnyCall(RoutineBuilder& b, const ir::Binding& binding, ir::TensorId value,
          const std::vector<Form>& args, CallInto call)
      : b_(b),
        loc_(binding.loc),
        known_(b.all.module.values[binding.var]),
        functions_(b.all.program.functions),
        value_(value),
        args_(args),
        call_(call) {}

  std::optional<Form> Lower() {
    std::vector<size_t> numbers;
    for (size_t n = 0; n < functions_.size(); ++n) {
      if (MayBeIt(functions_[n])) numbers.push_back(n);
    }
    if (numbers.empty()) {
      b_.all.Unsupported(loc_) << "a call of a function that only the run knows, where the program "
                               << "has none that takes such arguments; " << kSupported;
      return std::nullopt;
    }
    which_ = b_.all.ir.NewVar(absl::StrCat(known_.name, "_calls"));
    b_.Define(which_, which_);
    b_.Emit(ir::FunctionStep{which_, value_}, loc_);
    const auto result = b_.NewResult(known_.info, known_.name, ir::Home::kArena, loc_);
    if (!result || !OneOf(numbers, *result)) return std::nullopt;
    return result;
  }

 private:
  bool MayBeIt(const Form& function) const {
    const auto* id = function.As<ir::GlobalId>();
    if (id == nullptr) return true;
    const ir::Function& f = *b_.all.module.globals[*id].function();
    if (f.params.size() < args_.size()) return false;
    SizeMatch sizes(b_.all.ir);
    for (size_t i = 0; i < args_.size(); ++i) {
      const ir::Value& param = b_.all.module.values[f.params[i]];
      if (!MayBe(b_.all.program, args_[i], param.info, param.name, sizes)) return false;
    }
    return MayBeSame(f.ret_info, known_.info);
  }

  // False after a report.
  bool OneOf(absl::Span<const size_t> numbers, const Form& to) {
    const PrimRef number = b_.all.ir.Int(static_cast<int64_t>(numbers[0]));
    const PrimRef is_it = b_.all.ir.Make(ir::BinaryOp::kEq, which_, number);
    if (numbers.size() == 1) {
      b_.Emit(ir::CheckStep{is_it, absl::StrCat("function that gives ", known_.name)}, loc_);
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
    const size_t params = id == nullptr ? 0 : b_.all.module.globals[*id].function()->params.size();
    const size_t kept = id == nullptr ? 0 : params - args_.size();
    return call_(OpenFunction(b_, value_, function, kept, known_.name, loc_), to);
  }

  RoutineBuilder& b_;
  const Location loc_;
  const ir::Value& known_;
  const std::vector<Form>& functions_;
  const ir::TensorId value_;
  const std::vector<Form>& args_;
  CallInto call_;
  PrimRef which_ = nullptr;
};

}  // namespace

std::optional<Form> CallAnyFunction(RoutineBuilder& b, const ir::Binding& binding,
                                    ir::TensorId value, const std::vector<Form>& args,
                                    CallInto call) {
  return AnyCall(b, binding, value, args, call).Lower();
}

}  // namespace lathe::lower
