#include "generator/interp/kernel/compile_matrix_call.h"

#include <vector>

#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_intrinsic.h"
#include "generator/interp/kernel/matrix_steps.h"
#include "generator/interp/kernel/thread_group.h"
#include "generator/ir/device/async_copy_call.h"
#include "generator/ir/device/matrix_call.h"
#include "generator/ir/device/matrix_moves_call.h"

namespace lathe::interp {
namespace {

// The number of pointers, followed by the pointers.
void Add(CodeBuilder& b, const ir::Fragment& fragment, std::vector<uint32_t>& operands) {
  operands.push_back(static_cast<uint32_t>(fragment.registers.size()));
  for (const ir::MemoryAddress& place : fragment.registers) {
    operands.push_back(CompilePlace(b, place));
  }
}

void Multiply(CodeBuilder& b, const ir::MmaCall& call) {
  std::vector<uint32_t> operands = {static_cast<uint32_t>(call.form - ir::MmaForms().data())};
  for (const ir::Fragment* fragment : {&call.a, &call.b, &call.d, &call.c}) {
    Add(b, *fragment, operands);
  }
  const uint32_t at = b.AddOperands(operands);
  b.Emit({PublishFactorsStep, 0, at});
  b.Emit({MultiplyStep, 0, at});
}

void MoveRows(CodeBuilder& b, Step step, int count, bool transposed, const ir::MemoryAddress& row,
              const ir::Fragment& own) {
  std::vector<uint32_t> registers;
  Add(b, own, registers);
  const Reg at = CompilePlace(b, row);
  b.Emit({ExchangeStep, 0, kNone, b.AddOperands({at}), 1});
  b.Emit(
      {step, 0, 0, b.AddOperands(registers), static_cast<uint32_t>(count), transposed ? 1u : 0u});
}

// Copies complete immediately; the emulation finds reads that do not wait for them.
void Copy(CodeBuilder& b, const ir::AsyncCopy& copy) {
  const Reg condition = copy.condition == nullptr ? kNone : CompileScalarExpr(b, copy.condition);
  const Reg to = CompilePlace(b, copy.to), from = CompilePlace(b, copy.from);
  b.Emit({CopyBytesStep, 0, to, from, static_cast<uint32_t>(copy.bytes), condition});
}

bool Compile(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t) {
  if (const auto mma = ir::MmaCallOf(n)) {
    Multiply(b, *mma);
  } else if (const auto load = ir::LoadMatricesOf(n, t)) {
    MoveRows(b, LoadMatricesStep, load->count, load->transposed, load->row, load->to);
  } else if (const auto rows = ir::StoreMatricesOf(n)) {
    MoveRows(b, StoreMatricesStep, rows->count, rows->transposed, rows->row, rows->from);
  } else if (const auto copy = ir::AsyncCopyOf(n, t)) {
    Copy(b, *copy);
  } else if (const auto fill = ir::FillFragmentOf(n, t)) {
    Instr zeros{FillFragmentStep, 0, CompilePlace(b, fill->at), 0,
                static_cast<uint32_t>(fill->count)};
    zeros.type = fill->at.unit.element();
    b.Emit(zeros);
  } else if (const auto store = ir::StoreFragmentOf(n, t)) {
    const Reg from = CompilePlace(b, store->from), to = CompilePlace(b, store->to);
    Instr write{StoreFragmentStep, 0, from, to, CompileScalarExpr(b, store->stride)};
    write.type = store->from.unit.element();
    b.Emit(write);
  } else {
    return ir::CommitsCopies(n) || ir::CopiesLeft(n).has_value();
  }
  return true;
}

}  // namespace

std::optional<Lanes> CompileMatrixCall(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t) {
  if (!Compile(b, n, t)) return std::nullopt;
  return Lanes{b.ConstantReg(0)};
}

}  // namespace lathe::interp
