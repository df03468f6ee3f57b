#include "generator/analysis/compatibility.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/instantiate.h"
#include "generator/support/count_of.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

class CompatibilityCheck {
 public:
  CompatibilityCheck(const Facts& facts, std::string* why) : facts_(facts), why_(why) {}

  Tri Ask(StructInfoRef s1, StructInfoRef s2) {
    // Clause 1; identical infos are compatible.
    if (s1 == s2 || s2->As<ir::ObjectInfo>() != nullptr) return Tri::kYes;
    // Clause 2.
    if (s1->node().index() != s2->node().index()) {
      return Say(Tri::kNo, "got ", KindOf(s1), ", not ", KindOf(s2));
    }
    if (const auto it = answers_.find({s1, s2}); it != answers_.end()) return it->second;
    const Tri answer = Match(
        s1->node(), [](const ir::ObjectInfo&) { return Tri::kYes; },
        [&](const ir::PrimInfo& s) { return Prims(s, *s2->As<ir::PrimInfo>()); },
        [&](const ir::ShapeInfo& s) { return Shapes(s, *s2->As<ir::ShapeInfo>()); },
        [&](const ir::TensorInfo& s) { return Tensors(s, *s2->As<ir::TensorInfo>()); },
        [&](const ir::TupleInfo& s) { return Tuples(s, *s2->As<ir::TupleInfo>()); },
        [&](const ir::FuncInfo& s) { return Funcs(s, *s2->As<ir::FuncInfo>()); });
    answers_.emplace(std::pair(s1, s2), answer);
    return answer;
  }

 private:
  // Clause 3.
  Tri Tuples(const ir::TupleInfo& s1, const ir::TupleInfo& s2) {
    if (s1.fields.size() != s2.fields.size()) {
      return Say(Tri::kNo, CountOf(s1.fields.size(), "field"), ", not ", s2.fields.size());
    }
    Tri all = Tri::kYes;
    for (size_t i = 0; i < s1.fields.size() && all != Tri::kNo; ++i) {
      all = Also(all, s1.fields[i], s2.fields[i], "field ", i);
    }
    return all;
  }

  // Clause 4.
  Tri Shapes(const ir::ShapeInfo& s1, const ir::ShapeInfo& s2) {
    if (s2.ndim == ir::kUnknownRank) return Tri::kYes;
    if (s1.ndim == ir::kUnknownRank) return Say(Tri::kNo, "the rank is not known");
    if (s1.ndim != s2.ndim) return Say(Tri::kNo, CountOf(s1.ndim, "dimension"), ", not ", s2.ndim);
    if (!s2.values) return Tri::kYes;
    if (!s1.values) return Say(Tri::kUnknown, "the dimensions are not known");
    return Equal(facts_, *s1.values, *s2.values, "dimension", why_);
  }

  // Clause 5.
  Tri Prims(const ir::PrimInfo& s1, const ir::PrimInfo& s2) {
    if (s1.dtype != s2.dtype) {
      return Say(Tri::kNo, "dtype ", ToString(s1.dtype), ", not ", ToString(s2.dtype));
    }
    if (s2.value == nullptr) return Tri::kYes;
    if (s1.value == nullptr) return Say(Tri::kUnknown, "the value is not known");
    return Equal(facts_, {s1.value}, {s2.value}, nullptr, why_);
  }

