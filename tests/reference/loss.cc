#include "tests/reference/loss.h"

namespace lathe::reference {

Array CrossEntropyWithLogits(const Array& x, const Array& labels) {
  Array out(Shape{});
  ForEach(x.shape, [&](const Shape& at) { out[{}] -= x[at] * labels[at]; });
  if (x.rank() > 1) out[{}] /= static_cast<double>(x.shape[0]);
  return out;
}

namespace {

// Where in x the class of a target stands.
Shape Chosen(const Shape& target, double t) {
  Shape at = target;
  at.insert(at.begin() + (target.empty() ? 0 : 1), static_cast<int64_t>(t));
  return at;
}

double UsedWeights(const Array& targets, const Array& weights, double ignored) {
  double sum = 0;
  for (double t : targets.data) sum += t == ignored ? 0 : weights[{static_cast<int64_t>(t)}];
  return sum;
}

}  // namespace

Array NllLoss(const Array& x, const Array& targets, const Array& weights, const NllNumbers& n) {
  Array each(targets.shape);
  double sum = 0;
  ForEach(targets.shape, [&](const Shape& at) {
    const double t = targets[at];
    if (t == n.ignored) return;
    each[at] = -weights[{static_cast<int64_t>(t)}] * x[Chosen(at, t)];
    sum += each[at];
  });
  if (n.reduction == "none") return each;
  if (n.reduction == "mean") sum /= UsedWeights(targets, weights, n.ignored);
  return Array({}, sum);
}

Array NllLossGradient(const Array& g, const Array& x, const Array& targets, const Array& weights,
                      const NllNumbers& n) {
  Array out(x.shape);
  ForEach(targets.shape, [&](const Shape& at) {
    const double t = targets[at];
    if (t == n.ignored) return;
    double share = n.reduction == "none" ? g[at] : g.data[0];
    if (n.reduction == "mean") share /= UsedWeights(targets, weights, n.ignored);
    out[Chosen(at, t)] = -weights[{static_cast<int64_t>(t)}] * share;
  });
  return out;
}

}  // namespace lathe::reference
