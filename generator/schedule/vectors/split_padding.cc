#include "generator/schedule/vectors/split_padding.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/map_operands.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

const ir::DType kPaddingIndex = ir::DType::Int(64);

struct Guarded {
  PrimRef whole = nullptr;
  PrimRef cond = nullptr;
  const ir::Load* load = nullptr;
};

bool IsZero(PrimRef e) {
  const auto* imm = e->As<ir::FloatImm>();
  return imm != nullptr && imm->value == 0;
}

std::optional<Guarded> GuardedIn(PrimRef e) {
  Guarded found{e};
  PrimRef otherwise = nullptr;
  PrimRef value = nullptr;
  if (const auto* n = e->As<ir::Select>()) {
    found.cond = n->cond;
    value = n->if_true;
    otherwise = n->if_false;
  }
  const auto* n = e->As<ir::Intrinsic>();
  if (n != nullptr && n->name == "if_then_else" && n->args.size() == 3) {
    found.cond = n->args[0];
    value = n->args[1];
    otherwise = n->args[2];
  }
  if (value != nullptr) {
    found.load = value->As<ir::Load>();
    const bool fine =
        found.load != nullptr && found.load->predicate == nullptr && IsZero(otherwise);
    return fine ? std::optional<Guarded>(found) : std::nullopt;
  }
  std::optional<Guarded> inside;
  ir::ForEachOperand(e, [&](PrimRef operand) {
    if (!inside) inside = GuardedIn(operand);
  });
  return inside;
}

PrimRef Replaced(ir::Context& ir, PrimRef e, PrimRef from, PrimRef to) {
  if (e == from) return to;
  return ir::MapOperands(ir, e, [&](PrimRef operand) { return Replaced(ir, operand, from, to); });
}

class PaddingSplitter {
 public:
  PaddingSplitter(ir::Context& context, const ir::NestStage& stage) : ir_(context), stage_(stage) {
    for (const auto* axes : {&stage.spatial, &stage.reduce}) {
      for (const ir::NestAxis& axis : *axes) {
        if (const auto extent = nest::Number(axis.extent))
          ranges_.Bound(axis.var, {0, *extent - 1});
      }
    }
  }

  std::optional<SplitPadding> Run() {
    const auto guarded = GuardedIn(stage_.update);
    if (!guarded) return std::nullopt;
    const ir::Buffer& image = *guarded->load->buffer;
    for (PrimRef index : guarded->load->indices) {
      index_.push_back(analysis::Simplify(ir_, ir_.MakeCast(kPaddingIndex, index)));
    }
    if (!OnlyAsksWhetherInside(guarded->cond, image)) return std::nullopt;
    SplitPadding split;
    ir::Buffer padded = image;
    padded.name = absl::StrCat(image.name, "_padded");
    padded.shape.clear();
    std::vector<PrimRef> place;
    bool has_border = false;
    for (size_t d = 0; d < index_.size(); ++d) {
      const auto size = nest::Number(image.shape[d]);
      const analysis::Interval range = analysis::BoundsOf(ir_, index_[d], ranges_);
      if (!size) {
        // Dimensions of symbolic size, such as a batch, must be outermost; they are copied whole.
        if (d > 0 && nest::Number(image.shape[d - 1])) return std::nullopt;
        split.copy.before.push_back(0);
        padded.shape.push_back(image.shape[d]);
        place.push_back(index_[d]);
        if (lower_[d] || upper_[d]) return std::nullopt;
        continue;
      }
      constexpr int64_t kLimit = int64_t{1} << 31;
      if (range.lo < -kLimit || range.hi > kLimit) return std::nullopt;
      // Windows entirely in the padding: there is nothing to copy.
      if (range.hi < 0 || range.lo >= *size) return std::nullopt;
      const int64_t before = std::max<int64_t>(-range.lo, 0);
      has_border = has_border || before > 0 || range.hi >= *size;
      split.copy.before.push_back(before);
      padded.shape.push_back(ir_.Int(before + range.hi + 1, image.shape[d]->dtype()));
      place.push_back(
          analysis::Simplify(ir_, ir_.Make(BinaryOp::kAdd, index_[d], ir_.Int(before))));
    }
    if (!has_border) return std::nullopt;
    padded.data = ir_.NewPointer(padded.name, padded.dtype, "global");
    padded.scope = "global";
    split.copy.from = guarded->load->buffer;
    split.copy.to = ir_.NewBuffer(std::move(padded));
    split.copy.start.resize(split.copy.before.size());
    SetCopyStage(ir_, split.copy);
    split.sum = stage_;
    split.sum.update =
        Replaced(ir_, stage_.update, guarded->whole, ir_.MakeLoad(split.copy.to, std::move(place)));
    return split;
  }

