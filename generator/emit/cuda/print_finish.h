// Prints the parts that all kernels for matrix products have in common: the operands, and the
// epilogue that computes and stores a result from each sum.
#ifndef LATHE_EMIT_CUDA_PRINT_FINISH_H_
#define LATHE_EMIT_CUDA_PRINT_FINISH_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/text/template.h"
#include "generator/ir/device/launch.h"

namespace lathe::emit {

// The epilogue of the sums of some rows and columns.
struct Finished {
  const std::vector<ir::GridAxis>& rows;
  const std::vector<ir::GridAxis>& columns;
  ir::BufferRef sum = nullptr;                                // holds the sum in `finish`
  ir::DType sum_dtype;                                        // of the accumulator
  const std::vector<ir::StmtRef>& finish;                     // the statements of the epilogue
  const std::optional<ir::VectorAlignment>& store_alignment;  // nullopt: no vector stores
};

// Returns the epilogue as a lambda of a row, a column and their sum, which stores the result:
// [=](int32_t i, int32_t j, float sum) { ... }. With a store alignment, returns an object of
// lathe/cuda_results.h with separate lambdas for the address and the value.
absl::StatusOr<std::string> PrintFinish(CScope& scope, const Finished& finished,
                                        TileFunctions& functions);
// Returns the epilogue of `product`.
absl::StatusOr<std::string> PrintFinish(CScope& scope, const ir::TiledProduct& product,
                                        TileFunctions& functions);

// Adds the operands of `product` and the range of the depth that a sum covers to the template data
// `t`. `count` is the whole depth. The batch axes must have names in the scope.
absl::Status PrintFactors(const ir::TiledProduct& product, const std::string& count,
                          TileFunctions& functions, TemplateValue::Dict& t);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_FINISH_H_
