// The memory of a model as templates are given it: the arena, or the pools that stand for it.
#ifndef LATHE_EMIT_C_POOL_VIEW_H_
#define LATHE_EMIT_C_POOL_VIEW_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/emit/text/template.h"
#include "generator/plan/plan.h"

namespace lathe::emit {

// What routines call things of their own: no pool can be called so.
inline constexpr absl::string_view kRoutineNames[] = {"m",      "in",      "out",    "frame_size",
                                                      "status", "externs", "again",  "weights",
                                                      "top",    "end",     "region", "kept"};

// Those, the pools, and the size of the last.
std::vector<std::string> NamesOfRoutines(const plan::Plan& plan);

// Whether `name` can be a member and a variable in C as it stands.
bool CanNamePool(absl::string_view name);

// Adds to the view of the model `name`: `pools`, of which the last is the one that grows when
// `open`, `has_pools`, whether they have names of the user's own, and `arena`, `arena_macro` and
// `align_macro`, what that last one, its size and its alignment are called; `memory`, what init is
// given of variables that are called like this.
void AddPools(const plan::Plan& plan, const std::string& name, bool open,
              TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_POOL_VIEW_H_