 private:
  // Each conjunct is a lower or upper bound of an index by the image.
  bool OnlyAsksWhetherInside(PrimRef cond, const ir::Buffer& image) {
    lower_.assign(index_.size(), false);
    upper_.assign(index_.size(), false);
    return AddPart(cond, image);
  }

  bool AddPart(PrimRef cond, const ir::Buffer& image) {
    if (const auto* imm = cond->As<ir::IntImm>()) return imm->value != 0;
    const auto* n = cond->As<ir::Binary>();
    if (n == nullptr) return false;
    if (n->op == BinaryOp::kAnd) return AddPart(n->lhs, image) && AddPart(n->rhs, image);
    if (n->op != BinaryOp::kLe && n->op != BinaryOp::kLt) return false;
    const PrimRef low = analysis::Simplify(ir_, ir_.MakeCast(kPaddingIndex, n->lhs));
    const PrimRef high = analysis::Simplify(ir_, ir_.MakeCast(kPaddingIndex, n->rhs));
    for (size_t d = 0; d < index_.size(); ++d) {
      const bool not_below = n->op == BinaryOp::kLe && low == ir_.Int(0) && high == index_[d];
      const bool not_beyond = n->op == BinaryOp::kLt && low == index_[d] &&
                              high == ir_.MakeCast(kPaddingIndex, image.shape[d]);
      if (not_below) lower_[d] = true;
      if (not_beyond) upper_[d] = true;
      if (not_below || not_beyond) return true;
    }
    return false;
  }

  ir::Context& ir_;
  const ir::NestStage& stage_;
  analysis::Assumptions ranges_;
  std::vector<PrimRef> index_;
  std::vector<bool> lower_, upper_;  // bounds that the condition checks, for each index
};

}  // namespace

void SetCopyStage(ir::Context& context, ir::PaddedCopy& copy) {
  ir::NestStage& stage = copy.stage;
  stage.spatial.clear();
  stage.at.clear();
  PrimRef inside = nullptr;
  std::vector<PrimRef> from;
  for (size_t d = 0; d < copy.before.size(); ++d) {
    const PrimRef size = context.MakeCast(kPaddingIndex, copy.from->shape[d]);
    const PrimRef all = context.MakeCast(kPaddingIndex, copy.to->shape[d]);
    const PrimRef var = context.NewVar(absl::StrCat("p", d));
    stage.spatial.push_back({var, all});
    stage.at.push_back(var);
    PrimRef place = context.Make(BinaryOp::kSub, var, context.Int(copy.before[d]));
    if (copy.start[d] != nullptr) place = context.Make(BinaryOp::kAdd, place, copy.start[d]);
    from.push_back(place);
    const PrimRef both =
        context.Make(BinaryOp::kAnd, context.Make(BinaryOp::kLe, context.Int(0), place),
                     context.Make(BinaryOp::kLt, place, size));
    inside = inside == nullptr ? both : context.Make(BinaryOp::kAnd, inside, both);
  }
  stage.to = copy.to;
  stage.value = context.MakeIntrinsic(
      copy.to->dtype, "if_then_else",
      {inside, context.MakeLoad(copy.from, std::move(from)), context.Float(0, copy.to->dtype)});
}

std::optional<SplitPadding> SplitPaddingOf(ir::Context& context, const ir::NestStage& stage) {
  if (stage.acc == nullptr) return std::nullopt;
  return PaddingSplitter(context, stage).Run();
}

}  // namespace lathe::schedule
