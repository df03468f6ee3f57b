// What a kernel tells the tiles of the runtime about itself: functions of a line and a place in the
// depth, as lambdas.
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

// Axes as one parameter of a function, and the lines that take it apart. A single one keeps its
// name.
struct WholeAxes {
  std::string name;
  std::string apart;
};

class TileFunctions {
 public:
  // `cores`: what tensor cores multiply, as it lies in memory.
  TileFunctions(CScope& scope, std::optional<ir::DType> cores) : scope_(scope), cores_(cores) {}

  // How many there are, as a factor of a product.
  absl::StatusOr<std::string> Count(const std::vector<ir::GridAxis>& axes);

  // One of `whole`, a variable, taken apart into axes; a single one is `whole`.
  absl::StatusOr<std::string> Apart(const std::vector<ir::GridAxis>& axes,
                                    const std::string& whole);
  absl::StatusOr<WholeAxes> AsOne(const std::vector<ir::GridAxis>& axes, const char* name);

  // The host, which knows the kernel's scalars alone, counts tiles of `rows` x `columns`:
  // lathe_tiles(batch, m, 64, n, 128)
  absl::StatusOr<std::vector<std::string>> HostCounts(const ir::TiledProduct& product) const;
  static std::string Tiles(const std::vector<std::string>& counts, int64_t rows, int64_t columns);

  // A factor as one of lathe/tiles.h.
  absl::StatusOr<std::string> Factor(const ir::ProductFactor& factor, const char* line,
                                     const char* depth);

  // Whether all of them are, as the kernel finds it: lathe_is_even(x, n * 64)
  absl::StatusOr<std::string> Even(const ir::VectorAlignment& places) const;

  // The steps of the depth that a sum is of, [first, end), and of a part the line that says where
  // it begins; `count` is how many there are in all. Axes of the batch have their names.
  struct Depth {
    std::string line, first, end;
  };
  absl::StatusOr<Depth> DepthOf(const ir::TiledProduct& product, const std::string& count);

  // `result` of places, and of what `more` declares: [=](int32_t i, int32_t k) { return ...; }
  std::string Function(const std::vector<WholeAxes>& params, const std::string& result,
                       const std::string& more = "") const;

  // How a function is given a sum, and the line that rounds it, where it is one of a small float.
  struct Given {
    std::string type, name;
    std::string rounding;
  };
  Given GiveSum(ir::BufferRef sum, ir::DType exact);

  // A parameter of a function, without its name where the body does not say it.
  static std::string Param(const std::string& type, const std::string& name,
                           const std::string& body);
  // Lines of `head` that `body` needs, the innermost first.
  static std::string Needed(const std::string& head, std::string body);

  // "int32_t", or "int64_t" where that is too narrow.
  std::string index() const { return scope_.wide ? "int64_t" : "int32_t"; }
  std::string Own(const std::string& name) { return scope_.names.Unique(name); }

 private:
  std::string NameOf(const ir::GridAxis& axis);
  absl::StatusOr<std::string> Number(ir::PrimRef value);
  absl::StatusOr<std::string> Stored(ir::PrimRef value);

  CScope& scope_;
  const std::optional<ir::DType> cores_;
};

// What sums of a dtype are added up as: integers as unsigned ones, which wrap around.
std::string SumType(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_TILE_FUNCTIONS_H_
