// Whether a value can be what a program says that it is.
#ifndef LATHE_LOWER_MAY_BE_H_
#define LATHE_LOWER_MAY_BE_H_

#include <string>

#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/lower/match_sizes.h"

namespace lathe::lower {

// False where `form` differs from `info` in more than sizes; those go to `match`, as those of
// `what`.
bool MayBe(const ir::Program& program, const Form& form, ir::StructInfoRef info,
           const std::string& what, SizeMatch& match);

// Whether a value can be of both infos, sizes aside.
bool MayBeSame(ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_MAY_BE_H_
