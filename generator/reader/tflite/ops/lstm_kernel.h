// Describes the kernel of an LSTM layer, and emits its loop over time steps.
#ifndef LATHE_READER_TFLITE_OPS_LSTM_KERNEL_H_
#define LATHE_READER_TFLITE_OPS_LSTM_KERNEL_H_

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "generator/reader/tflite/ops/lstm.h"
#include "generator/reader/tflite/ops/time_steps.h"

namespace lathe::tflite {

inline constexpr int kLstmGates = 4;

// Maps the inputs that are present to inputs of the kernel.
class KernelInputs {
 public:
  explicit KernelInputs(OpCall& c) : c_(c) {}

  // Checks the shape. Returns the number of the input in the kernel; -1: it is absent.
  absl::StatusOr<int> Add(int input, const std::vector<int64_t>& shape);
  int Add(Operand constant) {
    args_.push_back(std::move(constant));
    return static_cast<int>(args_.size()) - 1;
  }
  const Operands& args() const { return args_; }

 private:
  OpCall& c_;
  Operands args_;
};

// The sizes of a layer, and the numbers of its inputs in the kernel; -1: absent.
struct LstmKernel {
  TimeSteps at;
  int64_t units = 0, outputs = 0;
  int x = -1, hidden = -1, cell = -1, projection = -1, projection_bias = -1;
  std::array<int, kLstmGates> weights = {}, recurrent = {}, bias = {}, peephole = {}, norm = {};

  bool normalized() const { return norm[kForgetGate] >= 0; }
};
absl::StatusOr<LstmKernel> LstmKernelOf(OpCall& c, const LstmForm& form, KernelInputs& in);

// Accumulates `count` products in `sum`.
void AddProducts(ops::Statements& s, ScalarMath& m, BufferRef sum, int64_t count,
                 const std::function<PrimRef(PrimRef k)>& product);

struct LstmBuffers {
  BufferRef hidden, cell, output;
};
// Emits the loop. `run` computes the gates, the new cell and the new hidden values of a row.
void EmitLstm(Te& te, const LstmKernel& k, const LstmBuffers& to,
              const std::function<void(ops::Statements&, PrimRef step, PrimRef row)>& run);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_LSTM_KERNEL_H_
