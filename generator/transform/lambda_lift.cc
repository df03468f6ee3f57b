#include "generator/transform/lambda_lift.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/each_body.h"
#include "generator/ops/ops.h"
#include "generator/transform/captures.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/copy_body.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/global_names.h"

namespace lathe::transform {
namespace {

using ir::GlobalId;
using ir::Operand;
using ir::ValueId;

// The replacement of a lifted function: its calls become calls of `function` with these extra
// arguments.
struct Lifted {
  GlobalId function;
  std::vector<Operand> captured;
};

class Lifting {
 public:
  Lifting(ir::Context& context, ir::Module& module)
      : context_(context), module_(module), names_(module), replacement_(context, module) {}

  void Run() {
    // Lifted functions are appended and visited later.
    for (int32_t i = 0; i < std::ssize(module_.globals); ++i) {
      if (module_.globals[GlobalId{i}].function() == nullptr) continue;
      ir::Function f = std::move(*module_.globals[GlobalId{i}].function());
      global_ = module_.globals[GlobalId{i}].name;
      const analysis::ShapeScope::Mark mark = scope_.Enter();
      for (ValueId param : f.params) Add(module_.values[param].annotation);
      In(f.body);
      scope_.Leave(mark);
      module_.globals[GlobalId{i}].def = std::move(f);
    }
    DropClosuresOnlyCalled();
  }

 private:
  void Add(ir::StructInfoRef info) {
    if (info == nullptr) return;
    for (ir::PrimRef var : analysis::BindingVars(info)) scope_.Add(var);
  }

  void In(ir::Body& body) {
    const analysis::ShapeScope::Mark mark = scope_.Enter();
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> kept;
      for (ir::Binding& binding : block.bindings) {
        replacement_.In(binding);
        CallDirectly(binding.rhs);
        if (const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) Add(cast->info);
        if (auto* f = std::get_if<ir::Function>(&binding.rhs)) {
          Lift(binding, *f, kept);
          continue;
        }
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
        kept.push_back(std::move(binding));
      }
      block.bindings = std::move(kept);
    }
    replacement_.In(body.result);
    ConsolidateBlocks(body);
    scope_.Leave(mark);
  }

  // Rewrites calls of lifted functions in `rhs` and in nested bodies.
  void CallDirectly(ir::Rhs& rhs) {
    if (auto* call = std::get_if<ir::Call>(&rhs)) {
      const auto* id = std::get_if<ValueId>(&call->callee);
      const auto it = id == nullptr ? lifted_.end() : lifted_.find(*id);
      if (it == lifted_.end()) return;
      call->callee = it->second.function;
      call->args.insert(call->args.end(), it->second.captured.begin(), it->second.captured.end());
    }
    ForEachBody(rhs, [&](ir::Body& body) { CallDirectly(body); });
  }
  void CallDirectly(ir::Body& body) {
    ForEachBinding(body, [&](ir::Block&, ir::Binding& binding) {
      if (std::holds_alternative<ir::Call>(binding.rhs)) CallDirectly(binding.rhs);
    });
  }

  void Lift(ir::Binding& binding, ir::Function& f, std::vector<ir::Binding>& kept) {
    const ValueId self = binding.var;
    const Captures captures = CapturesOf(context_, module_, f, self, scope_);
    const GlobalId id = MakeGlobal(binding, f, captures);
    Lifted lifted{id, {}};
    for (ValueId value : captures.values) lifted.captured.push_back(Operand{value});
    if (!captures.unbound_shape_vars.empty()) {
      lifted.captured.push_back(Operand{ir::ShapeExpr{captures.unbound_shape_vars}});
    }
    if (lifted.captured.empty()) {
      replacement_.Set(self, Operand{id});
      return;
    }
    // The closure is kept until all its calls are known.
    MakeClosure(self, lifted, binding.loc, kept);
    lifted_[self] = std::move(lifted);
  }

  // Binds `var` to the closure, cast to the info of the function, so that it can be called and
  // passed on.
  void MakeClosure(ValueId var, const Lifted& lifted, const Location& loc,
                   std::vector<ir::Binding>& out) {
    ir::Value made = module_.values[var];
    absl::StrAppend(&made.name, "0");
    made.annotation = nullptr;
    made.info = context_.Object();
    ir::StructInfoRef info = module_.values[var].info;
    const ValueId closure = module_.values.Add(std::move(made));
    ir::Call call;
    call.callee = ops::FindOp("relax.make_closure");
    call.args = {Operand{lifted.function}, Operand{ir::TupleExpr{lifted.captured}}};
    out.push_back({closure, std::move(call), loc});
    out.push_back({var, ir::MatchCast{Operand{closure}, info, loc}, loc});
    closures_[var] = closure;
  }

