#include "generator/analysis/subtyping.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/instantiate.h"
#include "generator/support/count_of.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

// Answers one query. Tuples may share their parts, so answers are cached.
class SubtypeQuestion {
 public:
  SubtypeQuestion(const Facts& facts, std::string* why) : facts_(facts), why_(why) {}

  Tri Ask(StructInfoRef sub, StructInfoRef super) {
    // Rules 1 and 3.
    if (sub == super || super->As<ir::ObjectInfo>() != nullptr) return Tri::kYes;
    if (sub->node().index() != super->node().index()) {
      return No("got ", KindOf(sub), ", not ", KindOf(super));
    }
    if (const auto it = answers_.find({sub, super}); it != answers_.end()) return it->second;
    const Tri answer = Match(
        sub->node(), [](const ir::ObjectInfo&) { return Tri::kYes; },
        [&](const ir::PrimInfo& s) { return Prims(s, *super->As<ir::PrimInfo>()); },
        [&](const ir::ShapeInfo& s) { return Shapes(s, *super->As<ir::ShapeInfo>()); },
        [&](const ir::TensorInfo& s) { return Tensors(s, *super->As<ir::TensorInfo>()); },
        [&](const ir::TupleInfo& s) { return Tuples(s, *super->As<ir::TupleInfo>()); },
        [&](const ir::FuncInfo& s) { return Funcs(s, *super->As<ir::FuncInfo>()); });
    answers_.emplace(std::pair(sub, super), answer);
    return answer;
  }

 private:
  // Rule 7.
  Tri Prims(const ir::PrimInfo& sub, const ir::PrimInfo& super) {
    if (sub.dtype != super.dtype) return DTypesDiffer(sub.dtype, super.dtype);
    if (super.value == nullptr) return Tri::kYes;
    if (sub.value == nullptr) return No("the value is not known");
    return Equal(facts_, {sub.value}, {super.value}, nullptr, why_);
  }

  // Rule 5.
  Tri Shapes(const ir::ShapeInfo& sub, const ir::ShapeInfo& super) {
    if (super.ndim == ir::kUnknownRank) return Tri::kYes;
    if (sub.ndim != super.ndim) return RanksDiffer(sub.ndim, super.ndim);
    if (!super.values) return Tri::kYes;
    if (!sub.values) return No("the dimensions are not known");
    return Equal(facts_, *sub.values, *super.values, "dimension", why_);
  }

  // Rule 4. The parts are independent, so its five steps are taken in any order.
  Tri Tensors(const ir::TensorInfo& sub, const ir::TensorInfo& super) {
    if (!super.dtype.is_void() && sub.dtype != super.dtype) {
      return DTypesDiffer(sub.dtype, super.dtype);
    }
    if (super.vdevice != nullptr && sub.vdevice != super.vdevice) {
      if (sub.vdevice == nullptr) return No("the device is not known");
      return No("on ", ToString(*sub.vdevice), ", not on ", ToString(*super.vdevice));
    }
    if (super.sharding && sub.sharding != super.sharding) return No("the shardings differ");
    if (super.ndim != ir::kUnknownRank && sub.ndim != super.ndim) {
      return RanksDiffer(sub.ndim, super.ndim);
    }
    if (std::holds_alternative<std::monostate>(super.shape)) return Tri::kYes;
    if (std::holds_alternative<std::monostate>(sub.shape)) return No("the shape is not known");
    return EqualShapes(facts_, sub, super, why_);
  }

  // Rule 6.
  Tri Tuples(const ir::TupleInfo& sub, const ir::TupleInfo& super) {
    if (sub.fields.size() != super.fields.size()) {
      return No(CountOf(sub.fields.size(), "field"), ", not ", super.fields.size());
    }
    Tri all = Tri::kYes;
    for (size_t i = 0; i < sub.fields.size(); ++i) {
      all = Also(all, sub.fields[i], super.fields[i], "field ", i);
      if (all == Tri::kNo) break;
    }
    return all;
  }

  // Rule 8.
  Tri Funcs(const ir::FuncInfo& sub, const ir::FuncInfo& super) {
    if (sub.params.has_value() != super.params.has_value()) {
      return No(sub.params ? "got a closure, not a packed function"
                           : "got a packed function, not a closure");
    }
    if (!super.params) {
      const bool holds = super.derive == ir::Derive::kEmpty || sub.derive == super.derive;
      return holds ? Tri::kYes : No("the results are derived differently");
    }
    if (sub.params->size() != super.params->size()) {
      return No(CountOf(sub.params->size(), "parameter"), ", not ", super.params->size());
    }
    if (super.pure && !sub.pure) return No("the function is impure");
    const ir::FuncInfo fitted = Instantiate(facts_, sub, *super.params);
    Tri all = Tri::kYes;
    for (size_t i = 0; i < super.params->size(); ++i) {
      all = Also(all, (*super.params)[i], (*fitted.params)[i], "parameter ", i);
      if (all == Tri::kNo) return all;
    }
    return Also(all, fitted.ret, super.ret, "the result", "");
  }

  // Checks a part; `why` keeps the first reason of the worst answer.
  template <typename T>
  Tri Also(Tri so_far, StructInfoRef sub, StructInfoRef super, const char* what, const T& which) {
    std::string* const outer = why_;
    std::string inner;
    if (outer != nullptr) why_ = &inner;
    const Tri one = Ask(sub, super);
    why_ = outer;
    if (outer != nullptr && one < so_far) *outer = absl::StrCat(what, which, ": ", inner);
    return Both(so_far, one);
  }

  Tri DTypesDiffer(ir::DType sub, ir::DType super) {
    if (sub.is_void()) return No("the dtype is not known");
    return No("dtype ", ToString(sub), ", not ", ToString(super));
  }

  Tri RanksDiffer(int sub, int super) {
    if (sub == ir::kUnknownRank) return No("the rank is not known");
    return No(CountOf(sub, "dimension"), ", not ", super);
  }

  template <typename... Parts>
  Tri No(const Parts&... parts) {
    if (why_ != nullptr) *why_ = absl::StrCat(parts...);
    return Tri::kNo;
  }

  const Facts& facts_;
  std::string* why_;
  absl::flat_hash_map<std::pair<StructInfoRef, StructInfoRef>, Tri> answers_;
};

}  // namespace

Tri IsSubtype(const Facts& facts, StructInfoRef sub, StructInfoRef super, std::string* why) {
  return SubtypeQuestion(facts, why).Ask(sub, super);
}

}  // namespace lathe::analysis
