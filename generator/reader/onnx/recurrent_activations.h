// Reads and emits the activations of RNN, GRU and LSTM.
#ifndef LATHE_READER_ONNX_RECURRENT_ACTIVATIONS_H_
#define LATHE_READER_ONNX_RECURRENT_ACTIVATIONS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

struct Activation {
  std::string name;  // in lower case
  double alpha = 0, beta = 0;
};

// Returns the activations that the node names, or `defaults` for each direction. The attributes
// activation_alpha and activation_beta have one entry for each activation with such a parameter, in
// order. Missing entries have the defaults of ONNX. Fails, after a report, unless there are
// `defaults.size() * directions` known activations, or if an entry without a default is missing.
absl::StatusOr<std::vector<Activation>> ActivationsOf(NodeCall& n,
                                                      const std::vector<std::string>& defaults,
                                                      int directions);

// Clips the input of an activation to the attribute `clip`. The LSTM cell is not clipped, as in
// ONNX Runtime.
Operand Clipped(NodeCall& n, const Operand& x);

// Applies the activation to each element of `x`.
Operand Activate(NodeCall& n, const Activation& activation, const Operand& x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RECURRENT_ACTIVATIONS_H_
