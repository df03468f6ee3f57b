#include "generator/interp/kernel/memory_steps.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_join.h"
#include "generator/interp/kernel/thread_group.h"
#include "generator/interp/kernel/view_steps.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/count_of.h"

namespace lathe::interp {
namespace {

std::string ShowIndices(Thread& t, const Instr* i, size_t ndim) {
  std::vector<int64_t> indices;
  for (size_t d = 0; d < ndim; ++d) {
    indices.push_back(static_cast<int64_t>(t.regs[t.operands[i->b + d]]));
  }
  return absl::StrJoin(indices, ", ");
}

std::string ShowExtents(const View& v) {
  std::vector<int64_t> extents;
  for (const View::Dim& dim : v.dims) extents.push_back(dim.extent);
  return ShapeToString(extents);
}

const Instr* OutOfBounds(Thread& t, const Instr* i, size_t dim) {
  const View& v = t.views[i->a];
  const BufferInfo& buffer = t.machine->code->buffers[i->a];
  return t.Stop(t.Error(i, "run-out-of-bounds")
                << "'" << buffer.name << "[" << ShowIndices(t, i, v.dims.size())
                << "]' is out of bounds: index "
                << static_cast<int64_t>(t.regs[t.operands[i->b + dim]]) << " of dimension " << dim
                << " must be at least 0 and less than " << v.dims[dim].extent
                << "; the buffer's shape is " << ShowExtents(v));
}

const Instr* OutsideMemory(Thread& t, const Instr* i) {
  const View& v = t.views[i->a];
  const BufferInfo& buffer = t.machine->code->buffers[i->a];
  if (v.data == nullptr) {
    return t.Stop(t.Error(i, "run-out-of-bounds")
                  << "'" << buffer.name << "' has no memory: its pointer is null");
  }
  return t.Stop(t.Error(i, "run-out-of-bounds")
                << "'" << buffer.name << "[" << ShowIndices(t, i, v.dims.size())
                << "]' is outside the memory of the buffer, which has "
                << CountOf(v.limit, "element"));
}

// The index of the accessed scalar element. When it is out of bounds, stops and returns kNowhere.
constexpr uint64_t kNowhere = ~uint64_t{0};
inline uint64_t Locate(Thread& t, const Instr* i) {
  const View& v = t.views[i->a];
  const uint32_t* index = t.operands + i->b;
  uint64_t element = static_cast<uint64_t>(v.offset);
  const size_t ndim = v.dims.size();
  const View::Dim* dims = v.dims.data();  // for speed in builds without optimization
  for (size_t d = 0; d < ndim; ++d) {
    const Bits x = t.regs[index[d]];
    if (x >= static_cast<uint64_t>(dims[d].extent)) [[unlikely]] {
      OutOfBounds(t, i, d);
      return kNowhere;
    }
    element += x * static_cast<uint64_t>(dims[d].stride);
  }
  element = element * i->d + i->c;
  if (element >= v.limit) [[unlikely]] {
    OutsideMemory(t, i);
    return kNowhere;
  }
  return element;
}

template <typename T>
const Instr* LoadOf(Thread& t, const Instr* i) {
  const uint64_t element = Locate(t, i);
  if (element == kNowhere) return nullptr;
  T value;
  std::memcpy(&value, t.views[i->a].data + element * sizeof(T), sizeof(T));
  t.regs[i->dst] = static_cast<Bits>(value);
  return i + 1;
}

template <typename T>
const Instr* StoreOf(Thread& t, const Instr* i) {
  const uint64_t element = Locate(t, i);
  if (element == kNowhere) return nullptr;
  const T value = static_cast<T>(t.regs[i->dst]);
  std::memcpy(t.views[i->a].data + element * sizeof(T), &value, sizeof(T));
  return i + 1;
}

const Instr* LoadAny(Thread& t, const Instr* i) {
  const uint64_t element = Locate(t, i);
  if (element == kNowhere) return nullptr;
  t.regs[i->dst] = ReadElement(t.views[i->a].data, i->type, element);
  return i + 1;
}

const Instr* StoreAny(Thread& t, const Instr* i) {
  const uint64_t element = Locate(t, i);
  if (element == kNowhere) return nullptr;
  WriteElement(t.views[i->a].data, i->type, element, t.regs[i->dst]);
  return i + 1;
}

}  // namespace

Step LoadStep(ir::DType t) {
  if (t.is_bool()) return LoadAny;
  switch (t.bits) {
    case 8:
      return t.is_int() ? LoadOf<int8_t> : LoadOf<uint8_t>;
    case 16:
      return t.is_int() ? LoadOf<int16_t> : LoadOf<uint16_t>;
    case 32:
      return t.is_int() ? LoadOf<int32_t> : LoadOf<uint32_t>;
    case 64:
      return LoadOf<uint64_t>;
    default:
      return LoadAny;
  }
}

Step StoreStep(ir::DType t) {
  if (t.is_bool()) return StoreAny;
  switch (t.bits) {
    case 8:
      return StoreOf<uint8_t>;
    case 16:
      return StoreOf<uint16_t>;
    case 32:
      return StoreOf<uint32_t>;
    case 64:
      return StoreOf<uint64_t>;
    default:
      return StoreAny;
  }
}

const Instr* AllocateStep(Thread& t, const Instr* i) {
  const uint32_t slot = i->a;
  std::vector<int64_t> dims;
  for (uint32_t d = 0; d < i->c; ++d) dims.push_back(RegAsInt(t, t.operands[i->b + d]));
  const absl::StatusOr<uint64_t> count = ElementsToHold(dims, *t.machine->budget);
  if (absl::IsResourceExhausted(count.status())) {
    return t.Stop(t.LimitExceeded(i, "run-memory-limit") << count.status().message());
  }
  if (!count.ok()) {
    return t.Stop(t.Error(i, "run-bad-allocation")
                  << ShapeToString(dims) << " is not the shape of a buffer");
  }
  auto memory = Storage::Allocate(ir::StorageBytes(i->type, *count), t.machine->budget);
  if (!memory.ok()) {
    return t.Stop(t.LimitExceeded(i, "run-memory-limit") << memory.status().message());
  }
  t.memories[slot] = *std::move(memory);
  t.regs[i->dst] = MakePointer(slot, 0);
  return i + 1;
}

const Instr* AllocateSharedStep(Thread& t, const Instr* i) {
  if (t.group == nullptr) return AllocateStep(t, i);
  std::shared_ptr<Storage>& shared = t.group->shared[i->a];
  if (shared == nullptr) {
    const Instr* next = AllocateStep(t, i);
    shared = t.memories[i->a];
    return next;
  }
  t.memories[i->a] = shared;
  t.regs[i->dst] = MakePointer(i->a, 0);
  return i + 1;
}

const Instr* OwnMemoryStep(Thread& t, const Instr* i) {
  const std::shared_ptr<Storage> whole = t.memories[i->a];
  if (whole == nullptr) return i + 1;  // not allocated on this path
  auto own = Storage::Allocate(whole->size(), t.machine->budget);
  if (!own.ok()) {
    return t.Stop(t.LimitExceeded(i, "run-memory-limit") << own.status().message());
  }
  std::copy_n(whole->data(), whole->size(), (*own)->data());
  for (View& v : t.views) {
    if (v.memory != whole) continue;
    if (v.data != nullptr) v.data = (*own)->data() + (v.data - whole->data());
    v.memory = *own;
  }
  t.memories[i->a] = *std::move(own);
  return i + 1;
}

const Instr* FillConstantStep(Thread& t, const Instr* i) {
  const std::vector<Bits>& values = t.machine->code->constants[i->b];
  Storage& memory = *t.memories[i->a];
  const uint64_t count = std::min<uint64_t>(values.size(), ElementsFrom(memory, 0, i->type));
  for (uint64_t n = 0; n < count; ++n) WriteElement(memory.data(), i->type, n, values[n]);
  return i + 1;
}

Pointer PointerIn(const Thread& t, Bits pointer) {
  const uint64_t slot = SlotOf(pointer);
  if (slot >= t.memories.size() || t.memories[slot] == nullptr) return {};
  if (OffsetOf(pointer) > t.memories[slot]->size()) return {};
  return {t.memories[slot], OffsetOf(pointer)};
}

const Instr* AddressOfStep(Thread& t, const Instr* i) {
  const View& v = t.views[i->a];
  int64_t element = v.offset;
  for (size_t d = 0; d < v.dims.size(); ++d) {
    const int64_t x = RegAsInt(t, t.operands[i->b + d]);
    // One past the end is a valid address, but not a valid element.
    if (x < 0 || x > v.dims[d].extent) return OutOfBounds(t, i, d);
    element += x * v.dims[d].stride;
  }
  const uint64_t bits = (i->type.is_bool() ? 8 : i->type.bits) * i->d;
  if (static_cast<uint64_t>(element) * bits % 8 != 0) {
    return t.Stop(
        t.Unsupported(i, "run-unsupported-intrinsic")
        << "element " << element << " of '" << t.machine->code->buffers[i->a].name << "' of "
        << ToString(i->type)
        << " starts in the middle of a byte and has no address; only elements at multiples of "
        << ir::PackedGroup(i->type) << " have one");
  }
  const uint64_t offset = static_cast<uint64_t>(element) * bits / 8;
  for (uint64_t slot = 1; slot < t.memories.size(); ++slot) {
    if (t.memories[slot] == nullptr || t.memories[slot] != v.memory) continue;
    const uint64_t start = static_cast<uint64_t>(v.data - v.memory->data());
    t.regs[i->dst] = MakePointer(slot, start + offset);
    return i + 1;
  }
  t.regs[i->dst] = 0;
  return i + 1;
}

const Instr* MovePointerStep(Thread& t, const Instr* i) {
  const bool packed = !i->type.is_void() && ir::IsPacked(i->type);
  const uint64_t width = i->type.is_void() ? 1 : ir::StorageBytes(i->type, 1);
  const int64_t bits = static_cast<int64_t>(t.regs[i->b]) * i->type.bits;  // of packed elements
  const Bits pointer = t.regs[i->a];
  if (packed && bits % 8 != 0) {
    return t.Stop(t.Unsupported(i, "run-unsupported-intrinsic")
                  << "a pointer advanced by " << static_cast<int64_t>(t.regs[i->b])
                  << " elements of " << ToString(i->type)
                  << " points to the middle of a byte; it must be advanced by multiples of "
                  << ir::PackedGroup(i->type));
  }
  const Bits bytes = packed ? static_cast<Bits>(bits / 8) : t.regs[i->b] * width;
  t.regs[i->dst] = MakePointer(SlotOf(pointer), OffsetOf(pointer) + bytes);
  return i + 1;
}

const Instr* ParamStep(Thread& t, const Instr* i) {
  const PrimArg& arg = (*t.machine->args)[i->a];
  if (const auto* scalar = std::get_if<Scalar>(&arg)) {
    t.regs[i->dst] = CastBits(scalar->dtype, scalar->bits, i->type);
    return i + 1;
  }
  const uint32_t slot = t.machine->code->memories + i->a;
  if (const auto* pointer = std::get_if<Pointer>(&arg)) {
    t.memories[slot] = pointer->memory;
    t.regs[i->dst] = pointer->memory == nullptr ? 0 : MakePointer(slot, pointer->offset);
  } else if (const auto* tensor = std::get_if<TensorRef>(&arg)) {
    t.memories[slot] = (*tensor)->storage;
    // The offset of a buffer with a declared offset is relative to the start of the memory.
    t.regs[i->dst] = MakePointer(slot, i->b != 0 ? 0 : (*tensor)->byte_offset);
  }
  return i + 1;
}

const Instr* ParamFieldStep(Thread& t, const Instr* i) {
  const auto* held = std::get_if<TensorRef>(&(*t.machine->args)[i->a]);
  if (held == nullptr) return i + 2;
  const Tensor& tensor = **held;
  int64_t value = 0;
  switch (static_cast<ParamField>(i->b)) {
    case ParamField::kDim:
      value = tensor.shape[i->c];
      break;
    case ParamField::kStride:
      value = 1;
      for (size_t d = i->c + 1; d < tensor.shape.size(); ++d) value *= tensor.shape[d];
      break;
    case ParamField::kOffset:
      value = static_cast<int64_t>(tensor.byte_offset * 8 /
                                   (tensor.dtype.is_bool() ? 8 : tensor.dtype.bits));
      break;
  }
  t.regs[i->dst] = CastBits(ir::DType::Int(64), static_cast<Bits>(value), i->type);
  return i + 1;
}

}  // namespace lathe::interp
