#include "generator/emit/c/kernel/print_padded_copy.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/print_axis_loops.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

int64_t FixedSize(PrimRef e) { return e->As<ir::IntImm>()->value; }

class CopyPrinter {
 public:
  CopyPrinter(CScope& scope, const ir::PaddedCopy& copy, LineWriter& out)
      : scope_(scope), copy_(copy), out_(out), index_(scope.wide ? "int64_t" : "int32_t") {
    // Innermost dimensions without padding are merged into the next outer one, which begins at 0.
    last_ = copy.before.size() - 1;
    while (last_ > 0 && IsWhole(last_) && copy.start[last_ - 1] == nullptr) {
      run_ *= FixedSize(copy.to->shape[last_]);
      --last_;
    }
    scope.needs.headers.insert("<string.h>");
  }

  absl::Status Print() { return Dimension(0); }

 private:
  bool IsWhole(size_t d) const {
    return copy_.before[d] == 0 && copy_.start[d] == nullptr &&
           copy_.to->shape[d] == copy_.from->shape[d];
  }

  absl::Status Dimension(size_t d) {
    if (d == last_) return Row();
    const ir::NestAxis& axis = copy_.stage.spatial[d];
    if (IsSingle(d)) return IsWhole(d) ? Dimension(d + 1) : Border(d);
    const std::string name = NameAxis(scope_, axis);
    LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, axis.extent));
    out_.Line("for (", index_, " ", name, " = 0; ", name, " < ", extent.In(kOrder + 1), "; ++",
              name, ") {");
    {
      LineWriter::Indent in(out_);
      if (IsWhole(d)) {
        LATHE_RETURN_IF_ERROR(Dimension(d + 1));
      } else {
        LATHE_RETURN_IF_ERROR(Border(d));
      }
    }
    out_.Line("}");
    return absl::OkStatus();
  }

  // Zeros, where there is nothing; else what is inside.
  absl::Status Border(size_t d) {
    const auto* size = copy_.from->shape[d]->As<ir::IntImm>();
    PrimRef at = Index(d);
    if (copy_.start[d] != nullptr) at = scope_.ir.Make(ir::BinaryOp::kAdd, copy_.start[d], at);
    at = analysis::Simplify(scope_.ir, at, scope_.ranges);
    const analysis::Interval range = RangeOf(scope_, at);
    LATHE_ASSIGN_OR_RETURN(const CText name, PrintCIndexValue(scope_, at));
    std::vector<std::string> outside;
    const int64_t before = copy_.before[d];
    if (range.lo < before) outside.push_back(absl::StrCat(name.In(kOrder + 1), " < ", before));
    if (size != nullptr && range.hi >= before + size->value) {
      outside.push_back(absl::StrCat(name.In(kOrder + 1), " >= ", before + size->value));
    }
    if (outside.empty()) return Dimension(d + 1);
    std::vector<PrimRef> place;
    int64_t count = 1;
    for (size_t i = 0; i < copy_.before.size(); ++i) {
      place.push_back(i <= d ? Index(i) : scope_.ir.Int(0));
      if (i > d) count *= FixedSize(copy_.to->shape[i]);
    }
    LATHE_ASSIGN_OR_RETURN(const std::string to, PrintCElement(scope_, copy_.to, place));
    out_.Line("if (", absl::StrJoin(outside, " || "), ") {");
    out_.Line("  (void)memset(&", to, ", 0, ", Bytes(count), ");");
    out_.Line("} else {");
    {
      LineWriter::Indent in(out_);
      LATHE_RETURN_IF_ERROR(Dimension(d + 1));
    }
    out_.Line("}");
    return absl::OkStatus();
  }

  absl::Status Row() {
    const int64_t before = copy_.before[last_];
    const int64_t size = FixedSize(copy_.from->shape[last_]);
    const int64_t all = FixedSize(copy_.to->shape[last_]);
    const int64_t copied = std::min(size, all - before);
    LATHE_RETURN_IF_ERROR(Zeros(0, before));
    LATHE_ASSIGN_OR_RETURN(const std::string to, PrintCElement(scope_, copy_.to, Place(before, 0)));
    LATHE_ASSIGN_OR_RETURN(const std::string from, PrintCElement(scope_, copy_.from, Place(0, 1)));
    out_.Line("(void)memcpy(&", to, ", &", from, ", ", Bytes(copied * run_), ");");
    return Zeros(before + copied, all - before - copied);
  }

  absl::Status Zeros(int64_t first, int64_t count) {
    if (count == 0) return absl::OkStatus();
    LATHE_ASSIGN_OR_RETURN(const std::string to, PrintCElement(scope_, copy_.to, Place(first, 0)));
    out_.Line("(void)memset(&", to, ", 0, ", Bytes(count * run_), ");");
    return absl::OkStatus();
  }

  // Returns the indices of element `first` of the current row. Indices in the source are without
  // the padding.
  std::vector<PrimRef> Place(int64_t first, int in_source) const {
    std::vector<PrimRef> place;
    for (size_t i = 0; i < copy_.before.size(); ++i) {
      if (i >= last_) {
        place.push_back(scope_.ir.Int(i == last_ ? first : 0));
        continue;
      }
      PrimRef at = Index(i);
      if (in_source != 0 && copy_.start[i] != nullptr) {
        at = scope_.ir.Make(ir::BinaryOp::kAdd, copy_.start[i], at);
      }
      if (in_source != 0 && copy_.before[i] != 0) {
        at = scope_.ir.Make(ir::BinaryOp::kSub, at, scope_.ir.Int(copy_.before[i], at->dtype()));
      }
      place.push_back(at);
    }
    return place;
  }

  bool IsSingle(size_t d) const {
    const auto* size = copy_.to->shape[d]->As<ir::IntImm>();
    return size != nullptr && size->value == 1;
  }

  // The index in the copy: a loop variable, or 0 in a dimension of size 1.
  PrimRef Index(size_t d) const {
    const PrimRef var = copy_.stage.spatial[d].var;
    return IsSingle(d) ? scope_.ir.Int(0, var->dtype()) : var;
  }

  std::string Bytes(int64_t count) const {
    return absl::StrCat(count, "u * sizeof(", CType(copy_.to->dtype), ")");
  }

  CScope& scope_;
  const ir::PaddedCopy& copy_;
  LineWriter& out_;
  const std::string index_;
  size_t last_ = 0;
  int64_t run_ = 1;
};

}  // namespace

absl::Status PrintPaddedCopy(CScope& scope, const ir::PaddedCopy& copy, LineWriter& out) {
  return CopyPrinter(scope, copy, out).Print();
}

}  // namespace lathe::emit
