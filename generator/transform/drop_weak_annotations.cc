#include "generator/transform/drop_weak_annotations.h"

#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/nonnegative_dims.h"
#include "generator/ir/each_body.h"
#include "generator/transform/rederive_info.h"

namespace lathe::transform {
namespace {

// True when `info` lacks the dtype, rank or sizes that a memory location needs.
bool IsWeak(ir::StructInfoRef info) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    return tensor->dims() == nullptr || tensor->dtype.is_void();
  }
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    for (ir::StructInfoRef field : tuple->fields) {
      if (IsWeak(field)) return true;
    }
    return false;
  }
  const auto* shape = info->As<ir::ShapeInfo>();
  return info->As<ir::ObjectInfo>() != nullptr || (shape != nullptr && !shape->values);
}

}  // namespace

void DropWeakAnnotations(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  bool dropped = false;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    ir::Function* f = module.globals[ir::GlobalId{i}].function();
    if (f == nullptr) continue;
    ir::ForEachBinding(f->body, [&](ir::Block&, ir::Binding& binding) {
      ir::Value& value = module.values[binding.var];
      if (value.annotation == nullptr || !IsWeak(value.annotation)) return;
      if (const auto* operand = std::get_if<ir::Operand>(&binding.rhs)) {
        ir::StructInfoRef known = analysis::KnownInfo(context, module, *operand);
        if (!analysis::HasNonNegativeDims(context, known, value.annotation)) return;
      }
      value.annotation = nullptr;
      dropped = true;
    });
  }
  if (dropped) RederiveInfo(context, module, diags);
}

}  // namespace lathe::transform
