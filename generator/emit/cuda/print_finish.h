// What the sums of a product are made of and what becomes of them, whatever makes them.
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

// What becomes of sums of some rows and columns.
struct Finished {
  const std::vector<ir::GridAxis>& rows;
  const std::vector<ir::GridAxis>& columns;
  ir::BufferRef sum = nullptr;
  ir::DType sum_dtype;  // of the arithmetic
  const std::vector<ir::StmtRef>& finish;
  const std::optional<ir::VectorAlignment>& store_alignment;
};

// A function of a row, a column and the sum there that stores what becomes of it:
// [=](int32_t i, int32_t j, float sum) { ... }, or the place and the value apart, as
// lathe/results.h has them.
absl::StatusOr<std::string> PrintFinish(CScope& scope, const Finished& finished,
                                        TileFunctions& functions);
absl::StatusOr<std::string> PrintFinish(CScope& scope, const ir::TiledProduct& product,
                                        TileFunctions& functions);

// The factors, and the steps of the depth that a sum is of, `count` of them in all; axes of the
// batch have their names.
absl::Status PrintFactors(const ir::TiledProduct& product, const std::string& count,
                          TileFunctions& functions, TemplateValue::Dict& t);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_FINISH_H_
