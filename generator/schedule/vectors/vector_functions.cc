#include "generator/schedule/vectors/vector_functions.h"

namespace lathe::schedule {
namespace {

constexpr VectorFunction kFunctions[] = {
    {"fabs", "abs", 1}, {"abs", "abs", 1},   {"sqrt", "sqrt", 1}, {"rsqrt", "rsqrt", 1},
    {"exp", "exp", 1},  {"tanh", "tanh", 1}, {"erf", "erf", 1},   {"sigmoid", "sigmoid", 1},
};

}  // namespace

const VectorFunction* FindVectorFunction(absl::string_view name, size_t arity) {
  for (const VectorFunction& function : kFunctions) {
    if (function.name == name && function.arity == arity) return &function;
  }
  return nullptr;
}

}  // namespace lathe::schedule
