#include "generator/transform/reduce/reduce_program.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/ir/each_body.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/canonicalize_bindings.h"
#include "generator/transform/dead_code_elimination.h"
#include "generator/transform/inline_private_functions.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/reduce/extract_bindings.h"
#include "generator/transform/reduce/minimize_set.h"
#include "generator/transform/reduce/reduce_constants.h"
#include "generator/transform/reduce/reductions.h"

namespace lathe::transform {
namespace {

// Checks the program and derives its infos.
bool IsWellFormed(ir::Context& context, ir::Module& module) {
  Diagnostics diags;
  analysis::CheckWellFormed(context, module, diags);
  if (!diags.has_errors()) analysis::DeriveStructInfo(context, module, diags);
  if (!diags.has_errors()) analysis::CheckWellFormedWithInfos(context, module, diags);
  return !diags.has_errors();
}

class ReductionSearch {
 public:
  ReductionSearch(ir::Context& context, const ir::Module& module, const ReduceCallbacks& callbacks)
      : context_(context), callbacks_(callbacks), best_(module) {
    ir::Module derived = module;
    keeps_rules_ = IsWellFormed(context, derived);
    if (keeps_rules_) best_ = std::move(derived);
  }

  ir::Module Run() {
    for (bool again = true; again && !Expired();) {
      again = false;
      if (keeps_rules_) {
        again |= Inline();
        again |= RemoveDead();
        again |= Extract();
        again |= UseParameters();
      }
      for (const Reduction& reduction : Reductions()) again |= AtEachPlace(reduction);
    }
    return std::move(best_);
  }

 private:
  bool Expired() const { return callbacks_.expired && callbacks_.expired(); }

  // Takes `next` as the best program if it fails.
  bool Try(ir::Module next) {
    if (Expired() || ir::BrokenInvariant(next)) return false;
    if (keeps_rules_) {
      MarkDataflowVars(next);  // values that were results may not be visible any more
      if (!IsWellFormed(context_, next)) return false;
    }
    if (!callbacks_.fails(next)) return false;
    best_ = std::move(next);
    return true;
  }

  bool Inline() {
    ir::Module next = best_;
    InlinePrivateFunctions(context_, next);
    return next.globals.size() < best_.globals.size() && Try(std::move(next));
  }

  bool RemoveDead() {
    ir::Module next = best_;
    CanonicalizeBindings(context_, next);
    DeadCodeElimination(context_, next);
    const bool smaller = CountAllBindings(next) < CountAllBindings(best_) ||
                         next.globals.size() < best_.globals.size();
    return smaller && Try(std::move(next));
  }

  // Calls `reduce` with each exported Relax function. They may become fewer, but keep their order.
  template <typename F>
  bool InEachExported(const F& reduce) {
    bool reduced = false;
    for (int32_t g = 0; g < std::ssize(best_.globals); ++g) {
      const ir::Global& global = best_.globals[ir::GlobalId{g}];
      if (global.function() != nullptr && (ir::IsExported(global) || best_.loose)) {
        reduced |= reduce(ir::GlobalId{g});
      }
    }
    return reduced;
  }

  // Keeps a subset of the bindings of each exported function.
  bool Extract() {
    return InEachExported([&](ir::GlobalId id) {
      const ir::Module whole = best_;
      const size_t count = CountBindings(*whole.globals[id].function());
      if (count < 2) return false;
      const std::vector<size_t> kept = MinimizeSet(count, [&](const std::vector<size_t>& subset) {
        ir::Module next = whole;
        return ExtractBindings(next, id, subset) && Try(std::move(next));
      });
      return kept.size() < count;
    });
  }

  // Makes constants parameters.
  bool UseParameters() {
    return InEachExported([&](ir::GlobalId id) {
      const ir::Module whole = best_;
      const std::vector<ir::ConstantId> constants = LargeConstants(whole, id);
      const auto without = [&](const std::vector<size_t>& subset) {
        std::vector<ir::ConstantId> replaced;
        size_t next = 0;
        for (size_t i = 0; i < constants.size(); ++i) {
          if (next < subset.size() && subset[next] == i) {
            ++next;
          } else {
            replaced.push_back(constants[i]);
          }
        }
        ir::Module changed = whole;
        ConstantsToParameters(context_, changed, id, replaced);
        return Try(std::move(changed));
      };
      if (constants.empty()) return false;
      if (without({})) return true;
      return MinimizeSet(constants.size(), without).size() < constants.size();
    });
  }

  bool AtEachPlace(const Reduction& reduction) {
    bool reduced = false;
    for (int place = 0; !Expired();) {
      ir::Module next = best_;
      const Reduced done = reduction.apply(context_, next, place);
      if (done == Reduced::kNoSuchPlace) break;
      if (done == Reduced::kChanged && Try(std::move(next))) {
        reduced = true;
      } else {
        ++place;
      }
    }
    return reduced;
  }

  ir::Context& context_;
  const ReduceCallbacks& callbacks_;
  ir::Module best_;
  bool keeps_rules_ = false;
};

}  // namespace

size_t CountAllBindings(const ir::Module& module) {
  size_t count = 0;
  ForEachFunction(module, [&](const ir::Function& f) {
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding&) { ++count; });
  });
  return count;
}

ir::Module ReduceProgram(ir::Context& context, const ir::Module& module,
                         const ReduceCallbacks& callbacks) {
  return ReductionSearch(context, module, callbacks).Run();
}

}  // namespace lathe::transform