  GlobalId MakeGlobal(const ir::Binding& binding, const ir::Function& f, const Captures& captures) {
    Replacement inside(context_, module_);
    RenameShapeVars(context_, module_, f, inside);
    for (ir::PrimRef var : captures.shape_vars) {
      if (inside.In(var) != var) continue;  // used in the function itself
      inside.Set(var, context_.NewVarLike(var));
    }
    ir::Function global;
    const auto add = [&](ir::Value value) {
      value.dataflow = false;
      global.params.push_back(module_.values.Add(std::move(value)));
      return Operand{global.params.back()};
    };
    for (ValueId param : f.params) {
      ir::Value value = module_.values[param];
      inside.In(value);
      inside.Set(param, add(std::move(value)));
    }
    Lifted itself{GlobalId{static_cast<int32_t>(module_.globals.size())}, {}};
    for (size_t i = 0; i < captures.values.size(); ++i) {
      ir::Value value = module_.values[captures.values[i]];
      value.annotation = value.info = inside.In(captures.infos[i]);
      itself.captured.push_back(add(std::move(value)));
      inside.Set(captures.values[i], itself.captured.back());
    }
    if (!captures.unbound_shape_vars.empty()) {
      ir::ShapeExpr shape{captures.unbound_shape_vars};
      for (ir::PrimRef& var : shape.values) var = inside.In(var);
      ir::Value value;
      value.name = "sizes";
      value.annotation = value.info = context_.Shape(shape.values);
      value.loc = value.annotation_loc = binding.loc;
      add(std::move(value));
      itself.captured.push_back(Operand{std::move(shape)});
    }
    global.ret = inside.In(f.ret);
    global.ret_loc = f.ret_loc;
    global.pure = f.pure;
    global.attrs = f.attrs;
    global.body = CopyBody(context_, module_, f, inside);
    const std::string name =
        module_.values[binding.var].name;  // a copy: the table may be reallocated
    CallItself(global.body, binding, itself, inside);
    return module_.globals.Add(
        {names_.Unique(absl::StrCat(global_, "_", name)), std::move(global), binding.loc});
  }

  // In the lifted function, the variable of `binding` refers to the function itself.
  void CallItself(ir::Body& body, const ir::Binding& binding, const Lifted& itself,
                  Replacement& inside) {
    lifted_[binding.var] = itself;
    CallDirectly(body);
    lifted_.erase(binding.var);
    if (itself.captured.empty()) {
      Replacement replacement(context_, module_);
      replacement.Set(binding.var, Operand{itself.function});
      return replacement.In(body);
    }
    // A separate closure, removed again if unused.
    ir::Value value = module_.values[binding.var];
    value.dataflow = false;
    inside.In(value);
    const ValueId self = module_.values.Add(std::move(value));
    Replacement replacement(context_, module_);
    replacement.Set(binding.var, Operand{self});
    replacement.In(body);
    ir::Block front;
    MakeClosure(self, itself, binding.loc, front.bindings);
    body.blocks.insert(body.blocks.begin(), std::move(front));
    ConsolidateBlocks(body);
  }

  // Removing one closure may make another one unused.
  void DropClosuresOnlyCalled() {
    while (true) {
      const Uses uses = CountUses(module_);
      absl::flat_hash_set<ValueId> dropped;
      for (const auto& [var, closure] : closures_) {
        if (uses[var] == 0) dropped.insert({var, closure});
      }
      if (dropped.empty()) return;
      ForEachFunction(module_, [&](ir::Function& f) { Drop(f.body, dropped); });
      for (ValueId var : dropped) closures_.erase(var);
    }
  }

  void Drop(ir::Body& body, const absl::flat_hash_set<ValueId>& dropped) {
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> kept;
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { Drop(inner, dropped); });
        if (!dropped.contains(binding.var)) kept.push_back(std::move(binding));
      }
      block.bindings = std::move(kept);
    }
    ConsolidateBlocks(body);
  }

  ir::Context& context_;
  ir::Module& module_;
  GlobalNames names_;
  Replacement replacement_;
  analysis::ShapeScope scope_;
  std::string global_;  // the name of the current function
  absl::flat_hash_map<ValueId, Lifted> lifted_;
  absl::flat_hash_map<ValueId, ValueId> closures_;  // by the variable that the closure is cast to
};

}  // namespace

void LambdaLift(ir::Context& context, ir::Module& module) { Lifting(context, module).Run(); }

}  // namespace lathe::transform
