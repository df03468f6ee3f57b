// What becomes of each sum of a product, whatever made it.
#ifndef LATHE_EMIT_CUDA_PRINT_FINISH_H_
#define LATHE_EMIT_CUDA_PRINT_FINISH_H_

#include "absl/status/status.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/template.h"
#include "generator/ir/launch.h"

namespace lathe::emit {

// A function of a row, a column and the sum there: its parameters and its body.
absl::Status PrintFinish(CScope& scope, const ir::TiledProduct& product, TileFunctions& functions,
                         TemplateValue::Dict& t);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_FINISH_H_
