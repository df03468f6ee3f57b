// Adds the memory of a model to its template dictionary: the arena, or the pools that replace it.
#ifndef LATHE_EMIT_C_POOL_VIEW_H_
#define LATHE_EMIT_C_POOL_VIEW_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/emit/text/template.h"
#include "generator/plan/plan.h"

namespace lathe::emit {

// The names that routines use for their own variables. No pool may have one of them.
inline constexpr absl::string_view kRoutineNames[] = {"m",      "in",      "out",    "frame_size",
                                                      "status", "externs", "again",  "weights",
                                                      "top",    "end",     "region", "kept"};

// Returns kRoutineNames, the names of the pools, and the name of the variable for the size of the
// last pool.
std::vector<std::string> NamesOfRoutines(const plan::Plan& plan);

// Returns true if `name` is usable unchanged as a member and a variable in C.
bool CanNamePool(absl::string_view name);

// Adds these keys to `view`, the dictionary of the model `name`:
// - `pools`: a list of the pools. If `open`, the last one has a dynamic size. `start` is the
//   variable for the memory of a pool in a program that calls the model.
// - `has_pools`: true if the user specified the pools.
// - `arena`, `arena_start`, `arena_macro`, `align_macro`: the names of the last pool, of the
//   variable for its memory, of the macro for its size, and of the macro for its alignment.
// - `has_state`: true if init also takes the memory of a state.
// - `memory`: the arguments that pass the memory to init. `state` is the variable for the memory of
//   the state.
void AddPools(const plan::Plan& plan, const std::string& name, bool open,
              TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_POOL_VIEW_H_
