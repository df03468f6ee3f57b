#include "generator/emit/cuda/print_tiled_product.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_finish.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::GridAxis;
using ir::TileShape;

// Returns the name for tensor cores of `dtype` in lathe/cuda_mma.h.
absl::string_view CoresName(ir::DType dtype) {
  if (dtype == ir::DType::Float(32)) return "tf32";
  const absl::string_view small = SmallFloatName(dtype);
  return small.empty() ? "s8" : small;
}

class ProductPrinter {
 public:
  ProductPrinter(CScope& scope, const ir::TiledProduct& product)
      : scope_(scope), product_(product), functions_(scope, product.cores) {}

  absl::StatusOr<GridText> Print(LineWriter& out) {
    scope_.needs.headers.insert(product_.cores ? "\"lathe/mma_tiles.h\"" : "\"lathe/tiles.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string batch_count, functions_.Count(product_.batch));
    LATHE_ASSIGN_OR_RETURN(const std::string row_count, functions_.Count(product_.rows));
    LATHE_ASSIGN_OR_RETURN(const std::string column_count, functions_.Count(product_.columns));
    LATHE_ASSIGN_OR_RETURN(const std::string depth_count, functions_.Count(product_.depth));
    tile_ = UniqueName("Tile");
    LATHE_ASSIGN_OR_RETURN(GridText text, Ways());
    for (const auto* axes : {&product_.batch, &product_.rows, &product_.columns, &product_.depth}) {
      for (const GridAxis& axis : *axes) BoundAxis(scope_, axis);
    }
    TemplateValue::Dict t;
    for (const char* name :
         {"shared", "rows", "columns", "tiles", "place", "by_row", "by_column", "finish"}) {
      t[name] = UniqueName(name);
    }
    const std::string place = *t["place"].As<std::string>();
    t["at"] = "at";
    t["Tile"] = tile_;
    t["sum_tile"] = product_.cores ? "lathe_sum_mma_tile" : "lathe_sum_tile";
    t["index"] = functions_.index();
    t["is_fixed"] = product_.tiles.size() == 1;
    t["tile"] = TypeOf(product_.tiles[0].shape);
    t["row_count"] = row_count;
    t["column_count"] = column_count;
    const auto tiles = [&](const char* lines) {
      const std::string name = *t[lines].As<std::string>();
      const std::string of = absl::StrCat(tile_, "::", lines);
      return absl::StrCat("((", name, " + ", of, " - 1) / ", of, ")");
    };
    t["tile_count"] = absl::StrCat(batch_count == "1" ? "" : batch_count + " * ", tiles("rows"),
                                   " * ", tiles("columns"));
    t["has_batch"] = !product_.batch.empty();
    LATHE_ASSIGN_OR_RETURN(t["batch"], functions_.Delinearize(product_.batch, place + ".batch"));
    LATHE_RETURN_IF_ERROR(PrintFactors(product_, depth_count, functions_, t));
    LATHE_ASSIGN_OR_RETURN(t["finish_of"], PrintFinish(scope_, product_, functions_));
    LATHE_ASSIGN_OR_RETURN(const std::string body,
                           RenderNamed("cuda/tiled_product.cu.tmpl", {{"t", t}}));
    out.Append(body);
    return text;
  }

 private:
  std::string UniqueName(const std::string& name) { return functions_.UniqueName(name); }

  // Returns the end of __launch_bounds__, with the minimum number of blocks for each multiprocessor
  // if it is restricted. With tensor cores, a thread computes many elements or addresses of an
  // operand at a time, and 64-bit indices occupy two registers: more registers are faster than a
  // second block. Operands with vector alignment need few addresses.
  std::string Blocks() const {
    if (!product_.cores) return ")";
    if (product_.by_row.element == nullptr || product_.by_column.element == nullptr) return ", 1)";
    if (!product_.by_row.alignment || !product_.by_column.alignment) return ")";
    return scope_.wide ? ", 1)" : product_.cores->bits < 32 ? ", 2)" : ")";
  }

  std::string TypeOf(const TileShape& s) const {
    if (product_.cores) {
      return absl::StrCat("lathe_mma_tile<lathe_", CoresName(*product_.cores), "_cores, ", s.rows,
                          ", ", s.columns, ", ", s.each_row, ", ", s.each_column, ">");
    }
    return absl::StrCat("lathe_tile<", SumType(product_.sum_dtype), ", ", s.rows, ", ", s.columns,
                        ", ", s.depth, ", ", s.each_row, ", ", s.each_column, ">");
  }

  // Returns the launch configurations: the tile for each range of sizes.
  absl::StatusOr<GridText> Ways() {
    LATHE_ASSIGN_OR_RETURN(const auto counts, functions_.HostCounts(product_));
    GridText text;
    const bool fixed = product_.tiles.size() == 1;
    for (const ir::TileChoice& choice : product_.tiles) {
      const TileShape& shape = choice.shape;
      const std::string tiles = TileFunctions::Tiles(counts, shape.rows, shape.columns);
      GridWay way;
      if (choice.at_least > 0) way.condition = absl::StrCat(tiles, " >= ", choice.at_least);
      if (!fixed) way.instance = absl::StrCat("<", TypeOf(shape), ">");
      way.blocks = tiles;
      way.threads = absl::StrCat(shape.threads());
      text.ways.push_back(std::move(way));
    }
    const std::string threads =
        fixed ? absl::StrCat(product_.tiles[0].shape.threads()) : absl::StrCat(tile_, "::threads");
    text.head = absl::StrCat(fixed ? "" : absl::StrCat("template <typename ", tile_, ">\n"),
                             "__global__ void __launch_bounds__(", threads, Blocks());
    return text;
  }

  CScope& scope_;
  const ir::TiledProduct& product_;
  TileFunctions functions_;
  std::string tile_;
};

}  // namespace

absl::StatusOr<GridText> PrintTiledProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out) {
  return ProductPrinter(scope, product).Print(out);
}

}  // namespace lathe::emit
