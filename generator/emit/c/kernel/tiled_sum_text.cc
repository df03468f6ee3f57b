#include "generator/emit/c/kernel/tiled_sum_text.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_axis_loops.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::BinaryOp;
using ir::PrimRef;

int64_t NumberOf(PrimRef e) { return e->As<ir::IntImm>()->value; }

TiledSumText::TiledSumText(CScope& scope, const ir::TiledSum& sum, int lanes,
                           const KernelParams& params, const std::string& kernel,
                           const std::string& name)
    : scope_(scope),
      ir_(scope.ir),
      sum_(sum),
      lanes_(lanes),
      params_(params),
      kernel_(kernel),
      function_(name),
      width_(int64_t{sum.vectors} * lanes),
      columns_(NumberOf(sum.column.extent)),
      tail_(columns_ % width_),
      index_(scope.wide ? "int64_t" : "int32_t") {
  innermost_ = NumberOf(sum.stage.reduce.back().extent);
  blocked_ = sum.block < innermost_;
  for (const ir::NestAxis& axis : sum.batch) outer_.push_back(NameAxis(scope_, axis));
  for (const ir::NestAxis& axis : sum.outer) outer_.push_back(NameAxis(scope_, axis));
  row_ = NameAxis(scope_, sum.row);
  column_ = NameAxis(scope_, sum.column);
  for (const ir::NestAxis& axis : sum.stage.reduce) (void)NameAxis(scope_, axis);
  first_row_ = UniqueName(absl::StrCat("first_", row_));
  first_column_ = UniqueName(absl::StrCat("first_", column_));
  for (std::string* name :
       {&sums_, &r_, &v_, &rows_, &count_, &vectors_, &part_, &k_begin_, &k_end_}) {
    *name = scope.names.Unique(*name);
  }
}

std::string TiledSumText::UniqueName(const std::string& name) { return scope_.names.Unique(name); }

std::string TiledSumText::VectorCount() const {
  if (tail_ == 0) return absl::StrCat(sum_.vectors);
  return lanes_ == 1 ? count_ : vectors_;
}

std::vector<std::string> TiledSumText::Parameters() const {
  std::vector<std::string> all;
  for (size_t i = 0; i < params_.names.size(); ++i) {
    if (captured_.contains(params_.names[i])) all.push_back(params_.declarations[i]);
  }
  std::vector<std::string> places = outer_;
  places.insert(places.end(), {first_row_, first_column_});
  for (const std::string& name : places) {
    if (captured_.contains(name)) all.push_back(absl::StrCat(index_, " ", name));
  }
  all.push_back(absl::StrCat("const ", index_, " ", rows_));
  if (tail_ != 0) all.push_back(absl::StrCat("const ", index_, " ", count_));
  if (blocked_) {
    all.push_back(absl::StrCat(index_, " ", k_begin_));
    all.push_back(absl::StrCat(index_, " ", k_end_));
  }
  return all;
}

std::string TiledSumText::Call(const std::string& column, int64_t count,
                               const std::string& rows) const {
  std::vector<std::string> all;
  for (const std::string& name : params_.names) {
    if (captured_.contains(name)) all.push_back(name);
  }
  for (const std::string& name : outer_) {
    if (captured_.contains(name)) all.push_back(name);
  }
  if (captured_.contains(first_row_)) all.push_back(first_row_);
  if (captured_.contains(first_column_)) all.push_back(column);
  all.push_back(rows);
  if (tail_ != 0) all.push_back(absl::StrCat(count));
  if (blocked_) all.insert(all.end(), {k_begin_, k_end_});
  return absl::StrCat(function_, "(", absl::StrJoin(all, ", "), ");");
}

std::string TiledSumText::PanelType() const {
  const ir::DType dtype = sum_.panels->dtype;
  return std::string(dtype.is_integer() ? "int8_t" : CType(dtype));
}

// variable * stride, nothing for no stride.
absl::StatusOr<std::string> TiledSumText::Times(const std::string& variable, PrimRef stride) {
  LATHE_ASSIGN_OR_RETURN(const CText text, PrintCIndexValue(scope_, stride));
  if (text.text == "0") return std::string();
  if (text.text == "1") return variable;
  return absl::StrCat(variable, " * ", text.In(kProduct + 1));
}

}  // namespace lathe::emit
