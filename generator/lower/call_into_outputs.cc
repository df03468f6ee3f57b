#include "generator/lower/call_into_outputs.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/call_dynamic_function.h"
#include "generator/lower/lower_call.h"
#include "generator/lower/lower_packed.h"
#include "generator/lower/prim_funcs_by_symbol.h"
#include "generator/ops/call_tir.h"

namespace lathe::lower {
namespace {

class DpsCall {
 public:
  DpsCall(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call)
      : b_(b), binding_(binding), call_(call) {}

  std::optional<Form> Lower() {
    const auto callee = b_.FormOf(call_.args[0], binding_.loc);
    const auto given = b_.FormOf(call_.args[1], binding_.loc);
    if (!callee || !given) return std::nullopt;
    args_ = {*given};
    if (const auto* tuple = given->As<TupleForm>()) args_ = tuple->fields;
    const std::vector<ir::StructInfoRef> infos = ops::CallTirOutputs(call_);
    const std::string& name = b_.lowering.module.values[binding_.var].name;
    TupleForm outputs;
    for (size_t i = 0; i < infos.size(); ++i) {
      auto output = b_.NewResult(infos[i], infos.size() == 1 ? name : absl::StrCat(name, "_", i),
                                 ir::Home::kArena, binding_.loc);
      if (!output) return std::nullopt;
      args_.push_back(*output);
      outputs.fields.push_back(*std::move(output));
    }
    outputs_ = infos.size();
    if (!Call(*callee)) return std::nullopt;
    if (infos.size() == 1) return std::move(outputs.fields[0]);
    return Form{std::move(outputs)};
  }

 private:
  // Returns false after a report.
  bool Call(const Form& callee) {
    if (const auto* f = callee.As<ir::ExternFunc>()) {
      if (const auto own = PrimFuncOf(b_.lowering.module, f->name)) return Call(*own);
      LowerPackedEffect(b_, binding_, f->name, args_, outputs_);
      return true;
    }
    if (const auto* id = callee.As<ir::GlobalId>()) return Call(*id);
    if (const auto* choice = callee.As<ChoiceForm>()) return Choose(*choice, 0);
    if (const auto value = AsBoxed(b_.lowering.program, callee)) {
      const auto into = [&](const Form& one, const Form&) { return Call(one); };
      return CallDynamicFunction(b_, binding_, b_.lowering.ir.Tuple({}), *value, args_, into)
          .has_value();
    }
    return Refuse();
  }

  bool Call(ir::GlobalId id) {
    if (b_.lowering.module.globals[id].prim_func() == nullptr) return Refuse();
    return LowerDirectCall(b_, binding_, args_, id).has_value();
  }

  // Emits the branches for option `n` and later ones.
  bool Choose(const ChoiceForm& choice, size_t n) {
    if (n + 1 == choice.options.size()) return Call(choice.options[n]);
    const ir::PrimRef number = b_.lowering.ir.Int(static_cast<int64_t>(n));
    bool good = true;
    b_.EmitBranch(
        b_.lowering.ir.Make(ir::BinaryOp::kEq, choice.which, number),
        [&] { good = Call(choice.options[n]); }, [&] { good = Choose(choice, n + 1) && good; },
        binding_.loc);
    return good;
  }

  bool Refuse() {
    b_.lowering.Unsupported(binding_.loc)
        << "R.call_dps_packed of a value that is not an external function cannot be lowered to C; "
        << kSupported;
    return false;
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const ir::Call& call_;
  std::vector<Form> args_;
  size_t outputs_ = 0;
};

}  // namespace

std::optional<Form> LowerCallDpsPacked(RoutineBuilder& b, const ir::Binding& binding,
                                       const ir::Call& call) {
  return DpsCall(b, binding, call).Lower();
}

}  // namespace lathe::lower
