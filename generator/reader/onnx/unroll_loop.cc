#include "generator/reader/onnx/unroll_loop.h"

#include <algorithm>
#include <utility>

#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Operand> Stack(NodeCall& n, std::vector<Term>& items, int64_t axis, bool backwards) {
  if (items.empty()) return n.Unsupported() << "a loop without iterations is not supported";
  if (backwards) std::reverse(items.begin(), items.end());
  Operands tensors;
  for (Term& item : items) {
    if (!item.operand && !item.elements)
      return n.Unsupported() << "scan outputs that are not tensors are not supported";
    tensors.push_back(Materialize(n.import(), item));
  }
  LATHE_ASSIGN_OR_RETURN(const int at, n.Axis(axis, n.Rank(tensors[0]) + 1));
  return n.Op("relax.stack", {transform::BlockBuilder::Tuple(std::move(tensors))}, {{"axis", at}});
}

absl::StatusOr<std::vector<ScanOutput>> ScanOutputsWithoutIterations(
    NodeCall& n, const Graph& body, const std::vector<Term>& inputs, size_t states) {
  std::vector<ScanOutput> elements;
  for (size_t k = states; k < body.outputs.size(); ++k) {
    const auto dims = DimsOf(n.import(), body.outputs[k].type);
    const auto dtype = DTypeOf(body.outputs[k].type.element_type);
    if (dims && dtype) elements.push_back({*dims, *dtype});
  }
  if (elements.size() == body.outputs.size() - states) return elements;
  elements.clear();
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                         ImportSubgraph(n.import(), n.scope(), body, inputs));
  for (size_t k = states; k < results.size(); ++k) {
    if (!results[k].operand && !results[k].elements) {
      return n.Unsupported() << "scan outputs that are not tensors are not supported";
    }
    const Operand element = Materialize(n.import(), results[k]);
    elements.push_back({n.DimsOf(element), n.TypeOf(element)});
  }
  return elements;
}

Operand EmptyScanOutput(NodeCall& n, const ScanOutput& element, int axis) {
  Dims dims = element.dims;
  dims.insert(dims.begin() + axis, n.ir().Int(0));
  return n.Op("relax.zeros", {NodeCall::Shape(std::move(dims))}, {{"dtype", element.dtype}});
}

}  // namespace lathe::onnx
