#include "generator/interp/kernel/compile_gpu_call.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/call_steps.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_intrinsic.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/mbarrier_steps.h"
#include "generator/interp/kernel/spin_wait_steps.h"
#include "generator/interp/kernel/thread_group.h"
#include "generator/interp/kernel/warp_steps.h"
#include "generator/ir/device/gpu_call.h"
#include "generator/ir/device/memory_address.h"

namespace lathe::interp {
namespace {

using ir::BinaryOp;
using ir::DType;
using ir::GpuOp;
using ir::PrimRef;

constexpr DType kF32 = DType::Float(32);
constexpr DType kF64 = DType::Float(64);
constexpr DType kU32 = DType::UInt(32);
constexpr DType kU64 = DType::UInt(64);

class GpuCallCompiler {
 public:
  GpuCallCompiler(CodeBuilder& b, const ir::GpuCall& call, DType result)
      : b_(b), call_(call), params_(ir::ParamsOf(call.op)), result_(result) {}

  Lanes Compile() {
    switch (call_.op) {
      case GpuOp::kShuffle:
        return Shuffled(ShuffleKind::kIndex);
      case GpuOp::kShuffleUp:
        return Shuffled(ShuffleKind::kUp);
      case GpuOp::kShuffleDown:
        return Shuffled(ShuffleKind::kDown);
      case GpuOp::kShuffleXor:
        return Shuffled(ShuffleKind::kXor);
      case GpuOp::kActiveMask:
        return As(kU32, Made({LanesStep}));
      case GpuOp::kBallot:
        return As(kU32, Ballot());
      case GpuOp::kAny:
        return As(DType::Bool(), EmitBinary(b_, BinaryOp::kNe, kU32, Ballot(), Constant(0)));
      case GpuOp::kElect:
        b_.Emit({ExchangeStep, 0, kNone, b_.AddOperands({}), 0});
        return As(DType::Bool(), EmitBinary(b_, BinaryOp::kEq, kU32, Lane(), Constant(0)));
      case GpuOp::kAddOfMask:
        return As(kU32, OfWarp(BinaryOp::kAdd, kU32, 1));
      case GpuOp::kMinOfMask:
        return As(kU32, OfWarp(BinaryOp::kMin, kU32, 1));
      case GpuOp::kWarpSum:
        return As(Dtype(0), OfWarp(BinaryOp::kAdd, Dtype(0), 0));
      case GpuOp::kWarpMax:
        return As(Dtype(0), OfWarp(BinaryOp::kMax, Dtype(0), 0));
      case GpuOp::kWarpMin:
        return As(Dtype(0), OfWarp(BinaryOp::kMin, Dtype(0), 0));
      case GpuOp::kWarpBarrier:
        b_.Emit({ExchangeStep, 0, kNone, b_.AddOperands({}), 0});
        return {Constant(0)};
      case GpuOp::kBarrier:
        b_.Emit({BarrierStep});
        return {Constant(0)};
      case GpuOp::kBarrierAnd:
        return As(DType::Bool(), OfBlock(BinaryOp::kBitAnd, DType::Bool(), Truth(0)));
      case GpuOp::kBarrierOr:
        return As(DType::Bool(), OfBlock(BinaryOp::kBitOr, DType::Bool(), Truth(0)));
      case GpuOp::kBlockSum:
        return As(Dtype(0), OfBlock(BinaryOp::kAdd, Dtype(0), Value(0)));
      case GpuOp::kBlockMax:
        return As(Dtype(0), OfBlock(BinaryOp::kMax, Dtype(0), Value(0)));
      case GpuOp::kBlockMin:
        return As(Dtype(0), OfBlock(BinaryOp::kMin, Dtype(0), Value(0)));
      case GpuOp::kRank:
        return As(kU32, Made({RankStep}));
      case GpuOp::kSpecialRegister:
        return As(kU32, Register(call_.args[1]->As<ir::StringImm>()->value));
      case GpuOp::kAtomicAdd:
        return Atomic({AtomicAddStep}, 1);
      case GpuOp::kAtomicCas: {
        const Reg wanted = Converted(1, Pointee(1));
        Instr swap{AtomicCasStep};
        swap.c = wanted;
        return Atomic(swap, 2);
      }
      case GpuOp::kLoad:
        return Loaded({LoadThroughStep});
      case GpuOp::kLoadAcquire:
      case GpuOp::kLoadRelaxed:
      case GpuOp::kLoadVolatile:
        return Loaded({SpinLoadStep});
      case GpuOp::kStoreRelease:
      case GpuOp::kStoreRelaxed:
      case GpuOp::kStoreVolatile:
        return Stored();
      case GpuOp::kMbarrierBegin:
        return Emitted({MbarrierBeginStep, 0, Address(0), Value(1)});
      case GpuOp::kMbarrierArrive:
        return Emitted({MbarrierArriveStep, 0, Address(0), Value(1), kNone});
      case GpuOp::kMbarrierExpect:
        return Emitted({MbarrierArriveStep, 0, Address(0), Constant(1), Value(1)});
      case GpuOp::kMbarrierWait:
        return Emitted({MbarrierWaitStep, 0, Address(0), Value(1)});
      case GpuOp::kMbarrierTest:
        return As(kU32, Made({MbarrierTestStep, 0, Address(0), Value(1)}));
      // Copies of the thread itself are complete at once, so only the arrival remains.
      case GpuOp::kCopiesArriveCounted:
        return Emitted({MbarrierArriveStep, 0, Address(0), Constant(1), kNone});
      case GpuOp::kBulkCopy:
        return Emitted({BulkCopyStep, 0, Address(0), Address(1), Value(2), Address(3)});
      case GpuOp::kBulkStore:
        return Emitted({BulkCopyStep, 0, Address(0), Address(1), Value(2), kNone});
      case GpuOp::kCopiesArrive:
      case GpuOp::kMbarriersBegun:
      case GpuOp::kBulkCommit:
      case GpuOp::kBulkWait:
      case GpuOp::kBulkWaitToRead:
      case GpuOp::kProxyFence:
      case GpuOp::kFence:
      case GpuOp::kFenceOfBlock:
      case GpuOp::kFenceOfSystem:
      case GpuOp::kSleep:
        return {Constant(0)};
      case GpuOp::kBitsOfFloat:
        return As(kU32, Converted(0, kF32));
      case GpuOp::kFloatOfBits:
        return As(kF32, Converted(0, kU32));
      case GpuOp::kFastDivide:
        return As(kF32,
                  EmitBinary(b_, BinaryOp::kDiv, kF32, Converted(0, kF32), Converted(1, kF32)));
      case GpuOp::kAddRounded:
        return Rounded(BinaryOp::kAdd, kF32);
      case GpuOp::kSubtractRounded:
        return Rounded(BinaryOp::kSub, kF32);
      case GpuOp::kMultiplyRounded:
        return Rounded(BinaryOp::kMul, kF32);
      case GpuOp::kAddRoundedWide:
        return Rounded(BinaryOp::kAdd, kF64);
      case GpuOp::kSubtractRoundedWide:
        return Rounded(BinaryOp::kSub, kF64);
      case GpuOp::kMultiplyRoundedWide:
        return Rounded(BinaryOp::kMul, kF64);
      case GpuOp::kFirstBit: {
        Instr first{FirstBitStep};
        first.a = Converted(0, kU32);
        return As(DType::Int(32), Made(first));
      }
      case GpuOp::kToFloat:
        return As(kF32, Converted(0, kF32));
      case GpuOp::kPair:
        return As(kU64, Pair(Converted(0, kF32), Converted(1, kF32)));
      case GpuOp::kFirst:
        return As(kF32, First(Converted(0, kU64)));
      case GpuOp::kSecond:
        return As(kF32, Second(Converted(0, kU64)));
      case GpuOp::kAddPairs:
        return As(kU64, OfPairs(BinaryOp::kAdd));
      case GpuOp::kMultiplyPairs:
        return As(kU64, OfPairs(BinaryOp::kMul));
    }
    return {Constant(0)};
  }

