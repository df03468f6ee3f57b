// Parameters of a routine that is made for the arguments of its calls.
#ifndef LATHE_LOWER_INPUT_LIKE_H_
#define LATHE_LOWER_INPUT_LIKE_H_

#include <string>

#include "generator/lower/lowering.h"

namespace lathe::lower {

// An input of the structure of `form`, whose sizes and numbers are new variables.
Form InputLike(Lowering& all, const Form& form, const std::string& name);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_INPUT_LIKE_H_
