// Prints the C++ lambdas that a generated CUDA kernel passes to the tiled matrix product templates
// of lathe/cuda_tiles.h. For each factor a lambda returns the address of an element, and another
// one converts it. A *line* is a row of the left factor or a column of the right one; the *depth*
// is the reduction axis. For x[i * 64 + k]:
//
//   lathe_contiguous_along_depth<float>(
//       [=](int32_t i, int32_t k) { return &x[i * 64 + k]; },
//       [](float element) { return element; })
#ifndef LATHE_EMIT_CUDA_TILE_FUNCTIONS_H_
#define LATHE_EMIT_CUDA_TILE_FUNCTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/device/launch.h"

namespace lathe::emit {

// A lambda parameter that is the linear index of one or more axes.
struct LinearAxes {
  std::string name;          // of the parameter; for a single axis, the name of the axis
  std::string declarations;  // compute the axes from `name`; empty for a single axis
};

// Prints the lambdas of one kernel. Fails on expressions that cannot be printed as C.
class TileFunctions {
 public:
  // `cores`: the input dtype of the tensor cores. nullopt: the product does not use tensor cores.
  TileFunctions(CScope& scope, std::optional<ir::DType> cores) : scope_(scope), cores_(cores) {}

  // Returns the product of the extents of `axes`, as an operand of a C multiplication.
  absl::StatusOr<std::string> Count(const std::vector<ir::GridAxis>& axes);

  // Returns declarations that compute `axes` from the variable `linear`, their linear index. Names
  // the axes in the scope. A single axis is a copy of `linear`.
  absl::StatusOr<std::string> Delinearize(const std::vector<ir::GridAxis>& axes,
                                          const std::string& linear);
  // Returns one parameter for `axes`. It has the given name if there are several axes. Names the
  // axes in the scope.
  absl::StatusOr<LinearAxes> AsParameter(const std::vector<ir::GridAxis>& axes, const char* name);

  // Returns the numbers of batches, rows and columns of `product` as expressions for the host,
  // which uses only the scalar parameters of the kernel.
  absl::StatusOr<std::vector<std::string>> HostCounts(const ir::TiledProduct& product) const;
  // Returns the number of tiles of size `rows` x `columns`; `counts` is the result of HostCounts:
  // lathe_tiles(batch, m, 64, n, 128)
  static std::string Tiles(const std::vector<std::string>& counts, int64_t rows, int64_t columns);

  // Returns the constructor call of the operand of lathe/cuda_tiles.h that loads `factor`. `line`
  // and `depth` are the parameter names of its lambdas.
  absl::StatusOr<std::string> Factor(const ir::ProductFactor& factor, const char* line,
                                     const char* depth);

  // Returns a condition that all vector accesses of `places` are aligned:
  // lathe_runs_are_aligned(x, n * 64)
  absl::StatusOr<std::string> AlignmentCheck(const ir::VectorAlignment& places) const;

  // The range [first, end) of the depth that one block sums. `line` declares the variable `first`;
  // it is empty if the depth is not split among blocks.
  struct Depth {
    std::string line, first, end;
  };
  // Returns the range of the depth for `product`. `count` is the full depth, as a C expression.
  // The batch axes must have names in the scope.
  absl::StatusOr<Depth> DepthOf(const ir::TiledProduct& product, const std::string& count);

  // Returns a lambda with the body `result`, the parameters `params`, and the additional parameter
  // declarations `more`:
  // [=](int32_t i, int32_t k) { return ...; }
  std::string Function(const std::vector<LinearAxes>& params, const std::string& result,
                       const std::string& more = "") const;

  // The parameter of an epilogue lambda that receives the accumulated sum.
  struct SumParameter {
    std::string type, name;
    std::string rounding;  // the statement that rounds it to a 16-bit float; empty for other dtypes
  };
  // Returns the parameter for the buffer `sum`, and names the buffer in the scope. `exact` is the
  // dtype of the accumulator.
  SumParameter DeclareSum(ir::BufferRef sum, ir::DType exact);

  // Returns the declaration of a parameter, without its name if `body` does not use it.
  static std::string Param(const std::string& type, const std::string& name,
                           const std::string& body);
  // Prepends to `body` the declarations of `head` that it uses, directly or indirectly.
  static std::string Needed(const std::string& head, std::string body);

  // Returns the type of indices: "int32_t", or "int64_t" if 32 bits are too narrow.
  std::string index() const { return scope_.wide ? "int64_t" : "int32_t"; }
  // Returns a name that is unique in the kernel and starts with `name`.
  std::string UniqueName(const std::string& name) { return scope_.names.Unique(name); }

 private:
  std::string NameOf(const ir::GridAxis& axis);
  absl::StatusOr<std::string> Number(ir::PrimRef value);
  absl::StatusOr<std::string> Stored(ir::PrimRef value);

  CScope& scope_;
  const std::optional<ir::DType> cores_;
};

// Returns the C type in which sums of `dtype` are accumulated. Integers are accumulated as unsigned
// integers, which wrap around.
std::string SumType(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_TILE_FUNCTIONS_H_
