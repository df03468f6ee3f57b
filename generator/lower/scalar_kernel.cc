#include "generator/lower/scalar_kernel.h"

namespace lathe::lower {
namespace {

bool HasLoadOrCall(ir::PrimRef e) {
  bool loads = e->As<ir::Load>() != nullptr || e->As<ir::Intrinsic>() != nullptr;
  ir::ForEachOperand(e, [&](ir::PrimRef part) { loads = loads || HasLoadOrCall(part); });
  return loads;
}

}  // namespace

ir::PrimRef ScalarOfKernel(const ir::PrimFunc& func) {
  ir::BufferRef out = nullptr;
  for (const ir::PrimParam& param : func.params) {
    if (param.buffer == nullptr) continue;
    if (out != nullptr) return nullptr;
    out = param.buffer;
  }
  const auto* block = func.body->As<ir::BlockStmt>();
  const bool plain = block != nullptr && block->axes.empty() && block->allocs.empty() &&
                     block->predicate == nullptr && block->init == nullptr;
  const auto* store = plain ? block->body->As<ir::StoreStmt>() : nullptr;
  if (store == nullptr || out == nullptr || !out->shape.empty()) return nullptr;
  const bool all =
      store->buffer == out && store->predicate == nullptr && !HasLoadOrCall(store->value);
  return all ? store->value : nullptr;
}

}  // namespace lathe::lower
