#include "generator/lower/cuda/product_factor.h"

#include "generator/ir/packed_elements.h"
#include "generator/lower/kernel_library/affine_access.h"
#include "generator/lower/scalar_facts.h"

namespace lathe::lower {

using ir::PrimRef;

namespace {

const ir::Load* OneLoad(PrimRef e) {
  if (const auto* load = e->As<ir::Load>()) return load;
  const ir::Load* found = nullptr;
  ir::ForEachOperand(e, [&](PrimRef part) {
    if (found == nullptr) found = OneLoad(part);
  });
  return found;
}

}  // namespace

PrimRef Narrow(PrimRef value) {
  const auto* cast = value->As<ir::Cast>();
  return cast != nullptr && cast->value->dtype().bits < value->dtype().bits ? cast->value : value;
}

bool IsFloatOfCores(ir::DType dtype) {
  return dtype == ir::DType::Float(16) || dtype == ir::DType::Make(ir::TypeCode::kBFloat, 16, 1);
}

void PlaceFactor(ir::Context& context, bool cores, ir::ProductFactor& factor) {
  PrimRef stored = factor.value;
  while (const auto* cast = stored->As<ir::Cast>()) stored = cast->value;
  const auto* load = OneLoad(factor.value);
  if (load == nullptr || load->predicate != nullptr) return;
  // A single line has no axis.
  const PrimRef line = factor.lines.empty() ? context.NewVar("line") : factor.lines.back().var;
  const PrimRef k = factor.depth.back().var;
  const auto access = AccessOf(context, *load->buffer, load->indices, {line, k});
  const auto is_one = [](PrimRef stride) { return Number(stride) == int64_t{1}; };
  if (!access) return;
  factor.along_depth = !is_one(access->strides[0]);
  const bool is_element = stored->As<ir::Load>() == load && !ir::IsPacked(load->buffer->dtype) &&
                          !load->buffer->dtype.is_bool();
  const auto& axes = factor.along_depth ? factor.depth : factor.lines;
  const PrimRef stride = access->strides[factor.along_depth ? 1 : 0];
  const bool converts = cores && stored != factor.value;
  if (is_element && !converts && axes.size() == 1 && is_one(stride)) factor.element = stored;
}

}  // namespace lathe::lower
