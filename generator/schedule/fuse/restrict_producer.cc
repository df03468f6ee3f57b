#include "generator/schedule/fuse/restrict_producer.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/same_sizes.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

const ir::DType kPartIndex = ir::DType::Int(64);

class Meeting {
 public:
  Meeting(ir::Context& context, const ir::NestStage& maker, const ir::NestStage& reader)
      : ir_(context), stage_(maker), left_(reader.spatial), made_(context), read_(context) {}

  // Matches one dimension of `size` elements, read at `index` and stored by the maker at `at`.
  bool Dimension(PrimRef at, PrimRef index, PrimRef size) {
    if (index->As<ir::IntImm>() != nullptr && nest::IsNumber(size, 1)) return true;  // unchanged
    if (nest::ReadsMemory(index)) return false;
    const auto axis = std::find_if(stage_.spatial.begin(), stage_.spatial.end(),
                                   [&](const ir::NestAxis& a) { return a.var == at; });
    const bool counts = axis != stage_.spatial.end();  // otherwise the only element
    const auto counted = std::find_if(left_.begin(), left_.end(), [&](const ir::NestAxis& a) {
      return nest::Mentions(index, a.var);
    });
    if (counted == left_.end()) return counts && OnePlace(axis, index, size);
    const ir::NestAxis by = *counted;
    left_.erase(counted);
    for (const ir::NestAxis& other : left_) {
      if (nest::Mentions(index, other.var)) return false;
    }
    if (index == by.var && nest::SameSize(ir_, by.extent, size)) {
      read_.Replace(by.var, at);
      same_dtype_ = same_dtype_ && by.var->dtype() == at->dtype();
      return true;
    }
    return counts && Counts(axis, by, index, size);
  }

  // Matches the axes of extent 1 that no index uses.
  bool Rest() {
    for (const ir::NestAxis& axis : left_) {
      if (!nest::IsNumber(axis.extent, 1)) return false;
      read_.Replace(axis.var, ir_.Int(0));
    }
    return true;
  }

  // `casts`: the reader's axes may have another dtype.
  std::optional<RestrictedProducer> Take(bool casts) {
    if (!casts && !same_dtype_) return std::nullopt;
    if (!whole_) {  // its axes have been replaced already
      const std::vector<ir::NestAxis> axes = stage_.spatial;
      nest::RewriteStage(made_, stage_);
      stage_.spatial = axes;
    }
    return RestrictedProducer{std::move(stage_), std::move(read_), whole_};
  }

 private:
  using Axis = std::vector<ir::NestAxis>::iterator;

  PrimRef Wide(PrimRef e) { return ir_.MakeCast(kPartIndex, e); }
  PrimRef At(PrimRef index, PrimRef var, PrimRef value) {
    nest::RewriteScalar at(ir_);
    at.Replace(var, value);
    return Wide(at(index));
  }
  bool IsWithin(PrimRef index, PrimRef size) {
    return analysis::ProveLessEqual(ir_, ir_.Int(0), Wide(index)) == ir::Tri::kYes &&
           analysis::ProveLess(ir_, Wide(index), Wide(size)) == ir::Tri::kYes;
  }

  bool OnePlace(Axis axis, PrimRef index, PrimRef size) {
    if (!IsWithin(index, size)) return false;
    made_.Replace(axis->var, index);
    stage_.spatial.erase(axis);
    whole_ = false;
    return true;
  }

  // The maker's axis corresponds to the reader's; the index is start + step * axis.
  bool Counts(Axis axis, const ir::NestAxis& by, PrimRef index, PrimRef size) {
    const PrimRef zero = ir_.Int(0, by.var->dtype()), one = ir_.Int(1, by.var->dtype());
    const PrimRef start = analysis::Simplify(ir_, At(index, by.var, zero));
    const PrimRef step =
        analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, At(index, by.var, one), start));
    const auto number = nest::Number(step);
    const PrimRef sum =
        ir_.Make(BinaryOp::kAdd, start, ir_.Make(BinaryOp::kMul, step, Wide(by.var)));
    const PrimRef rest = ir_.Make(BinaryOp::kSub, Wide(index), sum);
    if (!number || *number == 0 || !nest::IsNumber(analysis::Simplify(ir_, rest), 0)) return false;
    const PrimRef end = ir_.Make(
        BinaryOp::kAdd, start,
        ir_.Make(BinaryOp::kMul, step, ir_.Make(BinaryOp::kSub, Wide(by.extent), ir_.Int(1))));
    if (!LiesWithin(*number > 0 ? start : end, *number > 0 ? end : start, by.extent, size)) {
      return false;
    }
    axis->extent = ir_.MakeCast(axis->var->dtype(), by.extent);
    const PrimRef place =
        ir_.Make(BinaryOp::kAdd, ir_.Make(BinaryOp::kMul, step, Wide(axis->var)), start);
    const PrimRef simple = analysis::Simplify(ir_, place);
    if (simple != Wide(axis->var)) made_.Replace(axis->var, simple);
    read_.Replace(by.var, axis->var);
    whole_ = false;
    return true;
  }

  // An empty range is always within bounds.
  bool LiesWithin(PrimRef least, PrimRef most, PrimRef count, PrimRef size) {
    if (nest::IsNumber(count, 0)) return true;
    return analysis::ProveLessEqual(ir_, ir_.Int(0), least) == ir::Tri::kYes &&
           analysis::ProveLess(ir_, most, Wide(size)) == ir::Tri::kYes;
  }

  ir::Context& ir_;
  ir::NestStage stage_;
  std::vector<ir::NestAxis> left_;  // axes of the reader that are not matched yet
  nest::RewriteScalar made_, read_;
  bool whole_ = true;
  bool same_dtype_ = true;
};

}  // namespace

std::optional<RestrictedProducer> RestrictProducer(ir::Context& context, const ir::NestStage& maker,
                                                   const ir::NestStage& reader,
                                                   const std::vector<PrimRef>& place,
                                                   const std::vector<PrimRef>& shape) {
  Meeting meeting(context, maker, reader);
  for (size_t i = 0; i < place.size(); ++i) {
    if (!meeting.Dimension(maker.at[i], place[i], shape[i])) return std::nullopt;
  }
  if (!meeting.Rest()) return std::nullopt;
  // A cast axis would not be recognized by later matching.
  return meeting.Take(maker.acc != nullptr);
}

}  // namespace lathe::schedule
