#include "generator/emit/cuda/print_scan_rows.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/cuda/print_team_rows.h"
#include "generator/emit/cuda/print_teams.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

class ScanPrinter {
 public:
  ScanPrinter(CScope& scope, const ir::ScanRows& scan, LineWriter& out)
      : scope_(scope), scan_(scan), out_(out), functions_(scope, std::nullopt) {}

  absl::StatusOr<GridText> Print() {
    scope_.needs.headers.insert("\"lathe/scans.h\"");
    LATHE_ASSIGN_OR_RETURN(length_, functions_.Count({scan_.along}));
    return PrintTeams(
        scope_, scan_.rows, scan_.team, [&] { return Row(); }, out_);
  }

 private:
  absl::Status Row() {
    LATHE_ASSIGN_OR_RETURN(const LinearAxes k, functions_.AsParameter({scan_.along}, "k"));
    LATHE_ASSIGN_OR_RETURN(const CText term, PrintCNumber(scope_, scan_.term));
    LATHE_ASSIGN_OR_RETURN(const CText first, PrintCNumber(scope_, scan_.init));
    const std::string term_name = functions_.UniqueName("term"),
                      put_name = functions_.UniqueName("put");
    const TileFunctions::SumParameter so_far = functions_.DeclareSum(scan_.so_far, scan_.dtype);
    LineWriter store(2);
    LATHE_RETURN_IF_ERROR(PrintCStmt(scope_, scan_.store, false, store));
    out_.Line("const auto ", term_name, " = ", functions_.Function({k}, term.text), ";");
    out_.Line("const auto ", put_name, " = [=](", functions_.index(), " ", k.name, ", ",
              so_far.type, " ", so_far.name, ") {");
    {
      LineWriter::Indent in(out_);
      for (absl::string_view line :
           absl::StrSplit(so_far.rounding + store.text(), '\n', absl::SkipEmpty())) {
        out_.Line(line);
      }
    }
    out_.Line("};");
    out_.Line("lathe_scan_row<", FoldName(scan_.fold), ", ", SumType(scan_.dtype), ", ", scan_.team,
              ", ", scan_.each, ">((", functions_.index(), ")", length_, ", (",
              SumType(scan_.dtype), ")", first.In(kPrefix), ", ", term_name, ", ", put_name, ");");
    return absl::OkStatus();
  }

  CScope& scope_;
  const ir::ScanRows& scan_;
  LineWriter& out_;
  TileFunctions functions_;
  std::string length_;
};

}  // namespace

absl::StatusOr<GridText> PrintScanRows(CScope& scope, const ir::ScanRows& scan, LineWriter& out) {
  return ScanPrinter(scope, scan, out).Print();
}

}  // namespace lathe::emit
