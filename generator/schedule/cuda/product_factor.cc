#include "generator/schedule/cuda/product_factor.h"

#include "generator/ir/packed_elements.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {

using ir::PrimRef;

namespace {

// Bits of a vector load.
constexpr int kRunBits = 128;

// Returns whether aligned vectors along the axis never cross its end.
bool IsWholeRuns(const ir::GridAxis& axis, ir::DType dtype) {
  const auto extent = nest::Number(axis.extent);
  return extent && *extent % (kRunBits / dtype.bits) == 0;
}

const ir::Load* OneLoad(PrimRef e) {
  if (const auto* load = e->As<ir::Load>()) return load;
  const ir::Load* found = nullptr;
  ir::ForEachOperand(e, [&](PrimRef part) {
    if (found == nullptr) found = OneLoad(part);
  });
  return found;
}

// Returns the condition of a value that is zero elsewhere.
PrimRef Inside(const ir::ProductFactor& factor) {
  const auto* choice = factor.value->As<ir::Intrinsic>();
  return choice != nullptr && choice->name == "if_then_else" && nest::IsNumber(choice->args[2], 0)
             ? choice->args[0]
             : nullptr;
}

}  // namespace

PrimRef Narrow(PrimRef value) {
  const auto* cast = value->As<ir::Cast>();
  return cast != nullptr && cast->value->dtype().bits < value->dtype().bits ? cast->value : value;
}

bool IsFloatOfCores(ir::DType dtype) {
  return dtype == ir::DType::Float(16) || dtype == ir::DType::Make(ir::TypeCode::kBFloat, 16, 1);
}

bool IsSideBySide(ir::Context& context, PrimRef value, PrimRef var) {
  const auto* load = OneLoad(value);
  if (load == nullptr) return false;
  const auto access = nest::AccessOf(context, *load->buffer, load->indices, {var});
  return access && nest::Number(access->strides[0]) == int64_t{1};
}

PrimRef ValueInside(const ir::ProductFactor& factor) {
  return Inside(factor) == nullptr ? factor.value : factor.value->As<ir::Intrinsic>()->args[1];
}

void PlaceFactor(ir::Context& context, bool cores, ir::ProductFactor& factor) {
  const PrimRef inside = Inside(factor), value = ValueInside(factor);
  PrimRef stored = value;
  while (const auto* cast = stored->As<ir::Cast>()) stored = cast->value;
  const auto* load = OneLoad(factor.value);
  if (load == nullptr || load->predicate != nullptr) return;
  // A single line has no axis.
  const PrimRef line = factor.lines.empty() ? context.NewVar("line") : factor.lines.back().var;
  const PrimRef k = factor.depth.back().var;
  const auto access = nest::AccessOf(context, *load->buffer, load->indices, {line, k});
  const auto is_one = [](PrimRef stride) { return nest::Number(stride) == int64_t{1}; };
  if (!access) return;
  factor.along_depth = !is_one(access->strides[0]);
  const bool is_element = stored->As<ir::Load>() == load && !ir::IsPacked(load->buffer->dtype) &&
                          !load->buffer->dtype.is_bool();
  const auto& axes = factor.along_depth ? factor.depth : factor.lines;
  const PrimRef stride = access->strides[factor.along_depth ? 1 : 0];
  const bool converts = cores && stored != value;
  if (!is_element || converts || !is_one(stride)) return;
  if (axes.size() > 1 && !IsWholeRuns(axes.back(), load->buffer->dtype)) return;
  // If padding may start within a vector, elements are loaded one by one.
  if (inside != nullptr &&
      (nest::Mentions(inside, axes.back().var) || nest::Reads(inside, load->buffer) ||
       !IsWholeRuns(axes.back(), load->buffer->dtype))) {
    return;
  }
  factor.element = stored;
  factor.inside = inside;
}

}  // namespace lathe::schedule
