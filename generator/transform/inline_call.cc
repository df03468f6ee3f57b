#include "generator/transform/inline_call.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/nonnegative_dims.h"
#include "generator/analysis/subtyping.h"
#include "generator/transform/copy_body.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

class Inlining {
 public:
  Inlining(ir::Context& context, ir::Module& module, const analysis::ShapeScope& bound,
           const ir::Function& f, const Location& loc)
      : context_(context),
        module_(module),
        bound_(bound),
        f_(f),
        loc_(loc),
        replacement_(context, module) {}

  std::optional<InlinedCall> Run(const ir::Call& call) {
    if (call.args.size() != f_.params.size() || !MapSignature(call)) return std::nullopt;
    InlinedCall inlined;
    std::vector<size_t> deferred;  // their types use variables that a later parameter binds
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (!Param(i, call.args[i], inlined.casts)) deferred.push_back(i);
    }
    for (size_t i : deferred) {
      if (!Param(i, call.args[i], inlined.casts)) return std::nullopt;
    }
    ir::Body body = CopyBody(context_, module_, f_, replacement_);
    inlined.blocks = std::move(body.blocks);
    StructInfoRef ret = replacement_.In(f_.ret);
    if (ret == nullptr || Accepted(body.result, ret)) {
      inlined.value = std::move(body.result);
    } else {
      inlined.value = ir::MatchCast{std::move(body.result), ret, f_.ret_loc};
    }
    return inlined;
  }

 private:
  // Binds shape variables of the signature from the arguments. The others get new variables, which
  // the casts bind.
  bool MapSignature(const ir::Call& call) {
    analysis::ShapeVarMap mapping;
    absl::flat_hash_set<PrimRef> own;
    for (size_t i = 0; i < f_.params.size(); ++i) {
      StructInfoRef formal = Annotation(i);
      if (formal == nullptr) continue;
      const auto* tensor = formal->As<ir::TensorInfo>();
      if (tensor != nullptr && tensor->shape_var() != nullptr) return false;
      for (PrimRef var : analysis::BindingVars(formal)) own.insert(var);
    }
    const auto unbound = [&](PrimRef var) { return own.contains(var); };
    for (size_t i = 0; i < f_.params.size(); ++i) {
      if (Annotation(i) == nullptr) continue;
      StructInfoRef actual = analysis::KnownInfo(context_, module_, call.args[i]);
      analysis::AddShapeVarMapping(Annotation(i), actual, unbound, mapping);
    }
    for (size_t i = 0; i < f_.params.size(); ++i) {
      if (Annotation(i) == nullptr) continue;
      for (PrimRef var : analysis::BindingVars(Annotation(i))) {
        const auto it = mapping.find(var);
        if (it != mapping.end()) {
          replacement_.Set(var, it->second);
        } else if (replacement_.In(var) == var) {
          PrimRef fresh = context_.NewVarLike(var);
          replacement_.Set(var, fresh);
          open_.insert(fresh);
        }
      }
    }
    return true;
  }

  StructInfoRef Annotation(size_t i) const { return module_.values[f_.params[i]].annotation; }

  // Returns false if the type of the parameter uses a variable that no cast has bound yet.
  bool Param(size_t i, const ir::Operand& arg, std::vector<ir::Binding>& casts) {
    StructInfoRef formal = replacement_.In(Annotation(i));
    if (formal == nullptr || (!MentionsOpen(formal) && Accepted(arg, formal))) {
      replacement_.Set(f_.params[i], arg);
      return true;
    }
    absl::flat_hash_set<PrimRef> bound;
    for (PrimRef var : analysis::BindingVars(formal)) bound.insert(var);
    for (PrimRef var : analysis::AllVars(formal)) {
      if (open_.contains(var) && !bound.contains(var)) return false;
    }
    for (PrimRef var : bound) open_.erase(var);
    ir::Value value = module_.values[f_.params[i]];
    value.dataflow = false;
    value.annotation = nullptr;
    value.info = formal;
    const ir::ValueId var = module_.values.Add(std::move(value));
    casts.push_back({var, ir::MatchCast{arg, formal, loc_}, loc_});
    replacement_.Set(f_.params[i], ir::Operand{var});
    return true;
  }

  // Returns whether `info` uses a variable that no cast has bound yet. In a cast before that one,
  // such a variable in a function type would belong to the function type.
  bool MentionsOpen(StructInfoRef info) const {
    for (PrimRef var : analysis::AllVars(info)) {
      if (open_.contains(var)) return true;
    }
    return false;
  }

  bool Accepted(const ir::Operand& operand, StructInfoRef where) const {
    const analysis::Assumptions none;
    const analysis::Facts facts{context_, module_, bound_, none};
    StructInfoRef known = analysis::KnownInfo(context_, module_, operand);
    return analysis::IsSubtype(facts, known, where) == ir::Tri::kYes &&
           analysis::HasNonNegativeDims(context_, known, where);
  }

  ir::Context& context_;
  ir::Module& module_;
  const analysis::ShapeScope& bound_;
  const ir::Function& f_;
  const Location& loc_;
  Replacement replacement_;
  absl::flat_hash_set<PrimRef> open_;
};

}  // namespace

std::optional<InlinedCall> InlineCall(ir::Context& context, ir::Module& module,
                                      const analysis::ShapeScope& bound, const ir::Call& call,
                                      const ir::Function& f, const Location& loc) {
  return Inlining(context, module, bound, f, loc).Run(call);
}

}  // namespace lathe::transform
