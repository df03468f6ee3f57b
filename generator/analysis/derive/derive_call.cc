#include "generator/analysis/derive/derive_call.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify_dims.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/derive/derive_op_call.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/derive/purity.h"
#include "generator/analysis/show_operand.h"
#include "generator/analysis/subtyping.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

Derived Callee(Derivation& d, const ir::Call& call) {
  return Match(
      call.callee, [&](const ir::Op*) { return d.Guess(); },
      [&](ir::ValueId id) { return d.Lookup(id); }, [&](ir::GlobalId id) { return d.globals[id]; },
      [&](const ir::ExternFunc& f) { return Derived{DeriveExternFunc(d.ir, f)}; });
}

// default_derive and empty_derive. A function info without either violates well-formedness rule 17
// and is treated as the weakest.
StructInfoRef DerivePacked(Derivation& d, const ir::FuncInfo& callee, const ir::Call& call) {
  if (callee.derive != ir::Derive::kDefault || call.sinfo_args.empty()) return d.ir.Object();
  const bool one = call.sinfo_args.size() == 1;
  return d.Normalize(one ? call.sinfo_args[0] : d.ir.Tuple(call.sinfo_args));
}

// Adds a note with the location of parameter `index` of the callee.
void NoteParam(const Derivation& d, const ir::Call& call, size_t index, DiagnosticBuilder&& b) {
  const auto* id = std::get_if<ir::GlobalId>(&call.callee);
  if (id == nullptr) return;
  const ir::Global& global = d.module.globals[*id];
  const auto note = [&](const Location& loc, absl::string_view name) {
    std::move(b).Note(loc, absl::StrCat("parameter '", name, "' of '", global.name, "'"));
  };
  const ir::Function* f = global.function();
  const ir::PrimFunc* prim = global.prim_func();
  if (f != nullptr && index < f->params.size()) {
    const ir::Value& param = d.module.values[f->params[index]];
    note(param.loc, param.name);
  } else if (prim != nullptr && index < prim->params.size()) {
    const ir::PrimParam& param = prim->params[index];
    note(param.loc,
         param.buffer == nullptr ? param.var->As<ir::SymVar>()->name : param.buffer->name);
  }
}

// Maps parameters of the callee used as shapes, as in R.Tensor(s), to the shapes of the arguments.
ShapeVarOfCallee ShapesOfCallee(Derivation& d, const ir::Call& call) {
  ShapeVarOfCallee shapes;
  const auto* id = std::get_if<ir::GlobalId>(&call.callee);
  const ir::Function* f = id == nullptr ? nullptr : d.module.globals[*id].function();
  if (f == nullptr) return shapes;
  for (size_t i = 0; i < f->params.size() && i < call.args.size(); ++i) {
    const Derived arg = DeriveOperand(d, call.args[i]);
    const auto* shape = arg.info->As<ir::ShapeInfo>();
    if (shape == nullptr) continue;
    if (shape->values) {
      shapes[f->params[i]] = *shape->values;
    } else if (const auto* var = call.args[i].As<ir::ValueId>()) {
      shapes[f->params[i]] = *var;
    }
  }
  return shapes;
}

class ClosureCall {
 public:
  ClosureCall(Derivation& d, const ir::Call& call, const Location& loc)
      : d_(d), call_(call), loc_(loc) {}

  Derived Derive(StructInfoRef callee) {
    for (const ir::Operand& arg : call_.args) args_.push_back(DeriveOperand(d_, arg));
    const ir::FuncInfo& written = *callee->As<ir::FuncInfo>();
    if (written.params->size() != args_.size()) return WrongCount(written.params->size());
    Fit(Substitute(d_.ir, callee, {}, ShapesOfCallee(d_, call_)));
    bool guess = false;
    for (size_t i = 0; i < args_.size(); ++i) guess |= args_[i].guess || !CheckArgument(i);
    return {SimplifyDims(d_.ir, d_.Erase(fitted_.ret), d_.assumptions), guess};
  }

