#include "generator/interp/kernel/compile_expr.h"

#include <algorithm>
#include <bit>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/compile_intrinsic.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/view_steps.h"
#include "generator/support/count_of.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::PrimRef;

size_t CountLanes(CodeBuilder& b, const std::vector<Lanes>& parts) {
  size_t count = 1;
  for (const Lanes& part : parts) count = std::max(count, part.size());
  for (const Lanes& part : parts) {
    if (part.size() != 1 && part.size() != count) {
      b.Error("run-malformed-program",
              absl::StrCat("a vector of ", part.size(), " lanes is combined with one of ", count));
      return 1;
    }
  }
  return count;
}

bool Reads(PrimRef e, absl::flat_hash_set<PrimRef>& seen) {
  if (e->As<ir::Load>() != nullptr) return true;
  bool found = false;
  if (seen.insert(e).second) {
    ForEachOperand(e, [&](PrimRef operand) { found = found || Reads(operand, seen); });
  }
  return found;
}

// Compiles `lhs and rhs`, `lhs or rhs` with short-circuit evaluation as in C, when the left side
// guards a load or a size on the right side.
Lanes CompileGuarded(CodeBuilder& b, const ir::Binary& n) {
  const Reg dst = b.NewReg();
  b.Emit({MoveStep, dst, CompileScalarExpr(b, n.lhs)});
  uint32_t to_end = b.Emit({JumpIfFalseStep, 0, dst});
  if (n.op == ir::BinaryOp::kOr) {
    const uint32_t to_rhs = to_end;
    to_end = b.Emit({JumpStep});
    b.at(to_rhs).b = b.here();
  }
  b.Emit({MoveStep, dst, CompileScalarExpr(b, n.rhs)});
  (n.op == ir::BinaryOp::kOr ? b.at(to_end).a : b.at(to_end).b) = b.here();
  return {dst};
}

Lanes CompileBinary(CodeBuilder& b, const ir::Binary& n) {
  const DType t = n.lhs->dtype();
  absl::flat_hash_set<PrimRef> seen;
  if ((n.op == ir::BinaryOp::kAnd || n.op == ir::BinaryOp::kOr) && t == DType::Bool() &&
      n.rhs->dtype() == t && (b.of_sizes() || Reads(n.rhs, seen))) {
    return CompileGuarded(b, n);
  }
  const std::vector<Lanes> sides = {CompileExpr(b, n.lhs), CompileExpr(b, n.rhs)};
  // The count of a shift may be any integer; other operators need one dtype on both sides.
  const DType rt = n.rhs->dtype();
  const bool cast =
      rt.element() != t.element() && n.op != ir::BinaryOp::kShl && n.op != ir::BinaryOp::kShr;
  Lanes out;
  const size_t count = CountLanes(b, sides);
  for (size_t lane = 0; lane < count; ++lane) {
    Reg y = LaneAt(sides[1], std::min(lane, sides[1].size() - 1));
    if (cast) y = EmitCast(b, rt, t, y);
    out.push_back(EmitBinary(b, n.op, t, LaneAt(sides[0], std::min(lane, sides[0].size() - 1)), y));
  }
  return out;
}

Lanes CompileSelect(CodeBuilder& b, const ir::Select& n) {
  const std::vector<Lanes> parts = {CompileExpr(b, n.cond), CompileExpr(b, n.if_true),
                                    CompileExpr(b, n.if_false)};
  const size_t count = CountLanes(b, parts);
  Lanes out;
  for (size_t lane = 0; lane < count; ++lane) {
    const Reg dst = b.NewReg();
    const auto at = [&](size_t part) {
      return LaneAt(parts[part], std::min(lane, parts[part].size() - 1));
    };
    b.Emit({SelectStep, dst, at(0), at(1), at(2)});
    out.push_back(dst);
  }
  return out;
}

Lanes CompileRamp(CodeBuilder& b, const ir::Ramp& n, DType t) {
  const Lanes base = CompileExpr(b, n.base);
  const Reg stride = CompileScalarExpr(b, n.stride);
  const DType element = t.element();
  const size_t total = static_cast<size_t>(LaneCount(t));
  const size_t rounds = std::max<size_t>(1, total / std::max<size_t>(1, base.size()));
  Lanes out;
  for (size_t round = 0; round < rounds; ++round) {
    const Reg step = EmitBinary(b, ir::BinaryOp::kMul, element, stride,
                                b.ConstantReg(FromInt64(element, static_cast<int64_t>(round))));
    for (const Reg lane : base) {
      out.push_back(EmitBinary(b, ir::BinaryOp::kAdd, element, lane, step));
    }
  }
  return out;
}

