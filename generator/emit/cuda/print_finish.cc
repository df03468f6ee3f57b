#include "generator/emit/cuda/print_finish.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/emit/print_c_stmt.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::Status PrintFinish(CScope& scope, const ir::TiledProduct& product, TileFunctions& functions,
                         TemplateValue::Dict& t) {
  LATHE_ASSIGN_OR_RETURN(const WholeAxes row, functions.AsOne(product.rows, "row"));
  LATHE_ASSIGN_OR_RETURN(const WholeAxes column, functions.AsOne(product.columns, "column"));
  const TileFunctions::Given sum = functions.GiveSum(product.sum, product.sum_dtype);
  LineWriter lines(2);
  for (ir::StmtRef stmt : product.finish) {
    LATHE_RETURN_IF_ERROR(PrintCStmt(scope, stmt, false, lines));
  }
  const std::string stored(absl::StripSuffix(lines.text(), "\n"));
  const std::string body = sum.rounding + TileFunctions::Needed(row.apart + column.apart, stored);
  const std::string index = functions.index();
  t["finish_params"] =
      absl::StrCat(TileFunctions::Param(index, row.name, body), ", ",
                   TileFunctions::Param(index, column.name, body), ", ", sum.type, " ", sum.name);
  t["finish_body"] = body;
  return absl::OkStatus();
}

absl::Status PrintFactors(const ir::TiledProduct& product, const std::string& count,
                          TileFunctions& functions, TemplateValue::Dict& t) {
  LATHE_ASSIGN_OR_RETURN(const TileFunctions::Depth depth, functions.DepthOf(product, count));
  t["has_parts"] = !depth.line.empty();
  t["part"] = depth.line;
  t["first"] = depth.first;
  t["end"] = depth.end;
  LATHE_ASSIGN_OR_RETURN(t["by_row_elements"], functions.Factor(product.by_row, "row", "k"));
  LATHE_ASSIGN_OR_RETURN(t["by_column_elements"],
                         functions.Factor(product.by_column, "column", "k"));
  return absl::OkStatus();
}

}  // namespace lathe::emit
