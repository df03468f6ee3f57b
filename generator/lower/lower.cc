#include "generator/lower/lower.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "generator/lower/lower_function.h"
#include "generator/lower/lowering.h"

namespace lathe::lower {

namespace {

// Which routines reach themselves, now that some calls are loops.
void MarkRecursion(ir::Program& program) {
  const int32_t count = static_cast<int32_t>(program.routines.size());
  IdVector<ir::RoutineId, absl::flat_hash_set<ir::RoutineId>> reached(program.routines.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (int32_t i = 0; i < count; ++i) {
      const ir::RoutineId id{i};
      ir::ForEachStep(program.routines[id].steps, [&](const ir::Step& step) {
        const auto* call = std::get_if<ir::CallStep>(&step.node);
        if (call == nullptr) return;
        changed |= reached[id].insert(call->routine).second;
        const auto further = reached[call->routine];
        for (ir::RoutineId next : further) changed |= reached[id].insert(next).second;
      });
    }
  }
  for (int32_t i = 0; i < count; ++i) {
    program.routines[ir::RoutineId{i}].recursive = reached[ir::RoutineId{i}].contains({i});
  }
}

}  // namespace

absl::StatusOr<ir::Program> Lower(ir::Context& context, const ir::Module& module,
                                  Diagnostics& diags) {
  // Each time one function more takes values of any structure: at most as often as there are some.
  for (Functions by_value;;) {
    Diagnostics found;
    Lowering all(context, module, found, by_value);
    for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
      const ir::Global& global = module.globals[ir::GlobalId{i}];
      if (global.function() == nullptr || !ir::IsExported(global)) continue;
      (void)all.SignatureOf(ir::GlobalId{i});
    }
    for (size_t i = 0; i < all.waiting.size() && !all.too_many; ++i) {
      const auto [id, signature] = all.waiting[i];
      LowerFunction(all, *signature, *module.globals[id].function());
    }
    if (all.too_many) {
      by_value.insert(*all.too_many);
      continue;
    }
    for (const Diagnostic& d : found.all()) diags.Add(d);
    MarkRecursion(all.program);
    if (all.failed) return absl::UnimplementedError("the module cannot be lowered");
    return std::move(all.program);
  }
}

}  // namespace lathe::lower
