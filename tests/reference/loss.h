// Losses and their gradients, as PyTorch defines them.
#ifndef LATHE_TESTS_REFERENCE_LOSS_H_
#define LATHE_TESTS_REFERENCE_LOSS_H_

#include <string>

#include "tests/reference/array.h"

namespace lathe::reference {

// -sum of x * labels; divided by the batch, which axis 0 is when there are more than one.
Array CrossEntropyWithLogits(const Array& x, const Array& labels);

struct NllNumbers {
  std::string reduction;  // "none", "sum", "mean"
  double ignored = -100;
};

// x is [N, C, ...] or [C], the targets are [N, ...] or a scalar: -weight[t] * x[n, t, ...]. The
// mean divides by the weights that were used.
Array NllLoss(const Array& x, const Array& targets, const Array& weights, const NllNumbers& n);
// What comes back to x from `g`, which came to the loss.
Array NllLossGradient(const Array& g, const Array& x, const Array& targets, const Array& weights,
                      const NllNumbers& n);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_LOSS_H_
