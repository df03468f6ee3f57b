// Holds the state shared by the derivation rules: Γ (the infos of variables), Σ (the shape
// variables in scope), the current function and the diagnostics. One function derives each kind of
// expression (derive_*.h); derive_struct_info calls them all.
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

// The info of an expression. It is a guess if the correct info is unknown because of a reported
// error; errors that follow only from a guess are suppressed.
struct Derived {
  ir::StructInfoRef info = nullptr;
  bool guess = false;
};

// Infos nested deeper than this are rejected: every traversal of an info may recurse this far.
inline constexpr int kMaxInfoDepth = 500;
// The same limit for nested bodies.
inline constexpr int kMaxBodyDepth = 500;

class Derivation {
 public:
  Derivation(ir::Context& ir, ir::Module& module, Diagnostics& diags);

  // Γ for variables. A variable out of scope, in a program that is not well-formed, yields a guess.
  void Bind(ir::ValueId id, Derived derived);
  void Unbind(ir::ValueId id);
  Derived Lookup(ir::ValueId id) const;

  Derived Guess() { return {ir.Object(), true}; }
  Facts facts() const { return {ir, module, shape_scope, assumptions}; }
  ir::StructInfoRef Erase(ir::StructInfoRef info);
  // Converts an annotation to the form stored in Γ: function infos get variables of their own,
  // R.Tensor(s) gets the rank of s, and violations of scope or rank rules, which are reported
  // elsewhere, are repaired.
  ir::StructInfoRef Normalize(ir::StructInfoRef written);
  // Propagates devices from `wanted` to `info` where `info` is bound to, or returned as, `wanted`:
  // a tensor without a device gets the one of `wanted`.
  ir::StructInfoRef OnDevicesOf(ir::StructInfoRef info, ir::StructInfoRef wanted);
  // Returns `derived`, or reports an error and returns a guess if its info has more than 64
  // dimensions or is nested too deeply.
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

  // The innermost enclosing function.
  struct Function {
    const ir::Function* def = nullptr;
    std::string name;
    bool in_dataflow = false;
  };
  Function function;
  int body_depth = 0;

 private:
  // Shared tuple fields are visited once: `done` maps each visited tuple to its result.
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
