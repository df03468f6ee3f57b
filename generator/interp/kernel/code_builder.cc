#include "generator/interp/kernel/code_builder.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/control_steps.h"

namespace lathe::interp {

uint32_t CodeBuilder::Emit(Instr instr) {
  if (code_.instrs.size() >= static_cast<size_t>(kMaxInstructions)) {
    too_large_ = true;
    return here();
  }
  code_.instrs.push_back(instr);
  code_.origins.push_back(origin_);
  return here() - 1;
}

Reg CodeBuilder::NewReg() { return NewRegs(1); }

Reg CodeBuilder::NewRegs(uint32_t count) {
  // kMaxInstructions bounds registers too, but lanes are requested before instructions fill them.
  if (code_.registers.size() + count > size_t{4} * kMaxInstructions) {
    too_large_ = true;
    return 0;
  }
  code_.registers.resize(code_.registers.size() + count, 0);
  return static_cast<Reg>(code_.registers.size() - count);
}

Reg CodeBuilder::ConstantReg(Bits value) {
  const auto [it, fresh] = constants_.try_emplace(value, 0);
  if (fresh) {
    it->second = NewReg();
    code_.registers[it->second] = value;
  }
  return it->second;
}

uint32_t CodeBuilder::AddOperands(const std::vector<uint32_t>& regs) {
  const size_t start = code_.operands.size();
  if (start + regs.size() > size_t{8} * kMaxInstructions) {
    too_large_ = true;
    return 0;
  }
  code_.operands.insert(code_.operands.end(), regs.begin(), regs.end());
  return static_cast<uint32_t>(start);
}

uint32_t CodeBuilder::AddTrap(Blame blame, absl::string_view code, std::string message, Note note) {
  code_.traps.push_back({blame, std::string(code), std::move(message), std::move(note)});
  return static_cast<uint32_t>(code_.traps.size() - 1);
}

Reg CodeBuilder::Error(absl::string_view code, std::string message) {
  Emit({TrapStep, 0, AddTrap(Blame::kMalformed, code, std::move(message))});
  return ConstantReg(0);
}

Reg CodeBuilder::Unsupported(absl::string_view code, std::string message) {
  Emit({TrapStep, 0, AddTrap(Blame::kUnsupported, code, std::move(message))});
  return ConstantReg(0);
}

void CodeBuilder::Bind(ir::PrimRef var, Lanes lanes) {
  Lanes& slot = vars_[var];
  bound_vars_.emplace_back(var, std::move(slot));
  slot = std::move(lanes);
}

const Lanes* CodeBuilder::Find(ir::PrimRef var) const {
  const auto it = vars_.find(var);
  return it == vars_.end() ? nullptr : &it->second;
}

void CodeBuilder::BindBuffer(ir::BufferRef buffer, uint32_t view) {
  const auto it = views_.find(buffer);
  bound_buffers_.emplace_back(buffer, it == views_.end() ? kNone : it->second);
  views_[buffer] = view;
}

const uint32_t* CodeBuilder::FindBuffer(ir::BufferRef buffer) const {
  const auto it = views_.find(buffer);
  return it == views_.end() ? nullptr : &it->second;
}

uint32_t CodeBuilder::NewView(const ir::Buffer& buffer) {
  code_.buffers.push_back(
      {buffer.name, buffer.dtype, buffer.scope, !buffer.strides.empty(), buffer.loc});
  return static_cast<uint32_t>(code_.buffers.size() - 1);
}

CodeBuilder::Scope::~Scope() {
  while (b_.bound_vars_.size() > vars_) {
    auto& [var, hidden] = b_.bound_vars_.back();
    if (hidden.empty()) {
      b_.vars_.erase(var);
    } else {
      b_.vars_[var] = std::move(hidden);
    }
    b_.bound_vars_.pop_back();
  }
  while (b_.bound_buffers_.size() > buffers_) {
    const auto& [buffer, hidden] = b_.bound_buffers_.back();
    if (hidden == kNone) {
      b_.views_.erase(buffer);
    } else {
      b_.views_[buffer] = hidden;
    }
    b_.bound_buffers_.pop_back();
  }
}

bool CodeBuilder::Nesting::ok() {
  if (b_.depth_ <= kMaxNesting) return true;
  b_.Emit({TrapStep, 0,
           b_.AddTrap(Blame::kLimit, "run-nesting-limit",
                      absl::StrCat("nested deeper than ", kMaxNesting, " levels"))});
  return false;
}

}  // namespace lathe::interp
