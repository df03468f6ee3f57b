#include "generator/ir/device/ptx_element.h"

#include <utility>

#include "generator/ir/device/memory_address.h"
#include "generator/ir/each_stmt.h"

namespace lathe::ir {
namespace {

// Larger than any memory.
constexpr int64_t kFar = int64_t{1} << 48;

}  // namespace

PtxElements::PtxElements(Context& context, const PrimFunc& func) : ir_(context) {
  const auto note = [&](BufferRef buffer) { buffers_.try_emplace(buffer->data, buffer); };
  for (const PrimParam& param : func.params) {
    if (param.buffer != nullptr) note(param.buffer);
  }
  ForEachStmt(func.body, [&](StmtRef s) {
    if (const auto* alloc = s->As<AllocStmt>()) note(alloc->buffer);
    if (const auto* made = s->As<DeclBufferStmt>()) note(made->buffer);
    if (const auto* block = s->As<BlockStmt>()) {
      for (BufferRef buffer : block->allocs) note(buffer);
    }
  });
}

PrimRef PtxElements::At(PrimRef address, DType dtype, int64_t n, int64_t lanes) {
  int64_t bytes = 0;
  if (const auto* moved = address->As<Intrinsic>();
      moved != nullptr && moved->name == "ptx.addr" && moved->args.size() == 2) {
    const auto* number = moved->args[1]->As<IntImm>();
    if (number == nullptr) return nullptr;
    bytes = number->value;
    address = moved->args[0];
  }
  const int64_t size = dtype.bits / 8;
  if (bytes % size != 0 || bytes > kFar || bytes < -kFar) return nullptr;
  BufferRef buffer = nullptr;
  std::vector<PrimRef> indices;
  if (const Load* element = PointedElement(address)) {
    buffer = element->buffer;
    indices = element->indices;
  } else if (const auto found = buffers_.find(address); found != buffers_.end()) {
    buffer = found->second;
    indices.assign(buffer->shape.size(), ir_.Int(0));
  }
  if (buffer == nullptr || indices.empty() || !buffer->strides.empty()) return nullptr;
  if (indices.size() != buffer->shape.size()) return nullptr;
  if (buffer->dtype.bits != dtype.bits || !buffer->dtype.is_scalar()) return nullptr;
  const auto* row = buffer->shape.back()->As<IntImm>();
  const bool stays = row != nullptr && row->value % lanes == 0;
  Move(indices, buffer->shape, bytes / size);
  if (stays || indices.size() == 1) {
    if (n != 0) indices.back() = Further(indices.back(), n);
  } else {
    Move(indices, buffer->shape, n);
  }
  return ir_.MakeLoad(buffer, std::move(indices));
}

PrimRef PtxElements::Further(PrimRef index, int64_t by) {
  return ir_.Make(BinaryOp::kAdd, ir_.MakeCast(DType::Int(64), index), ir_.Int(by));
}

void PtxElements::Move(std::vector<PrimRef>& indices, const std::vector<PrimRef>& shape,
                       int64_t offset) {
  for (size_t d = indices.size(); d-- > 0 && offset != 0;) {
    if (d == 0) {
      indices[0] = Further(indices[0], offset);
      return;
    }
    const auto* number = indices[d]->As<IntImm>();
    const auto* extent = shape[d]->As<IntImm>();
    const bool known = extent != nullptr && extent->value > 0 &&
                       (number == nullptr ? offset % extent->value == 0
                                          : number->value >= 0 && number->value < kFar);
    if (!known) return Renumber(indices, shape, d, offset);
    const int64_t at = (number == nullptr ? 0 : number->value) + offset;
    const int64_t within = (at % extent->value + extent->value) % extent->value;
    offset = (at - within) / extent->value;
    if (number != nullptr) indices[d] = ir_.Int(within);
  }
}

void PtxElements::Renumber(std::vector<PrimRef>& indices, const std::vector<PrimRef>& shape,
                           size_t last, int64_t offset) {
  const auto wide = [&](PrimRef e) { return ir_.MakeCast(DType::Int(64), e); };
  PrimRef number = wide(indices[0]);
  for (size_t d = 1; d <= last; ++d) {
    const PrimRef rows = ir_.Make(BinaryOp::kMul, number, wide(shape[d]));
    number = ir_.Make(BinaryOp::kAdd, rows, wide(indices[d]));
  }
  number = Further(number, offset);
  for (size_t d = last; d > 0; --d) {
    indices[d] = ir_.Make(BinaryOp::kFloorMod, number, wide(shape[d]));
    number = ir_.Make(BinaryOp::kFloorDiv, number, wide(shape[d]));
  }
  indices[0] = number;
}

}  // namespace lathe::ir