 private:
  // Rule 14.2.5. A tensor with known rank but unknown shape has some dimension at each position, a
  // scalar has some value: each is represented by a fresh variable. It instantiates those variables
  // of the callee that nothing else determines, and is erased from the result, since it is in no
  // scope.
  void Fit(StructInfoRef callee) {
    const std::vector<StructInfoRef>& params = *callee->As<ir::FuncInfo>()->params;
    const auto unbound = [&](ir::PrimRef var) { return !d_.shape_scope.Has(var); };
    ShapeVarMap mapping;
    for (size_t i = 0; i < args_.size(); ++i) {
      AddShapeVarMapping(params[i], args_[i].info, unbound, mapping);
      for (ir::PrimRef var : BindingVars(params[i])) {
        if (mapping.contains(var)) bound_by_.try_emplace(var, i);
      }
    }
    callee_params_ = params;
    bound_ = mapping;
    known_ = *Substitute(d_.ir, callee, mapping)->As<ir::FuncInfo>();
    for (size_t i = 0; i < args_.size(); ++i) {
      shaped_args_.push_back(WithShape(args_[i].info));
      AddShapeVarMapping(params[i], shaped_args_[i], unbound, mapping);
    }
    fitted_ = *Substitute(d_.ir, callee, mapping)->As<ir::FuncInfo>();
  }

  StructInfoRef WithShape(StructInfoRef arg) {
    if (const auto* tuple = arg->As<ir::TupleInfo>()) {
      std::vector<StructInfoRef> fields;
      for (StructInfoRef field : tuple->fields) {
        // One level, as in written calls; deeper tuples may share their parts without bound.
        fields.push_back(field->As<ir::TupleInfo>() == nullptr ? WithShape(field) : field);
      }
      return d_.ir.Tuple(std::move(fields));
    }
    if (const auto* prim = arg->As<ir::PrimInfo>()) {
      if (prim->value != nullptr) return arg;
      const ir::PrimRef value = d_.ir.NewVar("_", prim->dtype);
      d_.ir.MakeSigned(value);
      return d_.ir.Prim(prim->dtype, value);
    }
    if (const auto* shape = arg->As<ir::ShapeInfo>()) {
      return shape->values || !Opens(shape->ndim) ? arg : d_.ir.Shape(NewDims(shape->ndim));
    }
    const auto* tensor = arg->As<ir::TensorInfo>();
    if (tensor == nullptr || !Opens(tensor->ndim)) return arg;
    if (!std::holds_alternative<std::monostate>(tensor->shape)) return arg;
    ir::TensorInfo shaped = *tensor;
    shaped.shape = NewDims(tensor->ndim);
    return d_.ir.Make(ir::StructInfo::Node(std::move(shaped)));
  }

  // Larger than the rank of any tensor: limits the number of variables for a hostile ndim.
  static bool Opens(int ndim) { return ndim > 0 && ndim <= 64; }

  std::vector<ir::PrimRef> NewDims(int ndim) {
    std::vector<ir::PrimRef> dims;
    dims.reserve(ndim);
    for (int i = 0; i < ndim; ++i) dims.push_back(d_.ir.NewVar("_"));
    return dims;
  }

  // Rule 14.2.6.
  bool CheckArgument(size_t i) {
    if (args_[i].guess) return true;
    const Facts facts = d_.facts();
    if (IsSubtype(facts, shaped_args_[i], (*fitted_.params)[i]) == Tri::kYes) return true;
    StructInfoRef param = (*known_.params)[i];
    std::string why;
    const Tri answer = IsSubtype(facts, args_[i].info, param, &why);
    if (answer == Tri::kYes) return true;
    const std::string name = ShowOperand(d_.module, call_.args[i]);
    const auto* var = call_.args[i].As<ir::ValueId>();
    const std::string source = var == nullptr ? "arg" : name;
    const std::string cast =
        absl::StrCat(var == nullptr ? "bind it as arg, then cast it: " : "cast it first: ", source,
                     "1 = R.match_cast(", source, ", ", d_.Show(param), ")");
    if (answer == Tri::kUnknown || IsMatchedByCallee(args_[i].info, param)) {
      NoteParam(d_, call_, i,
                (d_.Warning(loc_, "possibly-incompatible")
                 << Subject(i, name) << " may not be " << d_.Show(param) << ": " << why)
                    .Help(cast));
      return true;
    }
    DiagnosticBuilder error = d_.Error(loc_, "argument-mismatch");
    error << Subject(i, name) << " is " << d_.Show(args_[i].info) << ", but " << d_.Show(param)
          << " is expected: " << why << Sources(i);
    // The info of a function of the module is complete, so no cast can refine it.
    const bool castable = call_.args[i].As<ir::GlobalId>() == nullptr;
    if (castable && IsSubtype(facts, param, args_[i].info) != Tri::kNo) {
      NoteParam(d_, call_, i, std::move(error).Help(cast));
    } else {
      NoteParam(d_, call_, i, std::move(error));
    }
    return false;
  }

