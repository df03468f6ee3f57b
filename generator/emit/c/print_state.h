// Prints the pointers of a routine to the variables that live between runs.
#ifndef LATHE_EMIT_C_PRINT_STATE_H_
#define LATHE_EMIT_C_PRINT_STATE_H_

#include <string>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/print_moves.h"

namespace lathe::emit {

// The member of the model, and the local variable of a routine, for the memory of the state.
inline constexpr char kStateMember[] = "state";

// A pointer to a variable: "float *const acc = (float *)(void *)&state[16u];".
struct StatePointer {
  std::string name;
  std::string line;
};

// Chooses the names of the variables of `routine` and adds them to `moves`.
std::vector<StatePointer> NameState(const Model& model, const ir::Routine& routine, CScope& scope,
                                    MovePrinter& moves);

// Returns the definitions of the pointers that `body` mentions.
std::string StatePointers(const std::vector<StatePointer>& pointers, const std::string& body);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_STATE_H_
