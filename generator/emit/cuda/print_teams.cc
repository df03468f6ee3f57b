#include "generator/emit/cuda/print_teams.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/emit/cuda/print_turns.h"
#include "generator/emit/print_c_expr.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// Threads of a warp.
constexpr int kWarp = 32;

}  // namespace

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
  const Takers teams = {absl::StrCat("lathe_team", number), absl::StrCat("lathe_teams", number)};
  LATHE_ASSIGN_OR_RETURN(const CText count, PrintTurns(scope, axes, teams, row, out));
  text.ways = {{"", "", absl::StrCat("lathe_row_blocks(", count.text, ", ", team, ")"), block}};
  return text;
}

}  // namespace lathe::emit
