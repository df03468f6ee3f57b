#include "generator/analysis/overlap.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/compatibility.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

class OverlapQuestion {
 public:
  OverlapQuestion(const Facts& facts, std::string* why) : facts_(facts), why_(why) {}

  bool Ask(StructInfoRef a, StructInfoRef b) {
    if (a == b) return true;
    if (a->As<ir::ObjectInfo>() != nullptr || b->As<ir::ObjectInfo>() != nullptr) return true;
    if (a->node().index() != b->node().index()) {
      return Never(KindOf(a), " is not ", KindOf(b));
    }
    // Each pair is tested once: had it been disjoint, the test would have ended.
    if (!asked_.insert({a, b}).second) return true;
    return Match(
        a->node(), [](const ir::ObjectInfo&) { return true; },
        [&](const ir::PrimInfo&) { return Compatible(a, b); },
        [&](const ir::ShapeInfo& s) {
          const int b_ndim = b->As<ir::ShapeInfo>()->ndim;
          const bool ranks_known = s.ndim != ir::kUnknownRank && b_ndim != ir::kUnknownRank;
          return !ranks_known || Compatible(a, b);
        },
        [&](const ir::TensorInfo&) { return Compatible(a, b); },
        [&](const ir::TupleInfo& s) { return Tuples(s, *b->As<ir::TupleInfo>()); },
        [&](const ir::FuncInfo& s) { return Funcs(s, *b->As<ir::FuncInfo>()); });
  }

 private:
  // For tensors, shapes of one rank and scalars, compatibility requires only agreement.
  bool Compatible(StructInfoRef a, StructInfoRef b) {
    return CheckCompatibility(facts_, a, b, why_) != Tri::kNo;
  }

  bool Tuples(const ir::TupleInfo& a, const ir::TupleInfo& b) {
    if (a.fields.size() != b.fields.size()) {
      return Never(a.fields.size(), " fields are not ", b.fields.size());
    }
    for (size_t i = 0; i < a.fields.size(); ++i) {
      if (Ask(a.fields[i], b.fields[i])) continue;
      return why_ == nullptr ? false : Never("field ", i, ": ", std::string(*why_));
    }
    return true;
  }

  // A closure may be pure without being known to be, and may accept more than is known.
  bool Funcs(const ir::FuncInfo& a, const ir::FuncInfo& b) {
    if (a.params.has_value() != b.params.has_value()) {
      return Never("a closure is not a packed function");
    }
    if (!a.params) return true;
    if (a.params->size() != b.params->size()) {
      return Never(a.params->size(), " parameters are not ", b.params->size());
    }
    return true;
  }

  template <typename... Parts>
  bool Never(const Parts&... parts) {
    if (why_ != nullptr) *why_ = absl::StrCat(parts...);
    return false;
  }

  const Facts& facts_;
  std::string* why_;
  absl::flat_hash_set<std::pair<StructInfoRef, StructInfoRef>> asked_;
};

}  // namespace

bool MayOverlap(const Facts& facts, StructInfoRef a, StructInfoRef b, std::string* why) {
  return OverlapQuestion(facts, why).Ask(a, b);
}

}  // namespace lathe::analysis
