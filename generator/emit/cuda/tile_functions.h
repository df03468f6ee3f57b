// Prints the lambdas through which a kernel describes its operands and results to the tile
// templates of the runtime. A lambda takes the line of an operand and the position along the depth,
// the axis that is summed over.
//
//   lathe_neighbours_along_depth<float>(
//       [=](int32_t i, int32_t k) { return &x[i * 64 + k]; },
//       [](float element) { return element; })
#ifndef LATHE_EMIT_CUDA_TILE_FUNCTIONS_H_
#define LATHE_EMIT_CUDA_TILE_FUNCTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"
#include "generator/ir/device/launch.h"

namespace lathe::emit {

// Several axes as one parameter of a lambda.
struct WholeAxes {
  std::string name;   // the parameter; for a single axis, the name of the axis
  std::string apart;  // the declarations of the axes in terms of `name`; empty for a single axis
};

// Prints the lambdas of one kernel. Fails on expressions that cannot be printed as C.
class TileFunctions {
 public:
  // `cores`: the dtype that tensor cores multiply, without conversion. nullopt: no tensor cores.
  TileFunctions(CScope& scope, std::optional<ir::DType> cores) : scope_(scope), cores_(cores) {}

  // Returns the number of points of `axes`, as an operand of a C multiplication.
  absl::StatusOr<std::string> Count(const std::vector<ir::GridAxis>& axes);

  // Returns the declarations of `axes` in terms of the variable `whole`, their linear index. Names
  // the axes in the scope. A single axis is a copy of `whole`.
  absl::StatusOr<std::string> Apart(const std::vector<ir::GridAxis>& axes,
                                    const std::string& whole);
  // Returns `axes` as one parameter, called `name` if there are several. Names the axes in the
  // scope.
  absl::StatusOr<WholeAxes> AsOne(const std::vector<ir::GridAxis>& axes, const char* name);

  // Returns the numbers of batches, rows and columns of `product` as host expressions. The host has
  // the scalar parameters of the kernel only.
  absl::StatusOr<std::vector<std::string>> HostCounts(const ir::TiledProduct& product) const;
  // Returns the number of tiles of `rows` x `columns`; `counts` are those of HostCounts:
  // lathe_tiles(batch, m, 64, n, 128)
  static std::string Tiles(const std::vector<std::string>& counts, int64_t rows, int64_t columns);

  // Returns `factor` as an operand type of lathe/tiles.h. `line` and `depth` are the names of its
  // parameters.
  absl::StatusOr<std::string> Factor(const ir::ProductFactor& factor, const char* line,
                                     const char* depth);

  // Returns the kernel's check that all accesses of `places` are aligned: lathe_is_even(x, n * 64)
  absl::StatusOr<std::string> Even(const ir::VectorAlignment& places) const;

  // The range [first, end) of the depth that one sum covers. `line` declares the variable `first`;
  // it is empty if the depth is not split into parts.
  struct Depth {
    std::string line, first, end;
  };
  // Returns the range of the depth for `product`. `count` is the whole depth, as a C expression.
  // The batch axes must have names in the scope.
  absl::StatusOr<Depth> DepthOf(const ir::TiledProduct& product, const std::string& count);

  // Returns a lambda that computes `result` from `params` and the parameters declared by `more`:
  // [=](int32_t i, int32_t k) { return ...; }
  std::string Function(const std::vector<WholeAxes>& params, const std::string& result,
                       const std::string& more = "") const;

  // The parameter by which a lambda receives a sum.
  struct Given {
    std::string type, name;
    std::string rounding;  // the line that rounds it to a small float; empty for other dtypes
  };
  // Returns the parameter for `sum` and names the buffer in the scope. `exact` is the dtype of the
  // accumulator.
  Given GiveSum(ir::BufferRef sum, ir::DType exact);

  // Returns the declaration of a parameter, without its name if `body` does not use it.
  static std::string Param(const std::string& type, const std::string& name,
                           const std::string& body);
  // Returns `body` after those declarations in `head` that it needs directly or indirectly.
  static std::string Needed(const std::string& head, std::string body);

  // Returns the type of indices: "int32_t", or "int64_t" if 32 bits are too narrow.
  std::string index() const { return scope_.wide ? "int64_t" : "int32_t"; }
  // Returns a unique name in the kernel that begins with `name`.
  std::string Own(const std::string& name) { return scope_.names.Unique(name); }

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