  // A PrimFunc matches the shapes of its buffers when it is called, and a function that TVM's
  // VMShapeLower went through those of its parameters. After that pass only the ranks and dtypes of
  // computed tensors are known.
  bool IsMatchedByCallee(StructInfoRef arg, StructInfoRef param) {
    const auto* id = std::get_if<ir::GlobalId>(&call_.callee);
    if (id == nullptr) return false;
    const ir::Global& global = d_.module.globals[*id];
    const ir::Function* f = global.function();
    if (global.prim_func() == nullptr && (f == nullptr || !IsForcePure(*f))) return false;
    const auto* tensor = arg->As<ir::TensorInfo>();
    const auto* shape = arg->As<ir::ShapeInfo>();
    const bool open = tensor != nullptr ? std::holds_alternative<std::monostate>(tensor->shape)
                                        : shape != nullptr && !shape->values;
    return open && IsSubtype(d_.facts(), param, arg) != Tri::kNo;
  }

  Derived WrongCount(size_t wanted) {
    d_.Error(loc_, "wrong-argument-count")
        << "'" << ShowCallee(d_.module, call_) << "' takes " << wanted << " argument"
        << (wanted == 1 ? "" : "s") << ", but is called with " << args_.size();
    return d_.Guess();
  }

  // Returns the values that other arguments give to the shape variables of parameter `i`.
  std::string Sources(size_t i) const {
    std::string text;
    for (ir::PrimRef var : FreeVars(callee_params_[i])) {
      const auto source = bound_by_.find(var);
      if (source == bound_by_.end() || source->second == i) continue;
      absl::StrAppend(&text, text.empty() ? "; " : ", ", ir::ToString(var), " is ",
                      ir::ToString(bound_.at(var)), " by argument ", source->second + 1);
    }
    return text;
  }

  std::string Subject(size_t i, const std::string& name) const {
    return absl::StrCat("argument ", i + 1, " of '", ShowCallee(d_.module, call_), "', '", name,
                        "',");
  }

  Derivation& d_;
  const ir::Call& call_;
  const Location& loc_;
  std::vector<Derived> args_;
  std::vector<StructInfoRef> shaped_args_;
  std::vector<StructInfoRef> callee_params_;
  ShapeVarMap bound_;                                  // shape variables of the callee
  absl::flat_hash_map<ir::PrimRef, size_t> bound_by_;  // the first argument that binds each
  ir::FuncInfo known_;                                 // the callee, instantiated by the arguments
  ir::FuncInfo fitted_;  // and with fresh variables for the remaining ones
};

}  // namespace

Derived DeriveCall(Derivation& d, const ir::Call& call, const Location& loc) {
  if (call.op() != nullptr) return DeriveOpCall(d, call, loc);
  const Derived callee = Callee(d, call);
  if (callee.guess && callee.info->As<ir::FuncInfo>() == nullptr) return d.Guess();
  const auto* func = callee.info->As<ir::FuncInfo>();
  if (func == nullptr) {
    DiagnosticBuilder error = d.Error(loc, "not-a-function");
    error << "'" << ShowCallee(d.module, call) << "' is called, but it is " << d.Show(callee.info)
          << ", not a function";
    if (callee.info->As<ir::ObjectInfo>() != nullptr) {
      std::move(error).Help(absl::StrCat("cast it first: f = R.match_cast(",
                                         ShowCallee(d.module, call), ", R.Callable(...))"));
    }
    return d.Guess();
  }
  CheckPurity(d, call, IsPureCallee(callee.info), loc);
  Derived result = func->params ? ClosureCall(d, call, loc).Derive(callee.info)
                                : Derived{DerivePacked(d, *func, call)};
  result.guess |= callee.guess;
  return d.Limited(result, loc);
}

}  // namespace lathe::analysis
