#include "generator/emit/cuda/print_teams.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_host_size.h"
#include "generator/emit/cuda/print_strided_loop.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::emit {
absl::StatusOr<GridText> PrintTeams(CScope& scope, const std::vector<ir::GridAxis>& axes, int team,
                                    absl::FunctionRef<absl::Status()> row, LineWriter& out) {
  GridText text;
  const std::string block = team > kWarp ? absl::StrCat(team) : "LATHE_BLOCK";
  text.head = absl::StrCat("__global__ void __launch_bounds__(", block, ")");
  if (axes.empty()) {
    LATHE_RETURN_IF_ERROR(row());
    text.ways = {{"", "", "1", absl::StrCat(team)}};
    return text;
  }
  const std::string number = absl::StrCat("<", team, ">()");
  const LoopShare teams = {absl::StrCat("lathe_team", number), absl::StrCat("lathe_teams", number)};
  LATHE_ASSIGN_OR_RETURN(const CText count, PrintStridedLoop(scope, axes, teams, row, out));
  text.ways = {{"", "", absl::StrCat("lathe_row_blocks(", count.text, ", ", team, ")"), block}};
  return text;
}

absl::StatusOr<GridText> PrintColumns(CScope& scope, const ir::TeamRows& rows,
                                      absl::FunctionRef<absl::Status()> row, LineWriter& out) {
  scope.needs.headers.insert("\"lathe/columns.h\"");
  const std::string threads = absl::StrCat(rows.across * rows.team);
  const std::string type = scope.wide ? "int64_t" : "int32_t";
  const std::string as = scope.wide ? "" : "(int32_t)";
  const ir::PrimRef count = CountOf(scope, rows.rows);
  if (!scope.wide && analysis::BoundsOf(scope.ir, count, scope.ranges).hi > kMaxNarrow) {
    scope.must_be_wide = true;
  }
  LATHE_ASSIGN_OR_RETURN(const CText counted, PrintCIndexValue(scope, count));
  const bool direct = rows.rows.size() == 1 && nest::IsNumber(rows.rows[0].min, 0);
  const std::string at = direct ? scope.names.Unique(ir::ToString(rows.rows[0].var)).str() : "at";
  const std::string first = scope.names.Unique("first");
  const std::string thread = scope.names.Unique(ir::ToString(rows.thread));
  const std::string of = absl::StrCat("(", first, ", ", counted.In(kTernary), ");");
  out.Line("using Columns = lathe_columns<", rows.across, ", ", rows.team, ">;");
  out.Line("for (", type, " ", first, " = ", as, "Columns::first(); ", first, " < ",
           counted.In(kOrder + 1), "; ", first, " += ", as, "Columns::step()) {");
  {
    LineWriter::Indent in(out);
    out.Line("const ", type, " ", at, " = Columns::own", of);
    out.Line("const ", type, " ", thread, " = Columns::thread", of);
    scope.vars[rows.thread] = {thread, ir::DType::Int(scope.wide ? 64 : 32)};
    scope.ranges.Bound(rows.thread, {0, rows.team - 1});
    for (const ir::GridAxis& axis : rows.rows) BoundAxis(scope, axis);
    if (direct) {
      NameAxis(scope, rows.rows[0], at);
    } else {
      LATHE_RETURN_IF_ERROR(PrintAxes(scope, rows.rows, at, out));
    }
    LATHE_RETURN_IF_ERROR(row());
  }
  out.Line("}");
  LATHE_ASSIGN_OR_RETURN(const std::string total, PrintHostSize(scope, count));
  GridText text;
  text.head = absl::StrCat("__global__ void __launch_bounds__(", threads, ")");
  text.ways = {
      {"", "", absl::StrCat("lathe_tiles(1, ", total, ", ", rows.across, ", 1, 1)"), threads}};
  return text;
}

}  // namespace lathe::emit
