// What the derivation rules share: Γ, Σ, the function at hand, where problems go. One function
// derives each kind of expression (derive_*.h); they meet in derive_struct_info.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVATION_H_
#define LATHE_ANALYSIS_DERIVE_DERIVATION_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/analysis/facts.h"
#include "generator/analysis/shape_scope.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// An expression's info. A guess stands where the right one is not known because of an error that
// was reported: what only follows from it is not reported again.
struct Derived {
  ir::StructInfoRef info = nullptr;
  bool guess = false;
};

// Infos that nest deeper than this are refused: every walk over them may recurse this far.
inline constexpr int kMaxInfoDepth = 500;
// Likewise bodies within bodies.
inline constexpr int kMaxBodyDepth = 500;

class Derivation {
 public:
  Derivation(ir::Context& ir, ir::Module& module, Diagnostics& diags);

  // Γ for variables. One that is not in scope, because the program is not well-formed, gives a
  // guess.
  void Bind(ir::ValueId id, Derived derived);
  void Unbind(ir::ValueId id);
  Derived Lookup(ir::ValueId id) const;

  Derived Guess() { return {ir.Object(), true}; }
  Facts facts() const { return {ir, module, shape_scope, assumptions}; }
  ir::StructInfoRef Erase(ir::StructInfoRef info);
  // `written` as Γ holds it: the function infos in it get variables of their own, R.Tensor(s) the
  // rank of s; and what breaks a rule of scope or rank, which is reported elsewhere, is mended.
  ir::StructInfoRef Own(ir::StructInfoRef written);
  // What the propagation of devices makes of `info` when it is bound to, or returned as, `wanted`:
  // a tensor that nobody has said the device of lies on the one that is wanted.
  ir::StructInfoRef OnDevicesOf(ir::StructInfoRef info, ir::StructInfoRef wanted);
  // `derived` itself, or a guess after an error when its info nests too deep.
  Derived Limited(Derived derived, const Location& loc);

  std::string Show(ir::StructInfoRef info) const { return analysis::Show(facts(), info); }
  const std::string& NameOf(ir::ValueId id) const { return module.values[id].name; }
  DiagnosticBuilder Error(const Location& loc, absl::string_view code) {
    return diags->Error(loc, code);
  }
  DiagnosticBuilder Warning(const Location& loc, absl::string_view code) {
    return diags->Warning(loc, code);
  }

  ir::Context& ir;
  ir::Module& module;
  Diagnostics* diags;
  ShapeScope shape_scope;
  Assumptions assumptions;
  IdVector<ir::GlobalId, Derived> globals;  // Γ for the functions of the module

  // The innermost function around.
  struct Function {
    const ir::Function* def = nullptr;
    std::string name;
    bool in_dataflow = false;
  };
  Function function;
  int body_depth = 0;

 private:
  // Fields that tuples share are walked once: `done` has what each tuple met so far became.
  using RankedTuples = absl::flat_hash_map<ir::StructInfoRef, ir::StructInfoRef>;
  ir::StructInfoRef WithRanks(ir::StructInfoRef written, RankedTuples& done);
  int DepthOf(ir::StructInfoRef info);

  struct Known {
    bool in_scope = false;
    bool guess = false;
  };
  IdVector<ir::ValueId, Known> known_;
  absl::flat_hash_map<ir::StructInfoRef, int> depths_;
};

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVATION_H_
