// Builds Code: emits instructions and maps names to registers and views.
//
// Code that cannot run (an unknown intrinsic, an unbound variable) becomes a trap instruction, so
// that a program that never reaches it runs.
#ifndef LATHE_INTERP_KERNEL_CODE_BUILDER_H_
#define LATHE_INTERP_KERNEL_CODE_BUILDER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "generator/interp/data/limits.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// The registers of a value: one per lane of a vector, one for a scalar.
using Lanes = absl::InlinedVector<Reg, 1>;

// Lane `n` of a vector; a scalar is broadcast.
inline Reg LaneAt(const Lanes& lanes, size_t n) { return lanes[lanes.size() == 1 ? 0 : n]; }

// The number of lanes of `t`; scalable vectors use kVscale.
constexpr int LaneCount(ir::DType t) {
  return t.lanes >= 0 ? (t.lanes == 0 ? 1 : t.lanes) : -t.lanes * kVscale;
}

class CodeBuilder {
 public:
  explicit CodeBuilder(bool of_sizes = false) : of_sizes_(of_sizes) {}

  Code& code() { return code_; }
  // Returns true if int64 arithmetic uses SizeStep, which checks for overflow.
  bool of_sizes() const { return of_sizes_; }
  // True once the code exceeds kMaxInstructions; further instructions are dropped.
  bool too_large() const { return too_large_; }

  uint32_t here() const { return static_cast<uint32_t>(code_.instrs.size()); }
  // Appends an instruction of the current statement. The returned index is used to patch jumps.
  uint32_t Emit(Instr instr);
  Instr& at(uint32_t index) { return index < here() ? code_.instrs[index] : scratch_; }
  ir::StmtRef SetOrigin(ir::StmtRef stmt) { return std::exchange(origin_, stmt); }

  Reg NewReg();
  Reg NewRegs(uint32_t count);  // consecutive
  Reg ConstantReg(Bits value);
  uint32_t AddOperands(const std::vector<uint32_t>& regs);

  // Traps.
  Reg Error(absl::string_view code, std::string message);
  Reg Unsupported(absl::string_view code, std::string message);
  uint32_t AddTrap(Blame blame, absl::string_view code, std::string message, Note note = {});

  // Names. A name is visible until the Scope in which it was bound closes.
  void Bind(ir::PrimRef var, Lanes lanes);
  const Lanes* Find(ir::PrimRef var) const;
  void BindBuffer(ir::BufferRef buffer, uint32_t view);
  const uint32_t* FindBuffer(ir::BufferRef buffer) const;
  uint32_t NewView(const ir::Buffer& buffer);

  class Scope {
   public:
    explicit Scope(CodeBuilder& b)
        : b_(b), vars_(b.bound_vars_.size()), buffers_(b.bound_buffers_.size()) {}
    ~Scope();
    Scope(const Scope&) = delete;

   private:
    CodeBuilder& b_;
    size_t vars_;
    size_t buffers_;
  };

  // ok() is false, after emitting a trap, when expressions or statements nest too deeply.
  class Nesting {
   public:
    explicit Nesting(CodeBuilder& b) : b_(b) { ++b_.depth_; }
    ~Nesting() { --b_.depth_; }
    Nesting(const Nesting&) = delete;
    bool ok();

   private:
    CodeBuilder& b_;
  };

 private:
  const bool of_sizes_;
  Code code_;
  Instr scratch_{};
  ir::StmtRef origin_ = nullptr;
  bool too_large_ = false;
  int depth_ = 0;
  absl::flat_hash_map<Bits, Reg> constants_;
  absl::flat_hash_map<ir::PrimRef, Lanes> vars_;
  absl::flat_hash_map<ir::BufferRef, uint32_t> views_;
  std::vector<std::pair<ir::PrimRef, Lanes>> bound_vars_;  // with the shadowed binding
  std::vector<std::pair<ir::BufferRef, uint32_t>> bound_buffers_;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_CODE_BUILDER_H_
