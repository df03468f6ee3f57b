#include "generator/interp/kernel/compile_intrinsic.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/compile_call.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_gpu_call.h"
#include "generator/interp/kernel/compile_matrix_call.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/intrinsic_steps.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/thread_group.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/gpu_instructions.h"
#include "generator/support/count_of.h"

namespace lathe::interp {
namespace {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;
using Args = std::vector<PrimRef>;

// Evaluates only the branch taken.
Lanes CompileIfThenElse(CodeBuilder& b, const Args& args, DType t) {
  const Lanes cond = CompileExpr(b, args[0]);
  const size_t count = static_cast<size_t>(LaneCount(t));
  if (cond.size() != 1) {
    const Lanes yes = CompileExpr(b, args[1]);
    const Lanes no = CompileExpr(b, args[2]);
    Lanes out;
    for (size_t n = 0; n < std::min({cond.size(), yes.size(), no.size()}); ++n) {
      out.push_back(b.NewReg());
      b.Emit({SelectStep, out.back(), cond[n], yes[n], no[n]});
    }
    return out.empty() ? NoLanes(b, 1) : out;
  }
  const Reg first = b.NewRegs(static_cast<uint32_t>(count));
  const auto move_to = [&](PrimRef e) {
    const Lanes value = CompileExpr(b, e);
    for (size_t n = 0; n < count; ++n) {
      b.Emit({MoveStep, first + static_cast<Reg>(n), LaneAt(value, std::min(n, value.size() - 1))});
    }
  };
  const uint32_t to_else = b.Emit({JumpIfFalseStep, 0, cond[0]});
  move_to(args[1]);
  const uint32_t to_end = b.Emit({JumpStep});
  b.at(to_else).b = b.here();
  move_to(args[2]);
  b.at(to_end).a = b.here();
  Lanes out;
  for (size_t n = 0; n < count; ++n) out.push_back(first + static_cast<Reg>(n));
  return out;
}

Lanes CompileReinterpret(CodeBuilder& b, const Args& args, DType t) {
  const Lanes value = CompileExpr(b, args[0]);
  Instr instr{ReinterpretStep};
  instr.a = b.AddOperands({value.begin(), value.end()});
  instr.c = static_cast<uint32_t>(value.size());
  instr.type = args[0]->dtype().element();
  instr.to = t.element();
  Lanes out;
  for (int n = 0; n < LaneCount(t); ++n) {
    instr.dst = b.NewReg();
    instr.d = static_cast<uint32_t>(n);
    b.Emit(instr);
    out.push_back(instr.dst);
  }
  return out;
}

Reg CompileAddressOf(CodeBuilder& b, const Args& args) {
  const auto* load = args[0]->As<ir::Load>();
  if (load == nullptr) {
    return b.Unsupported("run-unsupported-intrinsic", "address_of needs an element of a buffer");
  }
  const uint32_t view = ViewOf(b, load->buffer);
  std::vector<uint32_t> indices;
  for (PrimRef index : load->indices) indices.push_back(CompileExpr(b, index)[0]);
  if (indices.size() != load->buffer->shape.size()) {
    return b.Error("run-malformed-program",
                   absl::StrCat("'", load->buffer->name, "' has ",
                                CountOf(load->buffer->shape.size(), "dimension"),
                                ", but is indexed by ", indices.size()));
  }
  Instr instr{AddressOfStep, b.NewReg(), view, b.AddOperands(indices)};
  instr.d = static_cast<uint32_t>(LaneCount(load->buffer->dtype));
  instr.type = load->buffer->dtype.element();
  b.Emit(instr);
  return instr.dst;
}

// A pointer advanced by `count` elements of dtype `element`.
Reg MovePointer(CodeBuilder& b, PrimRef pointer, PrimRef count, DType element) {
  const Reg p = CompileScalarExpr(b, pointer);
  const Reg n = CompileScalarExpr(b, count);
  Instr instr{MovePointerStep, b.NewReg(), p, n};
  instr.type = element;
  b.Emit(instr);
  return instr.dst;
}

// log(exp(x) + exp(y)) without overflow: the larger plus log1p(exp(-difference)).
Lanes CompileLogAddExp(CodeBuilder& b, const Args& args, DType t) {
  const Lanes x = CompileExpr(b, args[0]);
  const Lanes y = CompileExpr(b, args[1]);
  Lanes out;
  for (size_t n = 0; n < std::min(x.size(), y.size()); ++n) {
    const Reg high = EmitBinary(b, BinaryOp::kMax, t, x[n], y[n]);
    const Reg low = EmitBinary(b, BinaryOp::kMin, t, x[n], y[n]);
    Reg value = EmitBinary(b, BinaryOp::kSub, t, low, high);
    for (absl::string_view f : {"exp", "log1p"}) {
      const std::optional<IntrinsicStep> step = FindIntrinsicStep(f, t);
      if (!step) return {b.Unsupported("run-unsupported-intrinsic", "logaddexp needs floats")};
      Instr instr{step->step, b.NewReg(), b.AddOperands({value}), step->number};
      instr.type = instr.to = t.element();
      b.Emit(instr);
      value = instr.dst;
    }
    out.push_back(EmitBinary(b, BinaryOp::kAdd, t, high, value));
  }
  return out;
}

// The dot product of two vectors of four, plus the third operand.
Lanes CompileDp4a(CodeBuilder& b, const Args& args, DType t) {
  const Lanes x = CompileExpr(b, args[0]);
  const Lanes y = CompileExpr(b, args[1]);
  Reg sum = args.size() > 2 ? CompileScalarExpr(b, args[2]) : b.ConstantReg(0);
  for (size_t n = 0; n < std::min(x.size(), y.size()); ++n) {
    const Reg product = EmitBinary(b, BinaryOp::kMul, t, EmitCast(b, args[0]->dtype(), t, x[n]),
                                   EmitCast(b, args[1]->dtype(), t, y[n]));
    sum = EmitBinary(b, BinaryOp::kAdd, t, sum, product);
  }
  return {sum};
}

Lanes CompileActiveLanes(CodeBuilder& b, const Args& args, DType t) {
  const DType index = args[0]->dtype();
  const Reg base = CompileScalarExpr(b, args[0]);
  const Reg limit = EmitCast(b, args[1]->dtype(), index, CompileScalarExpr(b, args[1]));
  Lanes out;
  for (int n = 0; n < LaneCount(t); ++n) {
    const Reg at = EmitBinary(b, BinaryOp::kAdd, index, base, b.ConstantReg(FromInt64(index, n)));
    out.push_back(EmitBinary(b, BinaryOp::kLt, index, at, limit));
  }
  return out;
}

// Extracts half of a vector, or concatenates two.
Lanes CompileHalves(CodeBuilder& b, absl::string_view name, const Args& args) {
  Lanes all = CompileExpr(b, args[0]);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  if (name == "vectorlow") return Lanes(all.begin(), middle);
  if (name == "vectorhigh") return Lanes(middle, all.end());
  const Lanes second = CompileExpr(b, args[1]);
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

struct NamedOperator {
  absl::string_view name;
  BinaryOp op;
};
constexpr NamedOperator kOperators[] = {
    {"bitwise_and", BinaryOp::kBitAnd}, {"bitwise_or", BinaryOp::kBitOr},
    {"bitwise_xor", BinaryOp::kBitXor}, {"shift_left", BinaryOp::kShl},
    {"shift_right", BinaryOp::kShr},
};

// Hints and device-only intrinsics: they have no effect here.
constexpr absl::string_view kNoEffect[] = {
    "prefetch", "start_profile_intrinsic", "end_profile_intrinsic", "tvm_kernel_replace_point",
    "dma_wait", "dma_start_group",         "dma_end_group"};

std::optional<Lanes> CompileSpecial(CodeBuilder& b, absl::string_view name, const Args& args,
                                    DType t) {
  const size_t count = args.size();
  if (name == "if_then_else" && count == 3) return CompileIfThenElse(b, args, t);
  if (name == "reinterpret" && count == 1) return CompileReinterpret(b, args, t);
  if (name == "address_of" && count == 1) return Lanes{CompileAddressOf(b, args)};
  if (name == "tvm_access_ptr" && count >= 3) {
    return Lanes{MovePointer(b, args[1], args[2], args[0]->dtype())};
  }
  if (name == "handle_add_byte_offset" && count == 2) {
    return Lanes{MovePointer(b, args[0], args[1], DType::Void())};
  }
  if (name == "ptr_byte_offset" && count >= 2) {
    return Lanes{MovePointer(b, args[0], args[1], DType::Void())};
  }
  if (name == "vscale") return Lanes{b.ConstantReg(kVscale)};
  if (name == "undef") return NoLanes(b, LaneCount(t));
  if (name == "assume" && count == 1) return CompileExpr(b, args[0]);
  if (name == "tvm_storage_sync") {
    const auto* scope = args.empty() ? nullptr : args[0]->As<ir::StringImm>();
    if (scope != nullptr && scope->value == "global") {
      return Lanes{b.Unsupported("run-unsupported-intrinsic",
                                 "a barrier of the whole grid cannot be evaluated by the "
                                 "interpreter; barriers of a block can")};
    }
    const bool warp = scope != nullptr && scope->value == "warp";
    if (warp) {
      b.Emit({ExchangeStep, 0, kNone, b.AddOperands({}), 0});
    } else {
      b.Emit({BarrierStep});
    }
    return Lanes{b.ConstantReg(0)};
  }
  if (name == "logaddexp" && count == 2) return CompileLogAddExp(b, args, t);
  if (name == "dp4a" && count >= 2) return CompileDp4a(b, args, t);
  if (name == "get_active_lane_mask" && count == 2) return CompileActiveLanes(b, args, t);
  if ((name == "vectorlow" || name == "vectorhigh") && count == 1) {
    return CompileHalves(b, name, args);
  }
  if (name == "vectorcombine" && count == 2) return CompileHalves(b, name, args);
  for (absl::string_view hint : kNoEffect) {
    if (hint == name) return Lanes{b.ConstantReg(0)};
  }
  return std::nullopt;
}

}  // namespace

Reg CompileAddress(CodeBuilder& b, PrimRef place) {
  return place->dtype().is_handle() ? CompileScalarExpr(b, place) : CompileAddressOf(b, {place});
}

Reg CompilePlace(CodeBuilder& b, const ir::MemoryAddress& place) {
  const Reg at = CompileAddress(b, place.pointer);
  if (place.offset == nullptr) return at;
  Instr instr{MovePointerStep, b.NewReg(), at, CompileScalarExpr(b, place.offset)};
  instr.type = place.unit;
  b.Emit(instr);
  return instr.dst;
}

std::optional<Lanes> CompileScalarIntrinsic(CodeBuilder& b, absl::string_view name,
                                            const Args& args, DType t) {
  const DType operand = args[0]->dtype();
  for (const NamedOperator& row : kOperators) {
    if (row.name != name || args.size() != 2) continue;
    const Lanes x = CompileExpr(b, args[0]);
    const Lanes y = CompileExpr(b, args[1]);
    Lanes out;
    for (size_t n = 0; n < x.size(); ++n) {
      out.push_back(EmitBinary(b, row.op, operand, x[n], LaneAt(y, std::min(n, y.size() - 1))));
    }
    return out;
  }
  if (name == "bitwise_not" && args.size() == 1) {
    Lanes out = CompileExpr(b, args[0]);
    for (Reg& lane : out) {
      Instr instr{UnaryStep(ir::UnaryOp::kBitNot, operand), b.NewReg(), lane};
      instr.type = operand.element();
      b.Emit(instr);
      lane = instr.dst;
    }
    return out;
  }
  const std::optional<IntrinsicStep> step = FindIntrinsicStep(name, operand);
  if (!step || static_cast<size_t>(step->arity) > args.size()) return std::nullopt;
  std::vector<Lanes> operands;
  size_t count = 1;
  for (int n = 0; n < step->arity; ++n) {
    operands.push_back(CompileExpr(b, args[static_cast<size_t>(n)]));
    count = std::max(count, operands.back().size());
  }
  // Mixed float dtypes only occur by mistake; the computation uses the first operand's.
  for (size_t n = 1; n < operands.size(); ++n) {
    const DType other = args[n]->dtype();
    if (!operand.is_floating() || !other.is_floating()) continue;
    for (Reg& lane : operands[n]) lane = EmitCast(b, other, operand, lane);
  }
  Lanes out;
  for (size_t lane = 0; lane < count; ++lane) {
    std::vector<uint32_t> regs;
    for (const Lanes& o : operands) regs.push_back(LaneAt(o, std::min(lane, o.size() - 1)));
    Instr instr{step->step, b.NewReg(), b.AddOperands(regs), step->number};
    instr.type = operand.element();
    instr.to = t.element();
    b.Emit(instr);
    out.push_back(instr.dst);
  }
  return out;
}

Lanes CompileIntrinsic(CodeBuilder& b, const ir::Intrinsic& n, DType t) {
  if (IsCall(n.name)) return CompileCall(b, n, t);
  if (std::optional<Lanes> lanes = CompileGpuCall(b, n, t)) return *lanes;
  if (std::optional<Lanes> lanes = CompileMatrixCall(b, n, t)) return *lanes;
  if (std::optional<Lanes> lanes = CompileSpecial(b, n.name, n.args, t)) return *lanes;
  if (!n.args.empty()) {
    if (std::optional<Lanes> lanes = CompileScalarIntrinsic(b, n.name, n.args, t)) return *lanes;
  }
  b.Unsupported(
      "run-unsupported-intrinsic",
      absl::StrCat(
          "the intrinsic '", n.name, "' for ",
          n.args.empty() ? "no arguments" : ToString(n.args[0]->dtype()),
          " cannot be evaluated by the interpreter",
          ir::IsCudaIntrinsic(n) ? absl::StrCat("; ", ir::DescribeSupportedOnGpus(n.name)) : ""));
  return NoLanes(b, LaneCount(t));
}

}  // namespace lathe::interp
