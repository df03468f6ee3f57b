#include "generator/emit/cuda/print_vector_product.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_finish.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::emit {
namespace {

class VectorsPrinter {
 public:
  VectorsPrinter(CScope& scope, const ir::VectorProduct& vectors)
      : scope_(scope),
        product_(vectors.product),
        shape_(vectors.shape),
        along_depth_(vectors.matrix().along_depth),
        functions_(scope, std::nullopt) {}

  absl::StatusOr<GridText> Print(LineWriter& out) {
    scope_.needs.headers.insert("\"lathe/vectors.h\"");
    TemplateValue::Dict t;
    LATHE_ASSIGN_OR_RETURN(const std::string batch_count, functions_.Count(product_.batch));
    LATHE_ASSIGN_OR_RETURN(t["line_count"], functions_.Count(Lines()));
    LATHE_ASSIGN_OR_RETURN(const std::string depth_count, functions_.Count(product_.depth));
    LATHE_ASSIGN_OR_RETURN(GridText text, Ways());
    for (const auto* axes : {&product_.batch, &product_.rows, &product_.columns, &product_.depth}) {
      for (const ir::GridAxis& axis : *axes) BoundAxis(scope_, axis);
    }
    const std::string groups = functions_.UniqueName("groups");
    t["groups"] = groups;
    for (const char* name : {"Shape", "lines", "by_row", "by_column", "finish"}) {
      t[name] = functions_.UniqueName(name);
    }
    t["at"] = "at";
    t["shape"] = ShapeType();
    t["index"] = functions_.index();
    const bool has_batch = !product_.batch.empty();
    t["has_batch"] = has_batch;
    t["group_count"] = has_batch ? absl::StrCat(batch_count, " * ", groups) : groups;
    t["first_line"] = absl::StrCat("at", has_batch ? absl::StrCat(" % ", groups) : "", " * ",
                                   *t["Shape"].As<std::string>(), "::lines");
    LATHE_ASSIGN_OR_RETURN(t["batch"],
                           functions_.Delinearize(product_.batch, absl::StrCat("at / ", groups)));
    LATHE_RETURN_IF_ERROR(PrintFactors(product_, depth_count, functions_, t));
    t["matrix"] = t[shape_.of_rows ? "by_column" : "by_row"];
    t["vectors"] = t[shape_.of_rows ? "by_row" : "by_column"];
    t["multiply"] = along_depth_ ? "lathe_multiply_by_depth" : "lathe_multiply_contiguous_lines";
    LATHE_ASSIGN_OR_RETURN(t["finish_of"], PrintFinish(scope_, product_, functions_));
    LATHE_ASSIGN_OR_RETURN(const std::string body,
                           RenderNamed("cuda/vector_product.cu.tmpl", {{"t", t}}));
    out.Append(body);
    return text;
  }

 private:
  const std::vector<ir::GridAxis>& Lines() const {
    return shape_.of_rows ? product_.columns : product_.rows;
  }

  std::string ShapeType() const {
    const std::string all =
        absl::StrCat("<", SumType(product_.sum_dtype), ", ", shape_.of_rows ? "true" : "false",
                     ", ", shape_.vectors, ", ", shape_.width);
    if (!along_depth_) return absl::StrCat("lathe_contiguous_lines", all, ">");
    return absl::StrCat("lathe_lines_by_depth", all, ", ", shape_.lines, ", ", shape_.team, ">");
  }

  absl::StatusOr<GridText> Ways() {
    LATHE_ASSIGN_OR_RETURN(const auto counts, functions_.HostCounts(product_));
    const std::string& lines = counts[shape_.of_rows ? 2 : 1];
    // A group of lines counts as a tile that spans all columns.
    const std::string groups =
        absl::StrCat("lathe_tiles(", counts[0], ", ", lines, ", ", shape_.lines, ", 1, 1)");
    const std::string block = shape_.team > kWarp ? absl::StrCat(shape_.team) : "LATHE_BLOCK";
    GridText text;
    text.head = absl::StrCat("__global__ void __launch_bounds__(", block, ")");
    text.ways = {
        {"", "", absl::StrCat("lathe_row_blocks(", groups, ", ", shape_.team, ")"), block}};
    return text;
  }

  CScope& scope_;
  const ir::TiledProduct& product_;
  const ir::VectorShape& shape_;
  const bool along_depth_;
  TileFunctions functions_;
};

}  // namespace

absl::StatusOr<GridText> PrintVectorProduct(CScope& scope, const ir::VectorProduct& vectors,
                                            LineWriter& out) {
  return VectorsPrinter(scope, vectors).Print(out);
}

}  // namespace lathe::emit
