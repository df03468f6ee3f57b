#include "generator/emit/cuda/print_group_product.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_finish.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/text/render_named.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::MatrixAxis;
using ir::MatrixLayout;

class GroupPrinter {
 public:
  GroupPrinter(CScope& scope, const ir::TiledProduct& product)
      : scope_(scope), product_(product), functions_(scope, product.cores) {}

  absl::StatusOr<GridText> Print(LineWriter& out) {
    scope_.needs.headers.insert("\"lathe/wgmma_tiles.h\"");
    scope_.needs.headers.insert("\"lathe/matrix_maps.h\"");
    for (const auto* axes : {&product_.batch, &product_.rows, &product_.columns, &product_.depth}) {
      for (const ir::GridAxis& axis : *axes) BoundAxis(scope_, axis);
    }
    const std::string index = functions_.index();
    tile_ = functions_.UniqueName("Tile");
    TemplateValue::Dict t;
    for (const char* name : {"by_row_map", "by_column_map", "by_row", "by_column", "finish_of"}) {
      t[name] = functions_.UniqueName(name);
    }
    t["Tile"] = tile_;
    t["index"] = index;
    LATHE_ASSIGN_OR_RETURN(t["batch_count"], functions_.Count(product_.batch));
    LATHE_ASSIGN_OR_RETURN(t["row_count"], functions_.Count(product_.rows));
    LATHE_ASSIGN_OR_RETURN(t["column_count"], functions_.Count(product_.columns));
    LATHE_ASSIGN_OR_RETURN(t["depth_count"], functions_.Count(product_.depth));
    const std::string row_map = *t["by_row_map"].As<std::string>();
    const std::string column_map = *t["by_column_map"].As<std::string>();
    LATHE_ASSIGN_OR_RETURN(GridText text, Ways(row_map, column_map));
    LATHE_ASSIGN_OR_RETURN(const LinearAxes batch, functions_.AsParameter(product_.batch, "batch"));
    const ir::GroupProduct& groups = *product_.groups;
    t["by_row_parts"] = Parts(groups.by_row, product_.by_row, row_map, batch);
    t["by_column_parts"] = Parts(groups.by_column, product_.by_column, column_map, batch);
    LATHE_ASSIGN_OR_RETURN(const std::string finish, PrintFinish(scope_, product_, functions_));
    t["finish"] = finish;
    const std::string apart = TileFunctions::Needed(batch.declarations, finish);
    t["batch"] = std::string(absl::StripSuffix(absl::StripSuffix(apart, finish), "\n"));
    t["has_batch"] = apart != finish;
    t["batch_param"] = product_.batch.empty()
                           ? functions_.index()
                           : TileFunctions::Param(functions_.index(), batch.name, apart);
    LATHE_ASSIGN_OR_RETURN(const std::string body,
                           RenderNamed("cuda/group_product.cu.tmpl", {{"t", t}}));
    out.Append(body);
    return text;
  }

 private:
  std::string TypeOf(const ir::GroupTile& tile) const {
    const absl::string_view name = SmallFloatName(*product_.cores);
    return absl::StrCat("lathe_wgmma_tile<lathe_", name.empty() ? "s8" : name, "_products, ",
                        tile.rows, ", ", tile.columns, ", ", tile.stages, ">");
  }

  // Returns an operand that is loaded through the tensor map `map`:
  // lathe_mapped_along_depth<1>(by_row_map, [=](int32_t b, int32_t *axes) { axes[0] = b; })
  std::string Parts(const MatrixLayout& place, const ir::ProductFactor& factor,
                    const std::string& map, const LinearAxes& batch) const {
    const size_t count = place.axes.size() - 2;
    std::string body;
    for (size_t i = 0; i < count; ++i) {
      absl::StrAppend(&body, i == 0 ? "" : " ", "axes[", i, "] = (int32_t)",
                      scope_.vars.at(place.axes[i + 2].var).name, ";");
    }
    body = TileFunctions::Needed(batch.declarations, body);
    const std::string param = product_.batch.empty()
                                  ? functions_.index()
                                  : TileFunctions::Param(functions_.index(), batch.name, body);
    std::vector<std::string> lines = absl::StrSplit(body, '\n');
    const std::string inside = count == 0 ? "}"
                               : lines.size() == 1
                                   ? absl::StrCat(" ", body, " }")
                                   : absl::StrCat("\n  ", absl::StrJoin(lines, "\n  "), "\n}");
    return absl::StrCat("lathe_mapped_along_", factor.along_depth ? "depth" : "lines", "<", count,
                        ">(", map, ", ", count == 0 ? "[](" : "[=](", param,
                        count == 0 ? ", int32_t *) {" : ", int32_t *axes) {", inside, ")");
  }

