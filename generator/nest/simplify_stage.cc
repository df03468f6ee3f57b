#include "generator/nest/simplify_stage.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/map_operands.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::nest {
namespace {

using ir::PrimRef;

class StageSimplifier {
 public:
  explicit StageSimplifier(ir::Context& context) : ir_(context), without_(context) {}

  NestStage Settle(NestStage s) {
    DropTurnsOfOne(s.spatial);
    DropTurnsOfOne(s.reduce);
    // The value of a Let may be data, whose arithmetic can wrap around.
    for (const std::vector<NestLet>* lets : {&s.fold_lets, &s.lets}) {
      for (const NestLet& let : *lets) data_.insert(let.var);
    }
    for (std::vector<NestLet>* lets : {&s.fold_lets, &s.lets}) {
      for (NestLet& let : *lets) let.value = Settled(let.value);
    }
    s.init = Settled(s.init);
    s.update = Settled(s.update);
    s.value = Settled(s.value);
    for (PrimRef& index : s.at) index = Settled(index);
    return s;
  }

 private:
  void DropTurnsOfOne(std::vector<NestAxis>& axes) {
    std::vector<NestAxis> kept;
    for (NestAxis axis : axes) {
      axis.extent = without_(axis.extent);
      const auto* trip_count = axis.extent->As<ir::IntImm>();
      if (trip_count != nullptr && trip_count->value == 1) {
        without_.Replace(axis.var, ir_.Int(0, axis.var->dtype()));
        continue;
      }
      if (trip_count != nullptr && trip_count->value > 0)
        known_.Bound(axis.var, {0, trip_count->value - 1});
      kept.push_back(axis);
    }
    axes = std::move(kept);
  }

  PrimRef Settled(PrimRef e) { return e == nullptr ? nullptr : Reckoned(without_(e)); }

  // Simplifies the parts of `e` that are index arithmetic, which does not overflow.
  PrimRef Reckoned(PrimRef e) {
    if (const auto it = done_.find(e); it != done_.end()) return it->second;
    const ir::DType dtype = e->dtype();
    const bool whole = dtype.lanes == 1 && (dtype.is_int() || dtype.is_bool()) && OfPlaces(e);
    const PrimRef reckoned =
        whole ? analysis::Simplify(ir_, e, known_)
              : Folded(ir::MapOperands(ir_, e, [&](PrimRef part) { return Reckoned(part); }));
    return done_[e] = reckoned;
  }

  // Folds exact floating-point operations: casts of small integers and multiplication by 1.
  PrimRef Folded(PrimRef e) {
    constexpr int64_t kExact = int64_t{1} << 24;
    if (!e->dtype().is_floating() || e->dtype().bits < 32 || e->dtype().lanes != 1) return e;
    if (const auto* cast = e->As<ir::Cast>()) {
      const auto* size = cast->value->As<ir::IntImm>();
      const bool exact = size != nullptr && cast->value->dtype().is_int() &&
                         size->value <= kExact && size->value >= -kExact;
      return exact ? ir_.Float(static_cast<double>(size->value), e->dtype()) : e;
    }
    const auto* product = e->As<ir::Binary>();
    if (product == nullptr || product->op != ir::BinaryOp::kMul) return e;
    const auto* factor = product->rhs->As<ir::FloatImm>();
    return factor != nullptr && factor->value == 1.0 ? product->lhs : e;
  }

  bool OfPlaces(PrimRef e) {
    if (const auto it = of_places_.find(e); it != of_places_.end()) return it->second;
    bool places = e->As<ir::Load>() == nullptr && e->As<ir::Intrinsic>() == nullptr &&
                  e->As<ir::Let>() == nullptr && !e->dtype().is_floating() && data_.count(e) == 0;
    ir::ForEachOperand(e, [&](PrimRef part) { places = places && OfPlaces(part); });
    return of_places_[e] = places;
  }

  ir::Context& ir_;
  RewriteScalar without_;  // substitutes 0 for axes of extent 1
  analysis::Assumptions known_ = analysis::Assumptions::Nothing();  // variables may be negative
  absl::flat_hash_set<PrimRef> data_;
  absl::flat_hash_map<PrimRef, PrimRef> done_;
  absl::flat_hash_map<PrimRef, bool> of_places_;
};

}  // namespace

NestStage SimplifyStage(ir::Context& context, NestStage stage) {
  return StageSimplifier(context).Settle(std::move(stage));
}

}  // namespace lathe::nest
