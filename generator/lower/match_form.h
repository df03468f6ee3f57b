// Decides whether a lowered value can match its declared structural information.
#ifndef LATHE_LOWER_MATCH_FORM_H_
#define LATHE_LOWER_MATCH_FORM_H_

#include <string>

#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/lower/match_sizes.h"

namespace lathe::lower {

// Returns false if `form`, a lowered value (ir/form.h), cannot match `info` for any sizes: if
// kinds, dtypes, ranks or numbers of fields differ. Functions match every function info, and values
// of dynamic structure everything: they are checked at run time. Adds each pair of declared and
// actual sizes to `match`, which binds variables and compares the others. Failed checks name the
// value `what`: "dimension 0 of x". If it returns false, some pairs may have been added.
bool MatchForm(const ir::Program& program, const Form& form, ir::StructInfoRef info,
               const std::string& what, SizeMatch& match);

// As MatchForm, without sizes, for a form with choices: returns whether one of the options can
// match.
bool MayMatch(ir::Context& context, const ir::Program& program, const Form& form,
              ir::StructInfoRef info);

// Binds the unbound variables that are sizes in `info` to the sizes of `form`. A routine that is
// specialized for its arguments has tensors with sizes of their own, and compares them with the
// declared ones.
void SetDeclaredSizes(ir::Context& context, const ir::Program& program, const Form& form,
                      ir::StructInfoRef info, SizeMatch& match);

// Returns whether some value may match both infos, ignoring sizes. Two function infos always may.
bool AreCompatible(ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_MATCH_FORM_H_
