// Results of a routine that always are one of its parameters, which it has written in place: they
// need no output, and no copy.
#ifndef LATHE_LOWER_RETURNED_PARAMS_H_
#define LATHE_LOWER_RETURNED_PARAMS_H_

#include <vector>

#include "generator/lower/lowering.h"

namespace lathe::lower {

// Takes from the result of `signature`, which is that of `f`, what is a parameter.
void TakeReturned(const Lowering& all, ir::GlobalId id, const ir::Function& f,
                  Signature& signature);

// What is known of the result of a call, with empty tuples in place of what is a parameter.
ir::StructInfoRef WithoutReturned(ir::Context& context, const Signature& signature,
                                  ir::StructInfoRef result);

// Puts the arguments of a call in those places.
void PutReturned(const Signature& signature, const std::vector<Form>& args, bool is_tuple,
                 Form& result);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_RETURNED_PARAMS_H_
