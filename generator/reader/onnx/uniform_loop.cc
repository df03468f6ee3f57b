#include "generator/reader/onnx/uniform_loop.h"

#include <algorithm>
#include <utility>

#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/trial.h"

namespace lathe::onnx {
namespace {

bool IsTensor(const Term& term) { return term.operand || term.elements; }

// Returns true if dimensions and dtypes are equal.
bool HasEqualShape(NodeCall& n, Term& a, Term& b) {
  if (!IsTensor(a) || !IsTensor(b)) return false;
  const Operand x = Materialize(n.import(), a), y = Materialize(n.import(), b);
  const Dims dims = n.DimsOf(x), others = n.DimsOf(y);
  return n.TypeOf(x) == n.TypeOf(y) &&
         std::equal(dims.begin(), dims.end(), others.begin(), others.end(),
                    [&](PrimRef p, PrimRef q) {
                      return NodeCall::IntOf(n.Simplify(n.math().Sub(p, q))) == 0;
                    });
}

// Imports the first iteration on trial, for the shapes of its results.
bool TakesShapesOfFirst(NodeCall& n, UniformLoop& loop) {
  const Trial trial(n.import());
  absl::StatusOr<Iteration> first = loop.body(n.ir().Int(0), loop.states);
  if (!first.ok() || trial.ChecksShapes()) return false;
  for (size_t k = 0; k < loop.states.size(); ++k) {
    Term state = loop.states[k];
    if (!HasEqualShape(n, state, first->states[k])) return false;
  }
  for (size_t k = 0; k < loop.scan_outputs.size(); ++k) {
    if (!IsTensor(first->elements[k])) return false;
    const Operand element = Materialize(n.import(), first->elements[k]);
    loop.scan_outputs[k].dims = n.DimsOf(element);
    loop.scan_outputs[k].dtype = n.TypeOf(element);
    const int rank = static_cast<int>(loop.scan_outputs[k].dims.size()) + 1;
    const absl::StatusOr<int> axis = n.Axis(loop.scan_outputs[k].axis, rank);
    if (!axis.ok()) return false;
    loop.scan_outputs[k].axis = *axis;
  }
  return true;
}

}  // namespace

std::optional<std::vector<Term>> TryUniformLoop(NodeCall& n, UniformLoop loop) {
  if (n.import().folding || !TakesShapesOfFirst(n, loop)) return std::nullopt;
  Trial trial(n.import());
  RunTimeLoop emitted;
  emitted.most = loop.length;
  emitted.states = std::move(loop.states);
  emitted.scan_outputs = std::move(loop.scan_outputs);
  emitted.proves_shapes = true;
  emitted.body = [&](PrimRef iteration, const Operand&, const std::vector<Term>& states) {
    return loop.body(iteration, states);
  };
  const size_t mistakes = n.builder().premature().all().size();
  absl::StatusOr<std::vector<Term>> results = EmitRunTimeLoop(n, std::move(emitted));
  if (!results.ok() || trial.ChecksShapes()) return std::nullopt;
  if (n.builder().premature().all().size() != mistakes) return std::nullopt;
  trial.Keep();
  return *std::move(results);
}

}  // namespace lathe::onnx
