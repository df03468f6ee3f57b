#include "generator/ir/device/memory_address.h"

#include "generator/ir/tir.h"

namespace lathe::ir {
namespace {

// The pointer that a pointer expression is derived from, one step; null for a variable and for
// other expressions.
PrimRef MadeFrom(const Intrinsic& call) {
  if (call.name == "tvm_access_ptr" && call.args.size() >= 3) return call.args[1];
  const bool moved = call.name == "ptr_byte_offset" || call.name == "handle_add_byte_offset";
  return moved && call.args.size() >= 2 ? call.args[0] : nullptr;
}

}  // namespace

const Load* PointedElement(PrimRef pointer) {
  if (const auto* load = pointer->As<Load>()) return load;
  const auto* call = pointer->As<Intrinsic>();
  const bool taken = call != nullptr && call->name == "address_of" && call->args.size() == 1;
  return taken ? call->args[0]->As<Load>() : nullptr;
}

PrimRef PointedData(PrimRef pointer) {
  while (pointer != nullptr) {
    if (pointer->As<SymVar>() != nullptr) return pointer;
    if (const Load* load = PointedElement(pointer)) return load->buffer->data;
    const auto* call = pointer->As<Intrinsic>();
    pointer = call == nullptr ? nullptr : MadeFrom(*call);
  }
  return nullptr;
}

DType PointeeOf(PrimRef pointer, DType unsaid) {
  if (const Load* load = PointedElement(pointer)) return load->buffer->dtype;
  if (const auto* var = pointer->As<SymVar>()) {
    return var->pointee.is_void() || var->pointee.is_handle() ? unsaid : var->pointee;
  }
  const auto* call = pointer->As<Intrinsic>();
  if (call != nullptr && call->name == "tvm_access_ptr" && !call->args.empty()) {
    return call->args[0]->dtype();
  }
  return unsaid;
}

MemoryAddress AddressAtOffset(PrimRef pointer, PrimRef offset, DType unsaid) {
  const auto* number = offset == nullptr ? nullptr : offset->As<IntImm>();
  if (number != nullptr && number->value == 0) offset = nullptr;
  return {pointer, offset, PointeeOf(pointer, unsaid)};
}

}  // namespace lathe::ir