 private:
  Lanes Emitted(const Instr& instr) {
    b_.Emit(instr);
    return {Constant(0)};
  }
  Reg Address(size_t n) { return CompileAddress(b_, call_.args[n]); }
  Reg Constant(Bits value) { return b_.ConstantReg(value); }
  DType Dtype(size_t n) const { return call_.args[n]->dtype().element(); }
  Reg Value(size_t n) {
    return call_.args[n] == nullptr ? Constant(static_cast<Bits>(*params_[n].left_out))
                                    : CompileScalarExpr(b_, call_.args[n]);
  }
  Reg Converted(size_t n, DType to) { return EmitCast(b_, Dtype(n), to, Value(n)); }
  Reg Truth(size_t n) { return Converted(n, DType::Bool()); }
  Reg Made(Instr instr) {
    instr.dst = b_.NewReg();
    b_.Emit(instr);
    return instr.dst;
  }
  Lanes As(DType is, Reg value) {
    return {result_.is_void() ? value : EmitCast(b_, is, result_, value)};
  }

  Lanes Rounded(BinaryOp op, DType dtype) {
    return As(dtype, EmitBinary(b_, op, dtype, Converted(0, dtype), Converted(1, dtype)));
  }

  Reg Lane() { return EmitBinary(b_, BinaryOp::kMod, kU32, Made({RankStep}), Constant(kWarp)); }

  Lanes Shuffled(ShuffleKind kind) {
    const Reg value = Value(1), lanes = Value(2), width = Value(3), warp = Value(4);
    // For warp sizes of other GPUs, the whole block synchronizes.
    const auto* size = call_.args[4] == nullptr ? nullptr : call_.args[4]->As<ir::IntImm>();
    const bool others = call_.args[4] != nullptr && (size == nullptr || size->value != kWarp);
    b_.Emit({others ? PublishStep : ExchangeStep, 0, Value(0), b_.AddOperands({value}), 1});
    const Reg dst = b_.NewReg();
    b_.Emit({ShuffleStep, dst, lanes, width, warp, static_cast<uint32_t>(kind)});
    return As(Dtype(1), dst);
  }

