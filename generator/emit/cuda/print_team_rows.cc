#include "generator/emit/cuda/print_team_rows.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/cuda/print_turns.h"
#include "generator/emit/print_c_expr.h"
#include "generator/emit/print_c_stmt.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// Threads of a warp.
constexpr int kWarp = 32;

const char* NameOf(ir::Fold fold) {
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

class RowsPrinter {
 public:
  RowsPrinter(CScope& scope, const ir::TeamRows& rows, LineWriter& out)
      : scope_(scope), rows_(rows), out_(out) {}

  absl::StatusOr<GridText> Print() {
    scope_.needs.headers.insert("\"lathe/rows.h\"");
    const std::string number = absl::StrCat("<", rows_.team, ">()");
    const std::string thread = scope_.names.Unique(ir::ToString(rows_.thread));
    const bool wide = scope_.wide;
    out_.Line("const ", wide ? "int64_t " : "int32_t ", thread, " = lathe_thread_of_team", number,
              ";");
    scope_.vars[rows_.thread] = {thread, ir::DType::Int(wide ? 64 : 32)};
    scope_.ranges.Bound(rows_.thread, {0, rows_.team - 1});
    GridText text;
    const std::string block = rows_.team > kWarp ? absl::StrCat(rows_.team) : "LATHE_BLOCK";
    text.head = absl::StrCat("__global__ void __launch_bounds__(", block, ")");
    if (rows_.rows.empty()) {
      LATHE_RETURN_IF_ERROR(Steps());
      text.ways = {{"", "", "1", absl::StrCat(rows_.team)}};
      return text;
    }
    const Takers teams = {absl::StrCat("lathe_team", number), absl::StrCat("lathe_teams", number)};
    LATHE_ASSIGN_OR_RETURN(const CText count,
                           PrintTurns(
                               scope_, rows_.rows, teams, [&] { return Steps(); }, out_));
    text.ways = {
        {"", "", absl::StrCat("lathe_row_blocks(", count.text, ", ", rows_.team, ")"), block}};
    return text;
  }

 private:
  absl::Status Steps() {
    for (const ir::RowStep& step : rows_.steps) {
      if (step.body != nullptr) LATHE_RETURN_IF_ERROR(Body(step.body));
      for (const ir::Meeting& meeting : step.meetings) Meet(meeting);
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

  void Meet(const ir::Meeting& meeting) {
    const std::string value = scope_.buffers.at(meeting.value);
    const std::string how = absl::StrCat("<", NameOf(meeting.fold), ", ", rows_.team, ">(", value);
    if (meeting.position != nullptr) {
      out_.Line("lathe_meet_first", how, ", ", scope_.buffers.at(meeting.position), ");");
    } else {
      out_.Line(value, " = lathe_meet", how, ");");
    }
  }

  CScope& scope_;
  const ir::TeamRows& rows_;
  LineWriter& out_;
};

}  // namespace

absl::StatusOr<GridText> PrintTeamRows(CScope& scope, const ir::TeamRows& rows, LineWriter& out) {
  return RowsPrinter(scope, rows, out).Print();
}

}  // namespace lathe::emit
