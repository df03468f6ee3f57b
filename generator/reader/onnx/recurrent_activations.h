// The activations of RNN, GRU and LSTM.
#ifndef LATHE_READER_ONNX_RECURRENT_ACTIVATIONS_H_
#define LATHE_READER_ONNX_RECURRENT_ACTIVATIONS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

struct Activation {
  std::string name;  // in small letters
  double alpha = 0, beta = 0;
};

// The activations that the node names, `defaults` for each direction where it names none, with
// their parameters: activation_alpha and activation_beta have an entry for each activation that
// takes one, in order, and for no other. Fails when there are fewer than `count`, or one is
// unknown.
absl::StatusOr<std::vector<Activation>> ActivationsOf(NodeCall& n,
                                                      const std::vector<std::string>& defaults,
                                                      int directions);

// What activations are given, clipped as the node says. LSTM's cell is given as it is, as ONNX
// Runtime has it.
Operand Clipped(NodeCall& n, const Operand& x);

// Applies the activation to each element of `x`.
Operand Activate(NodeCall& n, const Activation& activation, const Operand& x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RECURRENT_ACTIVATIONS_H_
