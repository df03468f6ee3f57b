// The lowered form: kernels in TIR, and the steps that call them, in order, over tensors.
//
//   main(x, y) -> out
//     add(x, y, out)
#ifndef LATHE_IR_PROGRAM_H_
#define LATHE_IR_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generator/ir/module.h"
#include "generator/ir/tir.h"
#include "generator/support/ids.h"

namespace lathe::ir {

using TensorId = Id<struct TensorTag>;
using KernelId = Id<struct KernelTag>;

// Where the bytes of a tensor are.
enum class Home {
  kInput,     // the caller's, read
  kOutput,    // the caller's, written
  kConstant,  // in the generated source
  kArena,     // planned
};

struct Tensor {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  Home home = Home::kArena;
  ConstantId constant;  // for kConstant

  uint64_t elements() const;
  uint64_t bytes() const { return StorageBytes(dtype, elements()); }
};

struct Kernel {
  std::string name;
  PrimFunc func;       // static shapes; a buffer parameter for each argument of a step
  std::string origin;  // what it comes from, for the comment above it
};

// Calls `kernel` with the tensors; without a kernel, copies args[0] to args[1].
struct Step {
  KernelId kernel;
  std::vector<TensorId> args;
};

// An exported function: "main" is run().
struct EntryPoint {
  std::string name;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::vector<Step> steps;
};

struct Program {
  IdVector<TensorId, Tensor> tensors;
  IdVector<KernelId, Kernel> kernels;
  std::vector<EntryPoint> entries;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PROGRAM_H_
