#include "generator/interp/kernel/call_steps.h"

#include <optional>

#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/spin_wait_steps.h"

namespace lathe::interp {
namespace {

// The memory from `p` on as a tensor of rank 1, which external functions receive for a pointer.
PrimArg AsFlatTensor(const Pointer& p, ir::DType element) {
  if (p.memory == nullptr) return Pointer{};
  if (!IsComputable(element) || element.is_handle()) element = ir::DType::UInt(8);
  element = element.element();
  const uint64_t bits = element.is_bool() ? 8 : element.bits;
  const int64_t count = static_cast<int64_t>((p.memory->size() - p.offset) * 8 / bits);
  return std::make_shared<const Tensor>(Tensor{p.memory, p.offset, element, {count}, nullptr});
}

// A whole buffer as an argument; nullopt when it is larger than its memory.
std::optional<PrimArg> AsTensor(Thread& t, const CallArg& arg) {
  const Pointer p = PointerIn(t, t.regs[arg.reg]);
  if (p.memory == nullptr) return Pointer{};
  Tensor tensor{p.memory, p.offset, arg.dtype.element(), {}, nullptr};
  for (uint32_t d = 0; d < arg.ndim; ++d) {
    tensor.shape.push_back(static_cast<int64_t>(t.regs[t.operands[arg.shape + d]]));
  }
  const std::optional<uint64_t> count = CountElements(tensor.shape);
  if (!count || ir::StorageBytes(tensor.dtype, *count) > p.memory->size() - p.offset) {
    return std::nullopt;
  }
  return std::make_shared<const Tensor>(std::move(tensor));
}

// The element at pointer a of `i`. Null, after reporting an error, when there is none.
uint8_t* ElementAt(Thread& t, const Instr* i) {
  const Pointer p = PointerIn(t, t.regs[i->a]);
  if (p.memory != nullptr && p.memory->size() - p.offset >= ir::StorageBytes(i->type, 1)) {
    return p.memory->data() + p.offset;
  }
  t.Stop(t.Error(i, "run-out-of-bounds") << "the pointer does not point to an element");
  return nullptr;
}

}  // namespace

const Instr* CallStep(Thread& t, const Instr* i) {
  const CallInfo& call = t.machine->code->calls[i->a];
  std::vector<PrimArg> args;
  for (const CallArg& arg : call.args) {
    switch (arg.kind) {
      case CallArg::Kind::kScalar:
        args.push_back(Scalar{arg.dtype.element(), t.regs[arg.reg]});
        break;
      case CallArg::Kind::kString:
        args.push_back(arg.text);
        break;
      case CallArg::Kind::kPointer: {
        Pointer p = PointerIn(t, t.regs[arg.reg]);
        args.push_back(call.kind == CallInfo::Kind::kGlobal ? PrimArg(std::move(p))
                                                            : AsFlatTensor(p, arg.dtype));
        break;
      }
      case CallArg::Kind::kTensor: {
        std::optional<PrimArg> tensor = AsTensor(t, arg);
        if (!tensor) {
          return t.Stop(t.Error(i, "run-out-of-bounds")
                        << "argument " << args.size() + 1 << " of the call of '" << call.name
                        << "' is larger than its memory");
        }
        args.push_back(*std::move(tensor));
        break;
      }
    }
  }
  if (t.machine->calls == nullptr) {
    return t.Stop(t.Unsupported(i, "run-unsupported-intrinsic")
                  << "external functions cannot be called in this evaluation");
  }
  const absl::StatusOr<Scalar> result = t.machine->calls->Call(call, std::move(args), t.Place(i));
  if (!result.ok()) {
    t.state = Thread::State::kFailed;
    return nullptr;
  }
  t.regs[i->dst] = i->to.is_void() ? result->bits : CastBits(result->dtype, result->bits, i->to);
  return i + 1;
}

const Instr* AtomicAddStep(Thread& t, const Instr* i) {
  uint8_t* at = ElementAt(t, i);
  if (at == nullptr) return nullptr;
  const Bits old = ReadElement(at, i->type, 0);
  // old * 1 + addend, rounded once, is the sum in every dtype.
  const Bits sum = FusedMultiplyAdd(i->type, old, FromInt64(i->type, 1), t.regs[i->b]);
  WriteElement(at, i->type, 0, sum);
  t.regs[i->dst] = old;
  return i + 1;
}

const Instr* AtomicCasStep(Thread& t, const Instr* i) {
  uint8_t* at = ElementAt(t, i);
  if (at == nullptr) return nullptr;
  const Bits old = ReadElement(at, i->type, 0);
  t.regs[i->dst] = old;
  // A failed swap may be a spin wait.
  if (old != t.regs[i->c]) return ContinuesAfterRead(t, i, old) ? i + 1 : nullptr;
  WriteElement(at, i->type, 0, t.regs[i->b]);
  return i + 1;
}

const Instr* LoadThroughStep(Thread& t, const Instr* i) {
  const uint8_t* at = ElementAt(t, i);
  if (at == nullptr) return nullptr;
  t.regs[i->dst] = ReadElement(at, i->type, 0);
  return i + 1;
}

const Instr* StoreThroughStep(Thread& t, const Instr* i) {
  uint8_t* at = ElementAt(t, i);
  if (at == nullptr) return nullptr;
  WriteElement(at, i->type, 0, t.regs[i->b]);
  return i + 1;
}

}  // namespace lathe::interp