  Reg Ballot() {
    const Reg mask = Value(0);
    b_.Emit({ExchangeStep, 0, mask, b_.AddOperands({Truth(1)}), 1});
    Instr ballot{BallotStep};
    ballot.a = mask;
    return Made(ballot);
  }

  // Folds the published values of the threads of the group by `op`, in order of index.
  Reg Folded(BinaryOp op, DType dtype, uint32_t mask, uint32_t width) {
    const Reg all = b_.NewReg(), other = b_.NewReg();
    b_.Emit({ReduceStartStep});
    const uint32_t first = b_.Emit({NextOfGroupStep, all, 0, mask, width});
    const uint32_t next = b_.Emit({NextOfGroupStep, other, 0, mask, width});
    b_.Emit({MoveStep, all, EmitBinary(b_, op, dtype, all, other)});
    b_.Emit({JumpStep, 0, next});
    b_.at(first).a = b_.at(next).a = b_.here();
    return all;
  }

  // Folds value n over the warp. Argument 0 is a mask, or argument 1 a width.
  Reg OfWarp(BinaryOp op, DType dtype, size_t n) {
    const Reg value = Converted(n, dtype);
    const uint32_t mask = n == 1 ? Value(0) : kNone;
    const uint32_t width = n == 1 ? Constant(kWarp) : Value(1);
    b_.Emit({ExchangeStep, 0, mask, b_.AddOperands({value}), 1});
    return Folded(op, dtype, mask, width);
  }

  Reg OfBlock(BinaryOp op, DType dtype, Reg value) {
    b_.Emit({PublishStep, 0, 0, b_.AddOperands({value}), 1});
    return Folded(op, dtype, kNone, kNone);
  }

  Reg Register(absl::string_view name) {
    Instr read{nullptr};
    if (name == "laneid") return Lane();
    const bool axis = name.size() > 2 && name.back() >= 'x' && name.back() <= 'z';
    if (axis) read.a = static_cast<uint32_t>(name.back() - 'x');
    if (axis && name.substr(0, name.size() - 1) == "tid.") read.step = ThreadIndexStep;
    if (axis && name.substr(0, name.size() - 1) == "ntid.") read.step = ThreadExtentStep;
    if (read.step != nullptr) return Made(read);
    return b_.Unsupported(
        "run-unsupported-intrinsic",
        absl::StrCat("the register '", name, "' cannot be read; supported: laneid, tid and ntid"));
  }

  DType Pointee(size_t value) const { return ir::PointeeOf(call_.args[0], Dtype(value)).element(); }

  // Applies `step` to the element at the first argument, with value n.
  Lanes Atomic(Instr step, size_t n) {
    step.type = Pointee(n);
    step.a = CompileAddress(b_, call_.args[0]);
    step.b = Converted(n, step.type);
    return As(step.type, Made(step));
  }

  Lanes Loaded(Instr load) {
    const auto named = ir::ParseDType(call_.args[1]->As<ir::StringImm>()->value);
    const DType dtype = named ? *named : result_;
    if (!dtype.is_scalar() || TrapsOnDType(b_, dtype)) return {Constant(0)};
    load.type = dtype;
    load.a = CompileAddress(b_, call_.args[0]);
    return As(dtype, Made(load));
  }

  Lanes Stored() {
    Instr store{StoreThroughStep};
    store.type = Pointee(1);
    store.a = Address(0);
    store.b = Converted(1, store.type);
    return Emitted(store);
  }

  // Two float32 in 64 bits, the first one in the low bits.
  Reg Pair(Reg first, Reg second) {
    const Reg high = EmitBinary(b_, BinaryOp::kShl, kU64, second, Constant(32));
    return EmitBinary(b_, BinaryOp::kBitOr, kU64, high, first);
  }
  Reg First(Reg pair) { return EmitCast(b_, kU64, kU32, pair); }
  Reg Second(Reg pair) { return EmitBinary(b_, BinaryOp::kShr, kU64, pair, Constant(32)); }
  Reg OfPairs(BinaryOp op) {
    const Reg a = Converted(0, kU64), b = Converted(1, kU64);
    return Pair(EmitBinary(b_, op, kF32, First(a), First(b)),
                EmitBinary(b_, op, kF32, Second(a), Second(b)));
  }

  CodeBuilder& b_;
  const ir::GpuCall& call_;
  const std::vector<ir::GpuParam> params_;
  const DType result_;
};

}  // namespace

std::optional<Lanes> CompileGpuCall(CodeBuilder& b, const ir::Intrinsic& n, DType t) {
  const std::optional<ir::GpuCall> call = ir::GpuCallOf(n);
  if (!call) return std::nullopt;
  return GpuCallCompiler(b, *call, t).Compile();
}

}  // namespace lathe::interp
