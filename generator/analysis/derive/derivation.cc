#include "generator/analysis/derive/derivation.h"

#include <algorithm>

#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/erase.h"
#include "generator/analysis/update_devices.h"
#include "generator/support/check.h"
#include "generator/support/count_of.h"

namespace lathe::analysis {

using ir::StructInfoRef;

namespace {

// Limit for derived infos; readers apply the same limit to written ones.
constexpr int kMaxRank = 64;

int RankOf(StructInfoRef info) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) return tensor->ndim;
  const auto* shape = info->As<ir::ShapeInfo>();
  return shape == nullptr ? 0 : shape->ndim;
}

}  // namespace

Derivation::Derivation(ir::Context& context, ir::Module& m, Diagnostics& d)
    : ir(context), module(m), diags(&d), globals(m.globals.size()), known_(m.values.size()) {}

void Derivation::Bind(ir::ValueId id, Derived derived) {
  LATHE_CHECK(derived.info != nullptr, "every value has an info");
  module.values[id].info = derived.info;
  // A module under construction may have variables added after this object was created.
  while (std::ssize(known_) <= id.index) known_.Add(Known());
  known_[id] = {true, derived.guess};
}

void Derivation::Unbind(ir::ValueId id) {
  if (id.index < std::ssize(known_)) known_[id].in_scope = false;
}

Derived Derivation::Lookup(ir::ValueId id) const {
  const bool known = id.valid() && id.index < std::ssize(known_) && known_[id].in_scope;
  if (!known) return {ir.Object(), true};
  return {module.values[id].info, known_[id].guess};
}

StructInfoRef Derivation::Erase(StructInfoRef info) {
  const auto has_value = [this](ir::ValueId id) {
    return id.valid() && id.index < std::ssize(known_) && known_[id].in_scope;
  };
  const auto has_shape_var = [this](ir::PrimRef var) { return shape_scope.Has(var); };
  return EraseToWellDefined(ir, info, {has_value, has_shape_var});
}

StructInfoRef Derivation::Normalize(StructInfoRef written) {
  const auto outer = [this](ir::PrimRef var) { return shape_scope.Has(var); };
  RankedTuples done;
  return Erase(RenameOwnVars(ir, WithRanks(written, done), outer));
}

StructInfoRef Derivation::OnDevicesOf(StructInfoRef info, StructInfoRef wanted) {
  return UpdateDevices(ir, info, wanted, IgnoreConflict);
}

// R.Tensor(s) gets the rank of s; an explicit shape gets its number of dimensions.
StructInfoRef Derivation::WithRanks(StructInfoRef written, RankedTuples& done) {
  if (const auto* tuple = written->As<ir::TupleInfo>()) {
    if (depths_.contains(written)) return written;  // derived, so done before
    if (const auto known = done.find(written); known != done.end()) return known->second;
    std::vector<StructInfoRef> fields = tuple->fields;
    for (StructInfoRef& field : fields) field = WithRanks(field, done);
    return done[written] = ir.Tuple(std::move(fields));
  }
  if (const auto* shape = written->As<ir::ShapeInfo>()) {
    return shape->values ? ir.Shape(*shape->values) : written;
  }
  const auto* tensor = written->As<ir::TensorInfo>();
  if (tensor == nullptr) return written;
  ir::TensorInfo ranked = *tensor;
  if (tensor->dims() != nullptr) {
    ranked.ndim = static_cast<int>(tensor->dims()->size());
  } else if (tensor->shape_var() != nullptr) {
    const auto* shape = Lookup(*tensor->shape_var()).info->As<ir::ShapeInfo>();
    if (shape == nullptr) {
      ranked.shape = std::monostate();
    } else {
      ranked.ndim = shape->ndim;
    }
  }
  return ir.Make(ir::StructInfo::Node(std::move(ranked)));
}

Derived Derivation::Limited(Derived derived, const Location& loc) {
  if (RankOf(derived.info) > kMaxRank) {
    diags->LimitExceeded(loc, "limit-dimensions")
        << "a tensor or shape has at most " << CountOf(kMaxRank, "dimension") << ", got "
        << RankOf(derived.info);
    return Guess();
  }
  if (DepthOf(derived.info) <= kMaxInfoDepth) return derived;
  diags->LimitExceeded(loc, "limit-nesting")
      << "the structural information of this value nests more than " << kMaxInfoDepth
      << " levels deep";
  return Guess();
}

// Parts are derived before the infos that contain them, so this recurses one level for each new
// info.
int Derivation::DepthOf(StructInfoRef info) {
  const auto* tuple = info->As<ir::TupleInfo>();
  const auto* func = info->As<ir::FuncInfo>();
  if (tuple == nullptr && func == nullptr) return 1;
  if (const auto it = depths_.find(info); it != depths_.end()) return it->second;
  int depth = 0;
  if (tuple != nullptr) {
    for (StructInfoRef field : tuple->fields) depth = std::max(depth, DepthOf(field));
  } else {
    if (func->params) {
      for (StructInfoRef param : *func->params) depth = std::max(depth, DepthOf(param));
    }
    depth = std::max(depth, DepthOf(func->ret));
  }
  depths_.emplace(info, ++depth);
  return depth;
}

}  // namespace lathe::analysis
