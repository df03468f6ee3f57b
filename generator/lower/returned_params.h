// Omits outputs of a routine that always are one of its parameters, written in place. They need no
// output and no copy.
#ifndef LATHE_LOWER_RETURNED_PARAMS_H_
#define LATHE_LOWER_RETURNED_PARAMS_H_

#include <vector>

#include "generator/lower/lowering.h"

namespace lathe::lower {

// Replaces such fields in the result of `signature`, the signature of `f`, by Nothing, and sets
// `signature.returned` to their parameters. `id` names `f` in `lowering`. The number of fields is
// unchanged.
void RemoveReturnedParams(const Lowering& lowering, ir::GlobalId id, const ir::Function& f,
                          Signature& signature);

// Returns `result`, the info of a call's result, with empty tuples in place of such fields, so that
// no memory is allocated for them.
ir::StructInfoRef WithoutReturnedParams(ir::Context& context, const Signature& signature,
                                        ir::StructInfoRef result);

// Replaces such fields of `result`, the lowered result of a call (ir/form.h), by the arguments for
// their parameters. `is_tuple` states whether the callee returns a tuple; otherwise `result` is the
// only field.
void InsertReturnedParams(const Signature& signature, const std::vector<Form>& args, bool is_tuple,
                          Form& result);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_RETURNED_PARAMS_H_
