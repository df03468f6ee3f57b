// Declares the interface for the differences between routines in C, in CUDA for one device, and in
// CUDA for several devices.
//
// The printers of routines (print_routine, print_moves, print_frame, print_call_step, print_packed,
// print_need) are shared. They ask the dialect where the languages differ, and never which language
// it is. Every dialect implements everything, so that a forgotten case does not compile.
#ifndef LATHE_EMIT_C_ROUTINE_DIALECT_H_
#define LATHE_EMIT_C_ROUTINE_DIALECT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/emit/c/current_device.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/names/extern_name.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

struct Model;
struct Port;
struct PrintedKernel;
class MovePrinter;

// The names of a routine's variables for a pool.
struct PoolNames {
  // The variable for the end of the frame: "frame_size".
  std::string end;
  // The variable for the end of the frame and of the tensors allocated after it: "top".
  std::string top;
  // The suffix of the name of the function that computes the bytes it needs in the pool.
  std::string need_ending;
};

// A copy of a whole tensor. `source`, `target` and `bytes` are C expressions.
struct TensorCopy {
  const ir::Tensor& from;
  const ir::Tensor& to;
  std::string source;
  std::string target;
  std::string bytes;
};

// A read of an element that the routine itself needs, for example as a size or a condition.
struct ElementRead {
  const ir::Tensor& tensor;
  std::string pointer;  // a primary expression
  int64_t index = 0;
  std::string variable = {};  // the name to define, if a definition is needed; empty: any name
};

struct KernelCall {
  const PrintedKernel& kernel;
  std::vector<std::string> args;
  int device = 0;
};

// A call of an external function; its parts are expressions.
struct PackedCall {
  std::string callee;
  std::string args;  // an array
  size_t count = 0;
  std::string room;    // the arguments that say where the function allocates its result
  bool keeps = false;  // the result stays until the run ends
  int device = 0;
  std::string result;  // a variable
};

class RoutineDialect {
 public:
  virtual ~RoutineDialect() = default;

  // Returns the rules for the names of external functions.
  virtual const ExternRules& extern_rules() const = 0;
  virtual PoolNames NamesOf(const plan::PoolUse& pool) const = 0;
  // Returns the names that no variable of a routine may have, in addition to those that all
  // dialects reserve.
  virtual std::vector<std::string> ReservedNames(const Model& model) const = 0;
  // Returns true if routines have a parameter for the address of weights that are not in the
  // source.
  virtual bool PassesWeights() const = 0;
  // Return the last parameters of a routine, and the arguments that it forwards for them.
  virtual std::vector<std::string> LastParams(const Model& model,
                                              const std::vector<Port>& outputs) const = 0;
  virtual std::vector<std::string> LastArgs(const Model& model) const = 0;

  // Prints the lines that make `device` current.
  virtual void UseDevice(CurrentDevice& current, int device, LineWriter& out) const = 0;
  virtual void Wait(const ir::WaitStep& step, LineWriter& out) const = 0;

  virtual void Copy(Model& model, CurrentDevice& current, const TensorCopy& copy,
                    LineWriter& out) const = 0;
  // Prints the lines that set all bits of a tensor, at the address `target`.
  virtual absl::Status Fill(MovePrinter& moves, ir::TensorId tensor, const std::string& target,
                            const std::string& bytes, LineWriter& out) const = 0;
  // Prints the lines that move `tensors` to the start of the routine's frame.
  virtual absl::Status Return(MovePrinter& moves, const std::vector<ir::TensorId>& tensors,
                              LineWriter& out) const = 0;
  virtual CText Read(Model& model, CNames& names, const ElementRead& read,
                     LineWriter& out) const = 0;

  // Prints the lines that prepare the memory of `tensor`, which the next kernel writes.
  virtual absl::Status BeforeWrite(MovePrinter& moves, ir::TensorId tensor,
                                   LineWriter& out) const = 0;
  virtual void CallKernel(const Model& model, const KernelCall& call, LineWriter& out) const = 0;

  // Includes the headers that calls of external functions need.
  virtual void IncludePacked(CNeeds& needs) const = 0;
  virtual void CallPacked(CNames& names, const PackedCall& call, LineWriter& out) const = 0;
  // Returns the call that copies a tensor out of the value that an external function returned.
  virtual std::string TakeTensor(const std::string& args, int device) const = 0;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_ROUTINE_DIALECT_H_
