// What the sums of a product are made of and what becomes of them, whatever makes them.
#ifndef LATHE_EMIT_CUDA_PRINT_FINISH_H_
#define LATHE_EMIT_CUDA_PRINT_FINISH_H_

#include <string>

#include "absl/status/status.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/template.h"
#include "generator/ir/launch.h"

namespace lathe::emit {

// A function of a row, a column and the sum there: its parameters and its body.
absl::Status PrintFinish(CScope& scope, const ir::TiledProduct& product, TileFunctions& functions,
                         TemplateValue::Dict& t);

// The factors, and the steps of the depth that a sum is of, `count` of them in all; axes of the
// batch have their names.
absl::Status PrintFactors(const ir::TiledProduct& product, const std::string& count,
                          TileFunctions& functions, TemplateValue::Dict& t);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_FINISH_H_
