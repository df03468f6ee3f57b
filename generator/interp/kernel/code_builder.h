// Builds Code: instructions, registers, and which register or view a name stands for.
//
// Whatever cannot be run (an intrinsic nobody knows, a variable without a value) becomes a trap at
// its place, so that a program which never gets there runs.
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

// A vector is one register a lane; a scalar has one lane.
using Lanes = absl::InlinedVector<Reg, 1>;

// Lane `n` of something with as many lanes, or with one for all.
inline Reg LaneAt(const Lanes& lanes, size_t n) { return lanes[lanes.size() == 1 ? 0 : n]; }

// Lanes of a vector dtype; what a scalable one has here.
constexpr int LaneCount(ir::DType t) {
  return t.lanes >= 0 ? (t.lanes == 0 ? 1 : t.lanes) : -t.lanes * kVscale;
}

class CodeBuilder {
 public:
  explicit CodeBuilder(bool of_sizes = false) : of_sizes_(of_sizes) {}

  Code& code() { return code_; }
  // Whether int64 is not computed as numbers are, but as sizes: SizeStep.
  bool of_sizes() const { return of_sizes_; }
  // True once the code has become too large; what is emitted after that is dropped.
  bool too_large() const { return too_large_; }

  uint32_t here() const { return static_cast<uint32_t>(code_.instrs.size()); }
  // Appends, placed at the current statement; the index is good for patching jumps.
  uint32_t Emit(Instr instr);
  Instr& at(uint32_t index) { return index < here() ? code_.instrs[index] : scratch_; }
  ir::StmtRef SetOrigin(ir::StmtRef stmt) { return std::exchange(origin_, stmt); }

  Reg NewReg();
  Reg NewRegs(uint32_t count);  // in a row
  Reg ConstantReg(Bits value);
  uint32_t AddOperands(const std::vector<uint32_t>& regs);

  // Traps.
  Reg Error(absl::string_view code, std::string message);
  Reg Unsupported(absl::string_view code, std::string message);
  uint32_t AddTrap(Blame blame, absl::string_view code, std::string message);

  // Names. A name is known until the Scope that was open when it was bound closes.
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

  // False, with a trap, when expressions or statements nest deeper than allowed.
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
  std::vector<std::pair<ir::PrimRef, Lanes>> bound_vars_;  // with what was hidden
  std::vector<std::pair<ir::BufferRef, uint32_t>> bound_buffers_;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_CODE_BUILDER_H_
