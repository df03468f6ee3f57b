// Adds the memory of a model to its template dictionary, with that of the state, which the caller
// stores between runs.
#ifndef LATHE_EMIT_C_STATE_VIEW_H_
#define LATHE_EMIT_C_STATE_VIEW_H_

#include "absl/strings/string_view.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// The functions of the API that only a model with a state has, without the model's name.
inline constexpr absl::string_view kStateFunctions[] = {"reset", "save_state", "load_state"};

// Adds the keys of AddPools (pool_view.h) and these to `view`:
// - `state_size`, `state_align`: bytes.
// - `state`: the variables, with the `text` of a comment.
// - `state_fills`: `at` and `bytes` of each range that reset fills, with a `byte`; or, if it
//   `has_lines`, with an array of `count` bytes that `repeats`, or that `has_runs` of each of its
//   elements of `width` bytes, to be read `from` there. They cover the state with the bytes
//   between variables, so that saved states are deterministic.
void AddMemory(const Model& model, bool open, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_STATE_VIEW_H_
