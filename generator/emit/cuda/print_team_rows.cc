#include "generator/emit/cuda/print_team_rows.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/cuda/print_teams.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

class RowsPrinter {
 public:
  RowsPrinter(CScope& scope, const ir::TeamRows& rows, LineWriter& out)
      : scope_(scope), rows_(rows), out_(out) {}

  absl::StatusOr<GridText> Print() {
    if (rows_.across > 1)
      return PrintColumns(
          scope_, rows_, [&] { return Steps(); }, out_);
    scope_.needs.headers.insert("\"lathe/rows.h\"");
    const std::string number = absl::StrCat("<", rows_.team, ">()");
    const std::string thread = scope_.names.Unique(ir::ToString(rows_.thread));
    const bool wide = scope_.wide;
    out_.Line("const ", wide ? "int64_t " : "int32_t ", thread, " = lathe_thread_of_team", number,
              ";");
    scope_.vars[rows_.thread] = {thread, ir::DType::Int(wide ? 64 : 32)};
    scope_.ranges.Bound(rows_.thread, {0, rows_.team - 1});
    return PrintTeams(
        scope_, rows_.rows, rows_.team, [&] { return Steps(); }, out_);
  }

 private:
  absl::Status Steps() {
    for (const ir::RowStep& step : rows_.steps) {
      if (step.body != nullptr) LATHE_RETURN_IF_ERROR(Body(step.body));
      for (const ir::TeamReduction& reduction : step.reductions) Reduce(reduction);
    }
    return absl::OkStatus();
  }

  absl::Status Body(ir::StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (ir::StmtRef child : seq->stmts) LATHE_RETURN_IF_ERROR(Body(child));
      return absl::OkStatus();
    }
    const auto* loop = stmt->As<ir::ForStmt>();
    if (loop != nullptr && loop->kind == ir::LoopKind::kUnrolled) out_.Line("LATHE_UNROLL");
    return PrintCStmt(scope_, stmt, false, out_);
  }

  void Reduce(const ir::TeamReduction& reduction) {
    const std::string value = scope_.buffers.at(reduction.value);
    const bool columns = rows_.across > 1;
    const std::string reduce = columns ? "Columns::reduce" : "lathe_reduce_team";
    const std::string how = absl::StrCat(
        "<", FoldName(reduction.fold), columns ? "" : absl::StrCat(", ", rows_.team), ">(", value);
    if (reduction.position != nullptr) {
      out_.Line(reduce, "_first", how, ", ", scope_.buffers.at(reduction.position), ");");
    } else {
      out_.Line(value, " = ", reduce, how, ");");
    }
  }

  CScope& scope_;
  const ir::TeamRows& rows_;
  LineWriter& out_;
};

}  // namespace

const char* FoldName(ir::Fold fold) {
  switch (fold) {
    case ir::Fold::kSum:
      return "lathe_fold_sum";
    case ir::Fold::kProduct:
      return "lathe_fold_product";
    case ir::Fold::kLargest:
      return "lathe_fold_largest";
    case ir::Fold::kSmallest:
      return "lathe_fold_smallest";
    case ir::Fold::kAny:
      return "lathe_fold_any";
    case ir::Fold::kAll:
      return "lathe_fold_all";
  }
  return "";
}

absl::StatusOr<GridText> PrintTeamRows(CScope& scope, const ir::TeamRows& rows, LineWriter& out) {
  return RowsPrinter(scope, rows, out).Print();
}

}  // namespace lathe::emit
