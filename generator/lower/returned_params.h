// Omits outputs of a routine that always are one of its parameters, written in place. They need no
// output and no copy.
#ifndef LATHE_LOWER_RETURNED_PARAMS_H_
#define LATHE_LOWER_RETURNED_PARAMS_H_

#include <vector>

#include "generator/lower/lowering.h"

namespace lathe::lower {

// Removes such fields from the result of `signature`, which is the signature of `f`.
void RemoveReturnedParams(const Lowering& lowering, ir::GlobalId id, const ir::Function& f,
                          Signature& signature);

// Returns the info of a call's result with empty tuples in place of returned parameters.
ir::StructInfoRef WithoutReturnedParams(ir::Context& context, const Signature& signature,
                                        ir::StructInfoRef result);

// Puts the arguments of returned parameters back into `result`, the form of a call's result.
// `is_tuple` states whether the callee returns a tuple.
void InsertReturnedParams(const Signature& signature, const std::vector<Form>& args, bool is_tuple,
                          Form& result);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_RETURNED_PARAMS_H_
