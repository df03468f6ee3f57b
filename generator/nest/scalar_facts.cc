#include "generator/nest/scalar_facts.h"

namespace lathe::nest {
namespace {

using ir::PrimRef;

template <typename F>
bool AnyIn(PrimRef e, const F& is) {
  bool any = is(e);
  ir::ForEachOperand(e, [&](PrimRef part) { any = any || AnyIn(part, is); });
  return any;
}

}  // namespace

std::optional<int64_t> Number(PrimRef e) {
  const auto* imm = e->As<ir::IntImm>();
  return imm == nullptr ? std::nullopt : std::optional<int64_t>(imm->value);
}

bool IsNumber(PrimRef e) {
  return e->As<ir::IntImm>() != nullptr || e->As<ir::FloatImm>() != nullptr;
}

bool IsNumber(PrimRef e, double value) {
  const auto* whole = e->As<ir::IntImm>();
  const auto* real = e->As<ir::FloatImm>();
  return whole != nullptr ? static_cast<double>(whole->value) == value
                          : real != nullptr && real->value == value;
}

bool Mentions(PrimRef e, PrimRef var) {
  return AnyIn(e, [&](PrimRef part) { return part == var; });
}

bool AnyConjunct(ir::PrimRef cond, absl::FunctionRef<bool(ir::PrimRef)> is) {
  if (cond == nullptr || is(cond)) return cond != nullptr;
  const auto* both = cond->As<ir::Binary>();
  return both != nullptr && both->op == ir::BinaryOp::kAnd &&
         (AnyConjunct(both->lhs, is) || AnyConjunct(both->rhs, is));
}

bool ReadsMemory(PrimRef e) {
  return AnyIn(e, [](PrimRef part) { return part->As<ir::Load>() != nullptr; });
}

bool Reads(PrimRef e, ir::BufferRef buffer) {
  return AnyIn(e, [&](PrimRef part) {
    const auto* load = part->As<ir::Load>();
    return load != nullptr && load->buffer == buffer;
  });
}

}  // namespace lathe::nest
