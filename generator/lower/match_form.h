// Decides whether a value can match its declared structural information.
#ifndef LATHE_LOWER_MATCH_FORM_H_
#define LATHE_LOWER_MATCH_FORM_H_

#include <string>

#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/lower/match_sizes.h"

namespace lathe::lower {

// Returns false if `form` differs from `info` in more than sizes. The sizes are added to `match`
// and named `what`.
bool MatchForm(const ir::Program& program, const Form& form, ir::StructInfoRef info,
               const std::string& what, SizeMatch& match);

// Returns whether a value can match both infos, ignoring sizes.
bool AreCompatible(ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_MATCH_FORM_H_
