#include "generator/reader/onnx/written_out_turns.h"

#include <algorithm>
#include <utility>

#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Operand> Stack(NodeCall& n, std::vector<Term>& items, int64_t axis, bool backwards) {
  if (items.empty()) return n.Unsupported() << "a loop that gives no elements";
  if (backwards) std::reverse(items.begin(), items.end());
  Operands tensors;
  for (Term& item : items) {
    if (!item.operand && !item.elements) return n.Unsupported() << "elements that are no tensors";
    tensors.push_back(Materialize(n.import(), item));
  }
  LATHE_ASSIGN_OR_RETURN(const int at, n.Axis(axis, n.Rank(tensors[0]) + 1));
  return n.Op("relax.stack", {transform::BlockBuilder::Tuple(std::move(tensors))}, {{"axis", at}});
}

}  // namespace lathe::onnx