Lanes CompileBroadcast(CodeBuilder& b, const ir::Broadcast& n, DType t) {
  const Lanes value = CompileExpr(b, n.value);
  const size_t total = static_cast<size_t>(LaneCount(t));
  Lanes out;
  while (out.size() < total) out.insert(out.end(), value.begin(), value.end());
  return out;
}

Lanes CompileShuffle(CodeBuilder& b, const ir::Shuffle& n) {
  Lanes all;
  for (PrimRef v : n.vectors) {
    const Lanes lanes = CompileExpr(b, v);
    all.insert(all.end(), lanes.begin(), lanes.end());
  }
  Lanes out;
  for (PrimRef index : n.indices) {
    const auto* constant = index->As<ir::IntImm>();
    if (constant == nullptr) {
      return {b.Unsupported("run-unsupported-intrinsic",
                            "a shuffle with indices that are not constant is not supported")};
    }
    if (constant->value < 0 || constant->value >= static_cast<int64_t>(all.size())) {
      return {b.Error("run-malformed-program", absl::StrCat("a shuffle selects lane ",
                                                            constant->value, " of ", all.size()))};
    }
    out.push_back(all[static_cast<size_t>(constant->value)]);
  }
  if (out.empty()) return NoLanes(b, 1);
  return out;
}

struct Access {
  uint32_t view;
  std::vector<Lanes> indices;
  Lanes predicate;     // empty: every lane
  size_t index_lanes;  // lanes of the indices
  int element_lanes;   // lanes of the buffer's own dtype
};

bool CompileAccess(CodeBuilder& b, ir::BufferRef buffer, const std::vector<PrimRef>& indices,
                   PrimRef predicate, Access* access) {
  if (TrapsOnDType(b, buffer->dtype)) return false;
  if (indices.size() != buffer->shape.size()) {
    b.Error("run-malformed-program",
            absl::StrCat("'", buffer->name, "' has ", CountOf(buffer->shape.size(), "dimension"),
                         ", but is indexed by ", indices.size()));
    return false;
  }
  access->view = ViewOf(b, buffer);
  std::vector<Lanes> all;
  for (PrimRef index : indices) access->indices.push_back(CompileExpr(b, index));
  all = access->indices;
  if (predicate != nullptr) access->predicate = CompileExpr(b, predicate);
  access->index_lanes = CountLanes(b, all);
  access->element_lanes = LaneCount(buffer->dtype);
  return true;
}

// Visits one element for each index lane and each lane of the buffer's dtype. `visit` completes the
// instruction.
template <typename F>
void ForEachElement(CodeBuilder& b, ir::BufferRef buffer, const Access& access, F visit) {
  for (size_t index_lane = 0; index_lane < access.index_lanes; ++index_lane) {
    std::vector<uint32_t> regs;
    for (const Lanes& index : access.indices) {
      regs.push_back(LaneAt(index, std::min(index_lane, index.size() - 1)));
    }
    const uint32_t operands = b.AddOperands(regs);
    for (int lane = 0; lane < access.element_lanes; ++lane) {
      Instr instr{nullptr, 0, access.view, operands, static_cast<uint32_t>(lane)};
      instr.d = static_cast<uint32_t>(access.element_lanes);
      instr.type = buffer->dtype.element();
      const size_t n =
          index_lane * static_cast<size_t>(access.element_lanes) + static_cast<size_t>(lane);
      uint32_t jump = kNone;
      if (!access.predicate.empty()) {
        jump = b.Emit({JumpIfFalseStep, 0,
                       LaneAt(access.predicate, std::min(n, access.predicate.size() - 1))});
      }
      visit(n, instr);
      if (jump != kNone) b.at(jump).b = b.here();
    }
  }
}

