// Creates the parameters of a routine that is specialized for the arguments of its calls.
#ifndef LATHE_LOWER_INPUT_LIKE_H_
#define LATHE_LOWER_INPUT_LIKE_H_

#include <string>

#include "generator/lower/lowering.h"

namespace lathe::lower {

// Returns an input of the structure of `form`, with new variables for sizes and scalars.
Form InputLike(Lowering& lowering, const Form& form, const std::string& name);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_INPUT_LIKE_H_
