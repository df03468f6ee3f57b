// Emits LSTM layers as one loop over the time steps.
#ifndef LATHE_READER_TFLITE_OPS_LSTM_H_
#define LATHE_READER_TFLITE_OPS_LSTM_H_

#include <array>
#include <optional>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

enum LstmGate { kInputGate, kForgetGate, kCellGate, kOutputGate };

// The numbers of the inputs of one direction; -1: the operator has no such input.
struct LstmInputs {
  int x = 0, weights = 1, recurrent = 5, peephole = 9, bias = 12, projection = 16;
  int hidden = 18, cell = 19, norm = 20;
};

struct LstmForm {
  LstmInputs inputs;
  bool time_major = false, backwards = false;
  double cell_clip = 0, projection_clip = 0;
};

struct LstmResult {
  Operand output;        // with the dimensions of x but for the last
  Operand hidden, cell;  // after the last step
};

// Emits an LSTM of float values, with peepholes, a projection, and a forget gate that replaces the
// input gate.
absl::StatusOr<LstmResult> FloatLstm(OpCall& c, const LstmForm& form);
// Emits an LSTM of int8 or int16 values, with an int16 cell, bit-exact with TFLM.
absl::StatusOr<LstmResult> IntegerLstm(OpCall& c, const LstmForm& form);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_LSTM_H_