Lanes CompileLoad(CodeBuilder& b, const ir::Load& n, DType t) {
  Access access;
  if (!CompileAccess(b, n.buffer, n.indices, n.predicate, &access)) return NoLanes(b, LaneCount(t));
  Lanes out;
  // Lanes that the predicate masks out are zero.
  for (size_t lane = 0; lane < access.index_lanes * static_cast<size_t>(access.element_lanes);
       ++lane) {
    out.push_back(b.NewReg());
    if (n.predicate != nullptr) b.Emit({MoveStep, out.back(), b.ConstantReg(0)});
  }
  ForEachElement(b, n.buffer, access, [&](size_t lane, Instr instr) {
    instr.step = LoadStep(n.buffer->dtype);
    instr.dst = out[lane];
    b.Emit(instr);
  });
  return out;
}

Lanes CompileNode(CodeBuilder& b, PrimRef e) {
  const DType t = e->dtype();
  return Match(
      e->node(),
      [&](const ir::IntImm& n) -> Lanes {
        return Lanes(static_cast<size_t>(LaneCount(t)), b.ConstantReg(FromInt64(t, n.value)));
      },
      [&](const ir::FloatImm& n) -> Lanes {
        return Lanes(static_cast<size_t>(LaneCount(t)), b.ConstantReg(FromDouble(t, n.value)));
      },
      [&](const ir::StringImm&) -> Lanes {
        return {b.Unsupported("run-unsupported-intrinsic", "a string cannot be used as a scalar")};
      },
      [&](const ir::SymVar& n) -> Lanes {
        if (const Lanes* lanes = b.Find(e)) return *lanes;
        b.Error("run-unbound-variable", absl::StrCat("'", n.name, "' is unbound here"));
        return NoLanes(b, LaneCount(t));
      },
      [&](const ir::Unary& n) {
        Lanes out = CompileExpr(b, n.value);
        const DType operand = n.value->dtype().element();
        for (Reg& lane : out) {
          Instr instr{UnaryStep(n.op, operand), b.NewReg(), lane};
          instr.type = operand;
          b.Emit(instr);
          lane = instr.dst;
        }
        return out;
      },
      [&](const ir::Binary& n) { return CompileBinary(b, n); },
      [&](const ir::Select& n) { return CompileSelect(b, n); },
      [&](const ir::Cast& n) {
        Lanes out = CompileExpr(b, n.value);
        for (Reg& lane : out) lane = EmitCast(b, n.value->dtype(), t, lane);
        return out;
      },
      [&](const ir::Load& n) { return CompileLoad(b, n, t); },
      [&](const ir::Ramp& n) { return CompileRamp(b, n, t); },
      [&](const ir::Broadcast& n) { return CompileBroadcast(b, n, t); },
      [&](const ir::Shuffle& n) { return CompileShuffle(b, n); },
      [&](const ir::Let& n) {
        const Lanes value = CompileExpr(b, n.value);
        CodeBuilder::Scope scope(b);
        b.Bind(n.var, value);
        return CompileExpr(b, n.body);
      },
      [&](const ir::Intrinsic& n) { return CompileIntrinsic(b, n, t); },
      [&](const ir::CommReducer&) -> Lanes {
        return {b.Unsupported("run-unsupported-intrinsic", "a reducer cannot be used as a scalar")};
      },
      [&](const ir::RegionArg& n) -> Lanes {
        return {b.Unsupported(
            "run-unsupported-intrinsic",
            absl::StrCat("a region of '", n.buffer->name, "' cannot be used as a scalar"))};
      });
}

}  // namespace

Lanes NoLanes(CodeBuilder& b, int n) {
  return Lanes(static_cast<size_t>(std::clamp(n, 1, kMaxLanes)), b.ConstantReg(0));
}

bool TrapsOnDType(CodeBuilder& b, DType t) {
  if (LaneCount(t) > kMaxLanes) {
    b.Unsupported("run-unsupported-dtype",
                  absl::StrCat("a vector of ", LaneCount(t), " lanes is not supported; ", kMaxLanes,
                               " is the maximum"));
    return true;
  }
  if (IsComputable(t)) return false;
  b.Unsupported("run-unsupported-dtype",
                absl::StrCat("scalars of dtype '", ToString(t),
                             "' are not supported: use integers up to 64 bits, float16, "
                             "bfloat16, float32, float64, the 8, 6 and 4 bit formats, and vectors "
                             "of these of up to ",
                             kMaxLanes, " lanes"));
  return true;
}

