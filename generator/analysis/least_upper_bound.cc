#include "generator/analysis/least_upper_bound.h"

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/instantiate.h"
#include "generator/analysis/subtyping.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::Tri;

class Join {
 public:
  explicit Join(const Facts& facts) : facts_(facts) {}

  StructInfoRef Of(StructInfoRef a, StructInfoRef b) {
    if (a == b) return a;
    // The pseudocode returns the other one, which is not an upper bound of an object.
    if (a->node().index() != b->node().index()) return facts_.ir.Object();
    if (const auto it = joins_.find({a, b}); it != joins_.end()) return it->second;
    StructInfoRef join = Match(
        a->node(), [&](const ir::ObjectInfo&) { return a; },
        [&](const ir::PrimInfo& s) { return Prims(a, s, *b->As<ir::PrimInfo>()); },
        [&](const ir::ShapeInfo& s) { return Shapes(a, s, *b->As<ir::ShapeInfo>()); },
        [&](const ir::TensorInfo& s) { return Tensors(s, *b->As<ir::TensorInfo>()); },
        [&](const ir::TupleInfo& s) { return Tuples(s, *b->As<ir::TupleInfo>()); },
        [&](const ir::FuncInfo& s) { return Funcs(s, *b->As<ir::FuncInfo>()); });
    joins_.emplace(std::pair(a, b), join);
    return join;
  }

 private:
  StructInfoRef Prims(StructInfoRef a_info, const ir::PrimInfo& a, const ir::PrimInfo& b) {
    if (a.dtype != b.dtype) return facts_.ir.Object();
    const bool both = a.value != nullptr && b.value != nullptr;
    if (both && Equal(facts_, a.value, b.value) == Tri::kYes) return a_info;
    return facts_.ir.Prim(a.dtype);
  }

  StructInfoRef Shapes(StructInfoRef a_info, const ir::ShapeInfo& a, const ir::ShapeInfo& b) {
    if (a.ndim != b.ndim) return facts_.ir.Shape(ir::kUnknownRank);
    // The pseudocode returns b "if S2.values is defined"; it means undefined.
    const bool both = a.values && b.values;
    if (both && Equal(facts_, *a.values, *b.values, "", nullptr) == Tri::kYes) return a_info;
    return facts_.ir.Shape(a.ndim);
  }

  // The pseudocode drops the device if a shape is missing, and takes dtype and device from `a`
  // alone if the shapes are equal; here each part is joined separately.
  StructInfoRef Tensors(const ir::TensorInfo& a, const ir::TensorInfo& b) {
    ir::TensorInfo join;
    join.ndim = a.ndim == b.ndim ? a.ndim : ir::kUnknownRank;
    if (a.dtype == b.dtype) join.dtype = a.dtype;
    if (a.vdevice == b.vdevice) join.vdevice = a.vdevice;
    if (a.sharding == b.sharding) join.sharding = a.sharding;
    const bool both = !std::holds_alternative<std::monostate>(a.shape) &&
                      !std::holds_alternative<std::monostate>(b.shape);
    const bool ranks = a.ndim == b.ndim && a.ndim != ir::kUnknownRank;
    if (both && ranks && EqualShapes(facts_, a, b, nullptr) == Tri::kYes) join.shape = a.shape;
    return facts_.ir.Make(ir::StructInfo::Node(std::move(join)));
  }

  StructInfoRef Tuples(const ir::TupleInfo& a, const ir::TupleInfo& b) {
    if (a.fields.size() != b.fields.size()) return facts_.ir.Object();
    std::vector<StructInfoRef> fields;
    fields.reserve(a.fields.size());
    for (size_t i = 0; i < a.fields.size(); ++i) fields.push_back(Of(a.fields[i], b.fields[i]));
    return facts_.ir.Tuple(std::move(fields));
  }

  StructInfoRef Funcs(const ir::FuncInfo& a, const ir::FuncInfo& b) {
    if (a.params.has_value() != b.params.has_value()) return facts_.ir.Object();
    if (!a.params) {
      // `ret` is ignored if there is a derivation. Equality of a and b was tested before.
      const auto derive = a.derive == b.derive ? a.derive : ir::Derive::kEmpty;
      return Func({std::nullopt, facts_.ir.Object(), false, derive});
    }
    if (a.params->size() != b.params->size()) return facts_.ir.Object();
    const ir::FuncInfo fitted_a = Instantiate(facts_, a, *b.params);
    const ir::FuncInfo fitted_b = Instantiate(facts_, b, *fitted_a.params);
    ir::FuncInfo join;
    join.params.emplace();
    join.pure = a.pure && b.pure;
    for (size_t i = 0; i < fitted_a.params->size(); ++i) {
      StructInfoRef of_a = (*fitted_a.params)[i];
      StructInfoRef of_b = (*fitted_b.params)[i];
      StructInfoRef param = Of(of_a, of_b);
      // A common parameter is a lower bound, so only equal parameters have one here; the
      // specification considers this sufficient in practice.
      if (IsSubtype(facts_, param, of_a) != Tri::kYes ||
          IsSubtype(facts_, param, of_b) != Tri::kYes) {
        return facts_.ir.Object();
      }
      join.params->push_back(param);
    }
    join.ret = Of(fitted_a.ret, fitted_b.ret);
    return Func(std::move(join));
  }

  StructInfoRef Func(ir::FuncInfo f) { return facts_.ir.Make(ir::StructInfo::Node(std::move(f))); }

  const Facts& facts_;
  absl::flat_hash_map<std::pair<StructInfoRef, StructInfoRef>, StructInfoRef> joins_;
};

}  // namespace

StructInfoRef LeastUpperBound(const Facts& facts, StructInfoRef a, StructInfoRef b) {
  return Join(facts).Of(a, b);
}

}  // namespace lathe::analysis
