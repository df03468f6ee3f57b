#include "generator/analysis/facts.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/support/count_of.h"
#include "generator/support/match.h"

namespace lathe::analysis {

using ir::PrimRef;
using ir::StructInfoRef;
using ir::Tri;

Tri Equal(const Facts& facts, PrimRef a, PrimRef b) {
  return a == b ? Tri::kYes : ProveEqual(facts.ir, a, b, facts.assumptions);
}

Tri Equal(const Facts& facts, const std::vector<PrimRef>& a, const std::vector<PrimRef>& b,
          const char* what, std::string* why) {
  if (a.size() != b.size()) {
    if (why != nullptr) *why = absl::StrCat(CountOf(a.size(), "dimension"), ", not ", b.size());
    return Tri::kNo;
  }
  Tri all = Tri::kYes;
  for (size_t i = 0; i < a.size(); ++i) {
    const Tri one = Equal(facts, a[i], b[i]);
    if (why != nullptr && one < all) {
      const char* relation = one == Tri::kNo ? ", not " : ", which may differ from ";
      const std::string place = what == nullptr ? "the value" : absl::StrCat(what, " ", i);
      std::string x = ToString(a[i]), y = ToString(b[i]);
      if (x == y) {  // numbers of different types
        absl::StrAppend(&x, " of ", ToString(a[i]->dtype()));
        absl::StrAppend(&y, " of ", ToString(b[i]->dtype()));
      }
      *why = absl::StrCat(place, " is ", x, relation, y);
    }
    all = Both(all, one);
  }
  return all;
}

const std::vector<PrimRef>* KnownDims(const Facts& facts, const ir::TensorInfo& t) {
  if (t.dims() != nullptr) return t.dims();
  const ir::ValueId* var = t.shape_var();
  if (var == nullptr || !var->valid() || var->index >= std::ssize(facts.module.values)) {
    return nullptr;
  }
  const ir::Value& value = facts.module.values[*var];
  StructInfoRef info = value.info != nullptr ? value.info : value.annotation;
  const auto* shape = info == nullptr ? nullptr : info->As<ir::ShapeInfo>();
  return shape == nullptr || !shape->values ? nullptr : &*shape->values;
}

Tri EqualShapes(const Facts& facts, const ir::TensorInfo& a, const ir::TensorInfo& b,
                std::string* why) {
  if (a.shape == b.shape) return Tri::kYes;
  const std::vector<PrimRef>* a_dims = KnownDims(facts, a);
  const std::vector<PrimRef>* b_dims = KnownDims(facts, b);
  if (a_dims != nullptr && b_dims != nullptr) {
    return Equal(facts, *a_dims, *b_dims, "dimension", why);
  }
  if (a.ndim != ir::kUnknownRank && b.ndim != ir::kUnknownRank && a.ndim != b.ndim) {
    if (why != nullptr) *why = absl::StrCat(CountOf(a.ndim, "dimension"), ", not ", b.ndim);
    return Tri::kNo;
  }
  if (why != nullptr) *why = "the shapes may differ";
  return Tri::kUnknown;
}

const char* KindOf(StructInfoRef info) {
  return Match(
      info->node(), [](const ir::ObjectInfo&) { return "an object"; },
      [](const ir::PrimInfo&) { return "a scalar"; },
      [](const ir::ShapeInfo&) { return "a shape"; },
      [](const ir::TensorInfo&) { return "a tensor"; },
      [](const ir::TupleInfo&) { return "a tuple"; },
      [](const ir::FuncInfo&) { return "a function"; });
}

std::string Show(const Facts& facts, StructInfoRef info) {
  return ir::ToString(info, [&](ir::ValueId id) {
    const bool known = id.valid() && id.index < std::ssize(facts.module.values);
    return known ? facts.module.values[id].name : std::string("?");
  });
}

}  // namespace lathe::analysis