  // Clause 6.
  Tri Tensors(const ir::TensorInfo& s1, const ir::TensorInfo& s2) {
    const bool dtypes_known = !s1.dtype.is_void() && !s2.dtype.is_void();
    if (dtypes_known && s1.dtype != s2.dtype) {
      return Say(Tri::kNo, "dtype ", ToString(s1.dtype), ", not ", ToString(s2.dtype));
    }
    const bool ranks_known = s1.ndim != ir::kUnknownRank && s2.ndim != ir::kUnknownRank;
    if (ranks_known && s1.ndim != s2.ndim) {
      return Say(Tri::kNo, CountOf(s1.ndim, "dimension"), ", not ", s2.ndim);
    }
    const bool devices_known = s1.vdevice != nullptr && s2.vdevice != nullptr;
    if (devices_known && s1.vdevice != s2.vdevice) {
      return Say(Tri::kNo, "on ", ToString(*s1.vdevice), ", not on ", ToString(*s2.vdevice));
    }
    if (s1.sharding && s2.sharding && s1.sharding != s2.sharding) {
      return Say(Tri::kNo, "the shardings differ");
    }
    const Tri shapes = TensorShapes(s1, s2);
    if (shapes != Tri::kYes) return shapes;
    if (s1.ndim != s2.ndim && s2.ndim != ir::kUnknownRank) {
      return Say(Tri::kUnknown, "the rank is not known");
    }
    if (s1.dtype.is_void() && !s2.dtype.is_void()) {
      return Say(Tri::kUnknown, "the dtype is not known");
    }
    if (s1.vdevice == nullptr && s2.vdevice != nullptr) {
      return Say(Tri::kUnknown, "the device is not known");
    }
    return Tri::kYes;
  }

  // Clauses 6.4 to 6.7.
  Tri TensorShapes(const ir::TensorInfo& s1, const ir::TensorInfo& s2) {
    if (std::holds_alternative<std::monostate>(s2.shape)) return Tri::kYes;
    if (std::holds_alternative<std::monostate>(s1.shape)) {
      return Say(Tri::kUnknown, "the shape is not known");
    }
    return EqualShapes(facts_, s1, s2, why_);
  }

  // Clause 7.
  Tri Funcs(const ir::FuncInfo& s1, const ir::FuncInfo& s2) {
    if (s1.params.has_value() != s2.params.has_value()) {
      return Say(Tri::kNo, s1.params ? "got a closure, not a packed function"
                                     : "got a packed function, not a closure");
    }
    if (!s1.params) {
      if (s1.derive == s2.derive || s2.derive == ir::Derive::kEmpty) return Tri::kYes;
      return Say(Tri::kUnknown, "the results are derived differently");
    }
    if (s1.params->size() != s2.params->size()) {
      return Say(Tri::kNo, CountOf(s1.params->size(), "parameter"), ", not ", s2.params->size());
    }
    if (!s1.pure && s2.pure) return Say(Tri::kNo, "the function is impure");
    const ir::FuncInfo fitted = Instantiate(facts_, s1, *s2.params);
    Tri all = Tri::kYes;
    for (size_t i = 0; i < s2.params->size() && all != Tri::kNo; ++i) {
      all = Also(all, (*s2.params)[i], (*fitted.params)[i], "parameter ", i);
    }
    return all == Tri::kNo ? all : Also(all, fitted.ret, s2.ret, "the result", "");
  }

  // Checks a part; `why` keeps the first reason of the worst answer.
  template <typename T>
  Tri Also(Tri so_far, StructInfoRef s1, StructInfoRef s2, const char* what, const T& which) {
    std::string* const outer = why_;
    std::string inner;
    if (outer != nullptr) why_ = &inner;
    const Tri one = Ask(s1, s2);
    why_ = outer;
    if (outer != nullptr && one < so_far) *outer = absl::StrCat(what, which, ": ", inner);
    return Both(so_far, one);
  }

  template <typename... Parts>
  Tri Say(Tri answer, const Parts&... parts) {
    if (why_ != nullptr) *why_ = absl::StrCat(parts...);
    return answer;
  }

  const Facts& facts_;
  std::string* why_;
  absl::flat_hash_map<std::pair<StructInfoRef, StructInfoRef>, Tri> answers_;
};

}  // namespace

Tri CheckCompatibility(const Facts& facts, StructInfoRef s1, StructInfoRef s2, std::string* why) {
  return CompatibilityCheck(facts, why).Ask(s1, s2);
}

}  // namespace lathe::analysis
