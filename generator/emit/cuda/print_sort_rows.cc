#include "generator/emit/cuda/print_sort_rows.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/cuda/print_teams.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

class SortPrinter {
 public:
  SortPrinter(CScope& scope, const ir::SortRows& sort, LineWriter& out)
      : scope_(scope), sort_(sort), out_(out), functions_(scope, std::nullopt) {}

  absl::StatusOr<GridText> Print() {
    scope_.needs.headers.insert("\"lathe/sorts.h\"");
    LATHE_ASSIGN_OR_RETURN(length_, functions_.Count({sort_.along}));
    return PrintTeams(
        scope_, sort_.rows, sort_.threads, [&] { return Row(); }, out_);
  }

 private:
  absl::Status Row() {
    const ir::GridAxis other = {sort_.other, sort_.along.min, sort_.along.extent};
    LATHE_ASSIGN_OR_RETURN(const LinearAxes a, functions_.AsParameter({other}, "a"));
    LATHE_ASSIGN_OR_RETURN(const LinearAxes b, functions_.AsParameter({sort_.along}, "b"));
    LATHE_ASSIGN_OR_RETURN(const CText before, PrintCValue(scope_, sort_.before));
    LATHE_ASSIGN_OR_RETURN(const std::string order, PrintCAddress(scope_, sort_.order, sort_.at));
    const std::string before_name = functions_.UniqueName("before"),
                      order_name = functions_.UniqueName("order");
    out_.Line("const auto ", before_name, " = ", functions_.Function({a, b}, before.text), ";");
    out_.Line("const auto ", order_name, " = ", functions_.Function({b}, order), ";");
    const std::string how =
        sort_.shared > 0 ? absl::StrCat("lathe_sort_short_row<", sort_.threads, ", ", sort_.shared)
                         : absl::StrCat("lathe_sort_row<", sort_.threads);
    out_.Line(how, ">((", functions_.index(), ")", length_, ", ", before_name, ", ", order_name,
              ");");
    return absl::OkStatus();
  }

  CScope& scope_;
  const ir::SortRows& sort_;
  LineWriter& out_;
  TileFunctions functions_;
  std::string length_;
};

}  // namespace

absl::StatusOr<GridText> PrintSortRows(CScope& scope, const ir::SortRows& sort, LineWriter& out) {
  return SortPrinter(scope, sort, out).Print();
}

}  // namespace lathe::emit