Lanes CompileExpr(CodeBuilder& b, PrimRef e) {
  CodeBuilder::Nesting nesting(b);
  if (b.too_large() || !nesting.ok()) return NoLanes(b, LaneCount(e->dtype()));
  // Void is the dtype of effects: barriers, calls of functions without a result.
  if (!e->dtype().is_void() && TrapsOnDType(b, e->dtype()))
    return NoLanes(b, LaneCount(e->dtype()));
  return CompileNode(b, e);
}

Reg CompileScalarExpr(CodeBuilder& b, PrimRef e) {
  const Lanes lanes = CompileExpr(b, e);
  if (lanes.size() == 1) return lanes[0];
  return b.Error(
      "run-malformed-program",
      absl::StrCat("a vector of ", lanes.size(), " lanes is used where a scalar is required"));
}

void CompileStore(CodeBuilder& b, ir::BufferRef buffer, const std::vector<PrimRef>& indices,
                  PrimRef value, PrimRef predicate) {
  Access access;
  if (!CompileAccess(b, buffer, indices, predicate, &access)) return;
  Lanes lanes = CompileExpr(b, value);
  const size_t count = access.index_lanes * static_cast<size_t>(access.element_lanes);
  if (lanes.size() != 1 && lanes.size() != count) {
    b.Error("run-malformed-program",
            absl::StrCat("a vector of ", lanes.size(), " lanes is stored to ",
                         CountOf(count, "element"), " of '", buffer->name, "'"));
    return;
  }
  if (value->dtype().element() != buffer->dtype.element()) {
    for (Reg& lane : lanes) lane = EmitCast(b, value->dtype(), buffer->dtype, lane);
  }
  ForEachElement(b, buffer, access, [&](size_t lane, Instr instr) {
    instr.step = StoreStep(buffer->dtype);
    instr.dst = LaneAt(lanes, std::min(lane, lanes.size() - 1));
    b.Emit(instr);
  });
}

uint32_t ViewOf(CodeBuilder& b, ir::BufferRef buffer) {
  if (const uint32_t* view = b.FindBuffer(buffer)) return *view;
  const uint32_t view = b.NewView(*buffer);
  if (b.Find(buffer->data) == nullptr) {
    b.Error("run-unbound-variable", absl::StrCat("'", buffer->name, "' has no memory here"));
    return view;
  }
  EmitBindView(b, *buffer, view, CompileScalarExpr(b, buffer->data));
  return view;
}

void EmitBindView(CodeBuilder& b, const ir::Buffer& buffer, uint32_t view, Reg data) {
  std::vector<uint32_t> operands;
  operands.push_back(buffer.elem_offset == nullptr ? kNone
                                                   : CompileScalarExpr(b, buffer.elem_offset));
  for (PrimRef dim : buffer.shape) operands.push_back(CompileScalarExpr(b, dim));
  if (buffer.strides.size() == buffer.shape.size()) {
    for (PrimRef stride : buffer.strides) operands.push_back(CompileScalarExpr(b, stride));
  } else if (!buffer.strides.empty()) {
    b.Error("run-malformed-program",
            absl::StrCat("'", buffer.name, "' has ", CountOf(buffer.shape.size(), "dimension"),
                         " and ", buffer.strides.size(), " strides"));
    return;
  }
  b.Emit({BindViewStep, static_cast<uint32_t>(buffer.shape.size()), view, b.AddOperands(operands),
          data});
}

Reg EmitBinary(CodeBuilder& b, ir::BinaryOp op, DType operands, Reg x, Reg y) {
  const Step step =
      b.of_sizes() ? SizeStep(op, operands.element()) : BinaryStep(op, operands.element());
  Instr instr{step, b.NewReg(), x, y};
  instr.type = operands.element();
  b.Emit(instr);
  return instr.dst;
}

Reg EmitCast(CodeBuilder& b, DType from, DType to, Reg x) {
  if (from.element() == to.element()) return x;
  Instr instr{CastStep(from, to), b.NewReg(), x};
  instr.type = from.element();
  instr.to = to.element();
  b.Emit(instr);
  return instr.dst;
}

}  // namespace lathe::interp
