#include "generator/analysis/derive/derive_struct_info.h"

#include "generator/analysis/call_graph.h"
#include "generator/analysis/derive/derivation.h"
#include "generator/analysis/derive/derive_function.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/support/match.h"

namespace lathe::analysis {

void DeriveStructInfo(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  // Functions are derived callees first, but their diagnostics are reported in source order.
  IdVector<ir::GlobalId, Diagnostics> found(module.globals.size());
  Derivation d(context, module, diags);

  // Rule 1: annotated signatures are known before any body is derived.
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::GlobalId id{i};
    d.diags = &found[id];
    d.globals[id] = Match(
        module.globals[id].def, [&](const ir::Function& f) { return DeriveSignature(d, f); },
        [&](const ir::PrimFunc& f) { return Derived{DerivePrimFunc(context, f)}; },
        [&](const ir::ExternFunc& f) { return Derived{DeriveExternFunc(context, f)}; });
  }

  // A function without a return annotation is known only after its body, so its callees come first.
  // Within a cycle of functions it is a guess until then.
  const CallGraph graph(module);
  for (ir::GlobalId id : graph.callees_first()) {
    ir::Function* f = module.globals[id].function();
    if (f == nullptr) continue;
    d.diags = &found[id];
    const Derived derived = d.Limited(DeriveFunction(d, *f, module.globals[id].name), f->ret_loc);
    // With an annotation the info is unchanged, except for the names of its variables.
    if (f->ret == nullptr) {
      d.globals[id] = derived;
    } else {
      f->info = d.globals[id].info;
    }
  }
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    for (const Diagnostic& problem : found[ir::GlobalId{i}].all()) diags.Add(problem);
  }
}

}  // namespace lathe::analysis
