#include "generator/schedule/vectors/pad_lines.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::NestAxis;
using ir::PrimRef;

class LinePadding {
 public:
  LinePadding(ir::Context& context, const SplitPadding& whole)
      : ir_(context), copy_(whole.copy), sum_(whole.sum) {
    nest::DropSingleSteps(context, sum_);
    for (const auto* axes : {&sum_.spatial, &sum_.reduce}) {
      for (const NestAxis& axis : *axes) {
        const auto extent = nest::Number(axis.extent);
        if (extent && *extent > 0) ranges_.Bound(axis.var, {0, *extent - 1});
      }
    }
  }

  std::optional<PaddedLines> Run() {
    const auto places = nest::UsesOf(sum_, copy_.to).places;
    if (places.size() != 1 || !TakeAxes(places[0])) return std::nullopt;
    ir::Buffer lines = *copy_.to;
    lines.name = absl::StrCat(copy_.from->name, "_lines");
    lines.shape.clear();
    std::vector<PrimRef> place, start;
    for (size_t d = 0; d < places[0].size(); ++d) {
      const PrimRef index = places[0][d];
      if (!MentionsAny(index, axes_)) {
        lines.shape.push_back(copy_.to->shape[d]);
        place.push_back(index);
        start.push_back(nullptr);
        continue;
      }
      if (d > border_) return std::nullopt;
      start.push_back(FirstOf(index));
      place.push_back(
          analysis::Simplify(ir_, ir_.Make(ir::BinaryOp::kSub, index, start.back()), ranges_));
      const analysis::Interval range = analysis::BoundsOf(ir_, place.back(), ranges_);
      constexpr int64_t kMaxLines = int64_t{1} << 31;
      if (MentionsAny(place.back(), axes_) || range.lo != 0 || range.hi > kMaxLines) {
        return std::nullopt;
      }
      lines.shape.push_back(ir_.Int(range.hi + 1, copy_.to->shape[d]->dtype()));
    }
    lines.data = ir_.NewPointer(lines.name, lines.dtype, "global");
    PaddedLines padded{axes_, copy_, sum_};
    padded.copy.to = ir_.NewBuffer(std::move(lines));
    padded.copy.start = std::move(start);
    SetCopyStage(ir_, padded.copy);
    nest::RewriteScalar rewrite(ir_);
    rewrite.ReplaceLoads(copy_.to, ir_.MakeLoad(padded.copy.to, std::move(place)));
    nest::RewriteStage(rewrite, padded.sum);
    auto& spatial = padded.sum.spatial;
    spatial.erase(std::remove_if(spatial.begin(), spatial.end(),
                                 [&](const NestAxis& axis) { return IsTaken(axis); }),
                  spatial.end());
    return padded;
  }

 private:
  static bool MentionsAny(PrimRef e, const std::vector<NestAxis>& axes) {
    return absl::c_any_of(axes, [&](const NestAxis& axis) { return nest::Mentions(e, axis.var); });
  }

  bool IsTaken(const NestAxis& axis) const {
    return absl::c_any_of(axes_, [&](const NestAxis& taken) { return taken.var == axis.var; });
  }

  // Takes the axes of the dimensions up to the first with a border, if others are left.
  bool TakeAxes(const std::vector<PrimRef>& place) {
    while (border_ < place.size() && !HasBorder(border_)) ++border_;
    if (border_ == place.size()) return false;
    bool has_other = false;
    for (const NestAxis& axis : sum_.spatial) {
      const auto in = [&](size_t first, size_t end) {
        for (size_t d = first; d < end; ++d) {
          if (nest::Mentions(place[d], axis.var)) return true;
        }
        return false;
      };
      if (in(0, border_ + 1)) {
        axes_.push_back(axis);
      } else if (in(border_ + 1, place.size()) && !nest::IsNumber(axis.extent, 1)) {
        has_other = true;
      }
    }
    return has_other && !axes_.empty();
  }

  bool HasBorder(size_t d) const {
    const auto size = nest::Number(copy_.from->shape[d]), all = nest::Number(copy_.to->shape[d]);
    return size && all && (copy_.before[d] > 0 || *all > *size);
  }

  // Returns the index at the first position of all other loops.
  PrimRef FirstOf(PrimRef index) {
    nest::RewriteScalar rewrite(ir_);
    for (const auto* axes : {&sum_.spatial, &sum_.reduce}) {
      for (const NestAxis& axis : *axes) {
        if (!IsTaken(axis)) rewrite.Replace(axis.var, ir_.Int(0));
      }
    }
    return analysis::Simplify(ir_, rewrite(index), ranges_);
  }

  ir::Context& ir_;
  const ir::PaddedCopy& copy_;
  ir::NestStage sum_;
  analysis::Assumptions ranges_;
  std::vector<NestAxis> axes_;
  size_t border_ = 0;  // the first dimension with a border
};

}  // namespace

std::optional<PaddedLines> PadLines(ir::Context& context, const SplitPadding& whole) {
  return LinePadding(context, whole).Run();
}

}  // namespace lathe::schedule
