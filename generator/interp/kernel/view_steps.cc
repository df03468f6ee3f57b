#include "generator/interp/kernel/view_steps.h"

#include <algorithm>

#include "absl/numeric/int128.h"
#include "generator/interp/kernel/memory_steps.h"

namespace lathe::interp {
uint64_t ElementsFrom(const Storage& memory, uint64_t offset, ir::DType element) {
  const uint64_t bits = element.is_bool() ? 8 : element.bits;
  return (memory.size() - offset) * 8 / bits;
}

const Instr* BindViewStep(Thread& t, const Instr* i) {
  const BufferInfo& buffer = t.machine->code->buffers[i->a];
  View& v = t.views[i->a];
  Pointer p = PointerIn(t, t.regs[i->c]);
  v.data = p.memory == nullptr ? nullptr : p.memory->data() + p.offset;
  v.limit = p.memory == nullptr ? 0 : ElementsFrom(*p.memory, p.offset, buffer.dtype);
  v.memory = std::move(p.memory);
  const uint32_t* operand = t.operands + i->b;
  v.offset = *operand == kNone ? 0 : RegAsInt(t, *operand);
  ++operand;
  const size_t ndim = i->dst;
  v.dims.resize(ndim);
  // The extent of the view, in a width in which nothing below overflows.
  absl::int128 reach = v.offset < 0 ? -absl::int128(v.offset) : absl::int128(v.offset);
  int64_t compact = 1;
  bool fits = true;
  for (size_t n = ndim; n-- > 0;) {
    View::Dim& dim = v.dims[n];
    dim.extent = std::max<int64_t>(0, RegAsInt(t, operand[n]));
    dim.stride = buffer.strided ? RegAsInt(t, operand[ndim + n]) : compact;
    if (!buffer.strided &&
        __builtin_mul_overflow(compact, std::max<int64_t>(1, dim.extent), &compact)) {
      fits = false;
    }
    reach += absl::int128(dim.extent) *
             (dim.stride < 0 ? -absl::int128(dim.stride) : absl::int128(dim.stride));
    if (reach > (absl::int128(1) << 48)) fits = false;
  }
  if (!fits) {
    return t.Stop(t.Error(i, "run-bad-allocation")
                  << "the shape, strides or offset of '" << buffer.name << "' are too large");
  }
  return i + 1;
}

const Instr* MatchViewStep(Thread& t, const Instr* i) {
  const uint32_t* operand = t.operands + i->b;
  const View& source = t.views[operand[0]];
  const size_t source_dims = operand[1];
  const uint32_t* mins = operand + 2;
  const uint32_t* extents = mins + source_dims;
  View& v = t.views[i->a];
  v.memory = source.memory;
  v.data = source.data;
  v.limit = source.limit;
  v.offset = source.offset;
  v.dims.resize(i->dst);
  const size_t dropped = source_dims - i->dst;
  for (size_t d = 0; d < source_dims; ++d) {
    const int64_t min = RegAsInt(t, mins[d]);
    const int64_t extent = RegAsInt(t, extents[d]);
    const View::Dim& dim = source.dims[d];
    const bool inside = min >= 0 && extent >= 0 && min <= dim.extent && extent <= dim.extent - min;
    if (!inside || (d < dropped && extent != 1)) {
      return t.Stop(t.Error(i, "run-out-of-bounds")
                    << "the region of " << extent << " from " << min << " in dimension " << d
                    << " is not inside '" << t.machine->code->buffers[operand[0]].name
                    << "', whose dimension is " << dim.extent
                    << (inside ? ", or is longer than one" : ""));
    }
    v.offset += min * dim.stride;
    if (d >= dropped) v.dims[d - dropped] = {extent, dim.stride};
  }
  return i + 1;
}

const Instr* ViewFieldStep(Thread& t, const Instr* i) {
  const View& v = t.views[i->a];
  int64_t value = v.offset;
  if (static_cast<ParamField>(i->b) == ParamField::kDim) value = v.dims[i->c].extent;
  if (static_cast<ParamField>(i->b) == ParamField::kStride) value = v.dims[i->c].stride;
  t.regs[i->dst] = CastBits(ir::DType::Int(64), static_cast<Bits>(value), i->type);
  return i + 1;
}

}  // namespace lathe::interp
