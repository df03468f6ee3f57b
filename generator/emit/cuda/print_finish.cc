#include "generator/emit/cuda/print_finish.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/final_store.h"
#include "generator/ir/map_children.h"
#include "generator/ir/program.h"
#include "generator/support/check.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {

namespace {

std::string Function(const std::string& params, const std::string& body) {
  const std::vector<std::string> lines = absl::StrSplit(body, '\n');
  if (lines.size() == 1) return absl::StrCat("[=](", params, ") { ", body, " }");
  return absl::StrCat("[=](", params, ") {\n  ", absl::StrJoin(lines, "\n  "), "\n}");
}

// Returns `stmt` with its store replaced by an assignment to a new variable `name`.
ir::StmtRef StoredInto(CScope& scope, ir::StmtRef stmt, const std::string& name) {
  const auto* store = stmt->As<ir::StoreStmt>();
  if (store == nullptr) {
    return ir::MapChildren(scope.ir, stmt,
                           [&](ir::StmtRef part) { return StoredInto(scope, part, name); });
  }
  ir::Buffer one;
  one.name = name;
  one.dtype = store->buffer->dtype;
  one.scope = ir::kRegisterScope;
  one.data = scope.ir.NewPointer(one.name, one.dtype, "local");
  const ir::BufferRef into = scope.ir.NewBuffer(std::move(one));
  scope.locals.insert(into);
  scope.buffers[into] = name;
  return scope.ir.Make(ir::StoreStmt{into, {}, store->value, nullptr}, stmt->loc());
}

}  // namespace

absl::StatusOr<std::string> PrintFinish(CScope& scope, const Finished& finished,
                                        TileFunctions& functions) {
  LATHE_ASSIGN_OR_RETURN(const LinearAxes row, functions.AsParameter(finished.rows, "row"));
  LATHE_ASSIGN_OR_RETURN(const LinearAxes column,
                         functions.AsParameter(finished.columns, "column"));
  const TileFunctions::SumParameter sum = functions.DeclareSum(finished.sum, finished.sum_dtype);
  const std::string result = functions.UniqueName("result");
  LineWriter lines(2);
  for (ir::StmtRef stmt : finished.finish) {
    if (finished.store_alignment) stmt = StoredInto(scope, stmt, result);
    LATHE_RETURN_IF_ERROR(PrintCStmt(scope, stmt, false, lines));
  }
  std::string stored(absl::StripSuffix(lines.text(), "\n"));
  if (finished.store_alignment) {
    const size_t at = stored.rfind(absl::StrCat(result, " = "));
    LATHE_CHECK(at != std::string::npos, "what is stored is no value");
    stored = absl::StrCat(stored.substr(0, at), "return ", stored.substr(at + result.size() + 3));
  }
  const std::string body =
      sum.rounding + TileFunctions::Needed(row.declarations + column.declarations, stored);
  const std::string index = functions.index();
  const std::string function = Function(
      absl::StrCat(TileFunctions::Param(index, row.name, body), ", ",
                   TileFunctions::Param(index, column.name, body), ", ", sum.type, " ", sum.name),
      body);
  if (!finished.store_alignment) return function;
  const ir::StoreStmt& store = *ir::FinalStore(finished.finish);
  LATHE_ASSIGN_OR_RETURN(const std::string place,
                         PrintCAddress(scope, store.buffer, store.indices));
  const std::string indented = absl::StrReplaceAll(function, {{"\n", "\n    "}});
  LATHE_ASSIGN_OR_RETURN(const std::string aligned,
                         functions.AlignmentCheck(*finished.store_alignment));
  return absl::StrCat("lathe_contiguous_results<", CType(store.buffer->dtype), ">(\n    ",
                      functions.Function({row, column}, place), ",\n    ", indented, ",\n    ",
                      aligned, ")");
}

absl::StatusOr<std::string> PrintFinish(CScope& scope, const ir::TiledProduct& product,
                                        TileFunctions& functions) {
  return PrintFinish(scope,
                     {product.rows, product.columns, product.sum, product.sum_dtype, product.finish,
                      product.store_alignment},
                     functions);
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