  // Returns the host declaration that describes an operand in memory:
  // const lathe_matrices rows = {a, LATHE_ALONG_DEPTH, 3, {64, m, n}, {1, 64, m * 64}};
  absl::StatusOr<std::string> Matrices(const MatrixLayout& place, const ir::ProductFactor& factor,
                                       const std::string& name) const {
    std::string first = scope_.buffers.at(place.buffer);
    if (!nest::IsNumber(place.start, 0)) {
      LATHE_ASSIGN_OR_RETURN(const std::string start, HostValue(place.start, kSum + 1));
      absl::StrAppend(&first, " + ", start);
    }
    std::vector<std::string> extents, strides;
    for (const MatrixAxis& axis : place.axes) {
      LATHE_ASSIGN_OR_RETURN(extents.emplace_back(), HostValue(axis.extent, 0));
      LATHE_ASSIGN_OR_RETURN(strides.emplace_back(), HostValue(axis.stride, 0));
    }
    return absl::StrCat("const lathe_matrices ", name, " = {", first, ", LATHE_ALONG_",
                        factor.along_depth ? "DEPTH" : "LINES", ", ", place.axes.size(), ", {",
                        absl::StrJoin(extents, ", "), "}, {", absl::StrJoin(strides, ", "), "}};");
  }

  absl::StatusOr<GridText> Ways(const std::string& row_map, const std::string& column_map) {
    const ir::GroupProduct& groups = *product_.groups;
    GridText text;
    text.head = absl::StrCat("template <typename ", tile_,
                             ">\n__global__ void LATHE_HOPPER_BOUNDS(", tile_, "::threads)");
    for (const std::string& map : {row_map, column_map}) {
      text.own_params.push_back(absl::StrCat("const __grid_constant__ CUtensorMap ", map));
    }
    const std::string rows = functions_.UniqueName("row_matrices"),
                      columns = functions_.UniqueName("column_matrices");
    LATHE_ASSIGN_OR_RETURN(text.names.emplace_back(),
                           Matrices(groups.by_row, product_.by_row, rows));
    LATHE_ASSIGN_OR_RETURN(text.names.emplace_back(),
                           Matrices(groups.by_column, product_.by_column, columns));
    LATHE_ASSIGN_OR_RETURN(const auto counts, functions_.HostCounts(product_));
    for (const ir::GroupTile& tile : groups.tiles) {
      const std::string tiles = TileFunctions::Tiles(counts, tile.rows, tile.columns);
      GridWay way;
      if (tile.at_least > 0) way.condition = absl::StrCat(tiles, " >= ", tile.at_least);
      way.function = absl::StrCat("lathe_launch_wgmma<", TypeOf(tile), ">");
      way.instance = absl::StrCat("<", TypeOf(tile), ">");
      way.factors = {rows, columns};
      way.blocks = tiles;
      text.ways.push_back(std::move(way));
    }
    return text;
  }

  // Returns `e` as a host expression of the scalar parameters of the kernel.
  absl::StatusOr<std::string> HostValue(ir::PrimRef e, int outer) const {
    CScope host = scope_;
    host.sizes.clear();  // variables that only the kernel declares
    LATHE_ASSIGN_OR_RETURN(const CText text, PrintCIndexValue(host, e));
    return text.In(outer);
  }

  CScope& scope_;
  const ir::TiledProduct& product_;
  TileFunctions functions_;
  std::string tile_;
};

}  // namespace

absl::StatusOr<GridText> PrintGroupProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out) {
  return GroupPrinter(scope, product).Print(out);
}

}  // namespace lathe::emit
