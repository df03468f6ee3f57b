// Defines the code that PrimFuncs are compiled to: a list of small steps on numbered registers.
//
//   for i in range(n): B[i] = A[i] + 1        0 loop    i <- min 0, extent n, else go to 6
//                                             2 load    r5 <- A[i]
//                                             3 add     r6 <- r5, r0        (r0 holds 1)
//                                             4 store   B[i] <- r6
//                                             5 next    i, back to 2
//
// Code has no names: a variable is a register, a buffer a view number, a vector one register per
// lane. Every access checks every index. A step returns the next instruction, or null to stop.
#ifndef LATHE_INTERP_KERNEL_TIR_CODE_H_
#define LATHE_INTERP_KERNEL_TIR_CODE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/tir.h"
#include "generator/support/diagnostics.h"

namespace lathe::interp {

struct Instr;
struct Thread;
using Step = const Instr* (*)(Thread&, const Instr*);
using Reg = uint32_t;
inline constexpr uint32_t kNone = ~uint32_t{0};

struct Instr {
  Step step;
  uint32_t dst = 0;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
  uint32_t d = 0;
  ir::DType type;  // of the operands
  ir::DType to;    // of the result, if different
};

// Facts about a buffer that messages and checks need.
struct BufferInfo {
  std::string name;
  ir::DType dtype;  // with lanes
  std::string scope;
  bool strided = false;
  Location loc;
};

// The message of a trap.
struct TrapInfo {
  Blame blame;
  std::string code;
  std::string message;
  Note note;  // no note if its message is empty
};

// An argument of a call from a PrimFunc to another function.
struct CallArg {
  enum class Kind { kScalar, kPointer, kTensor, kString } kind = Kind::kScalar;
  Reg reg = 0;         // the scalar or pointer
  ir::DType dtype;     // of the scalar, the elements pointed at, or the tensor
  uint32_t shape = 0;  // kTensor: where its dims start among the operands, and how many
  uint32_t ndim = 0;
  std::string text;  // kString
};
struct CallInfo {
  enum class Kind { kGlobal, kExtern } kind = Kind::kExtern;
  std::string name;
  std::vector<CallArg> args;
  ir::DType ret;
};

// A parameter of the code.
struct ParamInfo {
  std::string name;
  ir::DType dtype;       // of the scalar, or of the buffer's elements
  ir::BufferRef buffer;  // null: a scalar or a bare pointer
  bool pointer = false;
  Location loc;
};

struct Code {
  std::string name;  // the function's, for messages
  std::vector<Instr> instrs;
  std::vector<ir::StmtRef> origins;  // of each instruction; null: none
  std::vector<uint32_t> operands;    // index lists and the like
  std::vector<Bits> registers;       // initial values, including constants
  std::vector<BufferInfo> buffers;   // by view number
  std::vector<std::vector<Bits>> constants;
  std::vector<TrapInfo> traps;
  std::vector<CallInfo> calls;
  std::vector<ParamInfo> params;
  uint32_t memories = 1;  // slot 0 is the null pointer's
  Reg result = kNone;
  ir::DType result_dtype;
};

// A strided view of the elements in a block of memory.
struct View {
  struct Dim {
    int64_t extent;
    int64_t stride;
  };
  std::shared_ptr<Storage> memory;
  uint8_t* data = nullptr;
  uint64_t limit = 0;  // scalar elements from `data` to the end of the memory
  int64_t offset = 0;  // in elements
  absl::InlinedVector<Dim, 4> dims;
};

// A pointer in a register: the slot of the memory in the high bits, the byte offset in the low
// bits.
inline constexpr int kPointerShift = 40;
constexpr Bits MakePointer(uint64_t slot, uint64_t offset) {
  return slot << kPointerShift | (offset & ((uint64_t{1} << kPointerShift) - 1));
}
constexpr uint64_t SlotOf(Bits pointer) { return pointer >> kPointerShift; }
constexpr uint64_t OffsetOf(Bits pointer) { return pointer & ((uint64_t{1} << kPointerShift) - 1); }

struct Pointer {
  std::shared_ptr<Storage> memory;  // null: the null pointer
  uint64_t offset = 0;
};
using PrimArg = std::variant<Scalar, Pointer, TensorRef, std::string>;

// Calls functions on behalf of a PrimFunc. The callee reports its errors.
class PrimCalls {
 public:
  virtual ~PrimCalls() = default;
  virtual absl::StatusOr<Scalar> Call(const CallInfo& call, std::vector<PrimArg> args,
                                      const Location& loc) = 0;
};

// The state that all threads of a run share.
struct Machine {
  const Code* code;
  const std::vector<PrimArg>* args;
  std::shared_ptr<MemoryBudget> budget;
  int64_t* steps_left;  // loop iterations, calls and bindings; never reaches 0 without a limit
  PrimCalls* calls;
  Diagnostics* diags;
  Location called_at;
};

struct ThreadGroup;  // thread_group.h

struct Thread {
  enum class State {
    kRunning,
    kDone,
    kAtBarrier,
    kExchanging,
    kAwaiting,
    kSpinning,
    kSplit,
    kFailed
  };

  Machine* machine = nullptr;
  Bits* regs = nullptr;  // register_file's, for speed
  const uint32_t* operands = nullptr;
  std::vector<Bits> register_file;
  std::vector<View> views;
  std::vector<std::shared_ptr<Storage>> memories;
  State state = State::kRunning;

  // Only for concurrent threads.
  ThreadGroup* group = nullptr;
  int parent = -1;
  int children = 0;
  const Instr* resume = nullptr;
  uint32_t index[3] = {0, 0, 0};  // threadIdx.x, y, z
  uint32_t awaited = 0;           // kExchanging: lanes of its warp to wait for
  std::vector<Bits> published;    // values for others at the next synchronization point
  std::vector<Bits> snapshot;     // values that were published at the last one
  size_t cursor = 0;              // of a reduction over the threads

  // For spin waits: the last value read at each pointer, and how often in a row it was unchanged.
  std::map<Bits, Bits> last_reads;
  uint64_t unchanged_reads = 0;
  bool others_ran = false;  // other threads ran since the last read

  // Begin a message that points at the statement of `at`. When the statement has no location, the
  // message points at the call of the function.
  DiagnosticBuilder Error(const Instr* at, absl::string_view code);
  DiagnosticBuilder Unsupported(const Instr* at, absl::string_view code);
  DiagnosticBuilder LimitExceeded(const Instr* at, absl::string_view code);
  // Marks the thread as failed and returns null. Use: return t.Stop(t.Error(i, "...") << "...");
  const Instr* Stop(DiagnosticBuilder&& reported);
  Location Place(const Instr* at) const;
};

// Returns a thread at the start of `machine`'s code.
Thread StartThread(Machine* machine);

// Runs from `pc` until a step stops.
inline void RunSteps(Thread& t, const Instr* pc) {
  while (pc != nullptr) pc = pc->step(t, pc);
}

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_TIR_CODE_H_
