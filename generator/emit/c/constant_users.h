// Finds the layers that read constants, for comments.
#ifndef LATHE_EMIT_C_CONSTANT_USERS_H_
#define LATHE_EMIT_C_CONSTANT_USERS_H_

#include <map>
#include <string>
#include <vector>

#include "generator/ir/program.h"

namespace lathe::emit {

// Returns the names of the tensors that kernels compute from each constant, in the order of the
// steps, each name once. The key is ir::ConstantId::index.
std::map<int32_t, std::vector<std::string>> ConstantUsers(const ir::Program& program);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_CONSTANT_USERS_H_
