#include "generator/writer/onnx/fuse_bias.h"

#include <utility>

#include "absl/strings/match.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/operands.h"

namespace lathe::onnx {
namespace {

// True for the shape of one element per channel: (1, C, 1, 1) or (C, 1, 1) for an image of rank 4.
bool IsPerChannel(const std::vector<int64_t>& dims, size_t rank, int64_t channels) {
  if (dims.size() > rank || dims.size() + 1 < rank) return false;
  const size_t missing = rank - dims.size();
  for (size_t a = 0; a < dims.size(); ++a) {
    if (dims[a] != (a + missing == 1 ? channels : 1)) return false;
  }
  return true;
}

// True for (N,) and (1, N).
bool IsPerColumn(const std::vector<int64_t>& dims, int64_t columns) {
  if (dims.empty() || dims.size() > 2 || dims.back() != columns) return false;
  return dims.size() == 1 || dims.front() == 1;
}

// True for the transposition of a matrix.
bool SwapsRowsAndColumns(const ir::Call& call) {
  if (call.op()->name != "relax.permute_dims") return false;
  const auto axes = ops::FindInts(call, "axes");
  return !axes || (axes->size() == 2 && ops::FromFront((*axes)[0], 2) == 1);
}

// The bias as a list.
std::string ListOfBias(CallWriter& w, const ir::Operand& bias, int64_t count) {
  if (const auto* id = bias.As<ir::ConstantId>()) {
    return w.graph().Constant(*id, {count}, w.graph().hint() + ".bias");
  }
  const ir::Call* call = w.DefinitionOf(bias);
  if (call != nullptr && call->op()->name == "relax.reshape") {
    // The program reshaped a list for the addition.
    const auto dims = w.KnownDims(call->args[0]);
    if (dims && dims->size() == 1) return w.NameOf(call->args[0], w.graph().hint() + ".bias");
  }
  const std::string name = w.NameOf(bias, "");
  const auto dims = w.KnownDims(bias);
  return dims && dims->size() == 1 ? name : w.Step("Reshape", {name, w.graph().Ints({count})});
}

std::optional<Written> ConvWithBias(CallWriter& w, const Node& node, const ir::Operand& product,
                                    const ir::Operand& bias) {
  const ir::TensorInfo* result = w.TensorOf(product);
  const auto dims = w.KnownDims(bias);
  if (result->dims() == nullptr || !dims || node.inputs.size() != 2) return std::nullopt;
  const int64_t* channels = ops::AsInt((*result->dims())[1]);
  if (channels == nullptr || !IsPerChannel(*dims, result->dims()->size(), *channels)) {
    return std::nullopt;
  }
  const std::string list = ListOfBias(w, bias, *channels);
  w.graph().Remove(node.outputs[0]);
  return w.Node(node.op, {node.inputs[0], node.inputs[1], list}, node.attributes);
}

std::optional<Written> Gemm(CallWriter& w, const Node& node, const ir::Call& product,
                            const ir::Operand& bias) {
  const auto weights = w.KnownDims(product.args[1]), dims = w.KnownDims(bias);
  const ir::TensorInfo* data = w.TensorOf(product.args[0]);
  if (!weights || weights->size() != 2 || data == nullptr || data->ndim != 2) return std::nullopt;
  if (!dims || !IsPerColumn(*dims, weights->back())) return std::nullopt;
  const std::string list = ListOfBias(w, bias, weights->back());
  const ir::Call* transpose = w.DefinitionOf(product.args[1]);
  w.graph().Remove(node.outputs[0]);
  if (transpose == nullptr || !SwapsRowsAndColumns(*transpose)) {
    return w.Node("Gemm", {node.inputs[0], node.inputs[1], list});
  }
  const std::string rows = w.NameOf(transpose->args[0], "");
  return w.Node("Gemm", {node.inputs[0], rows, list}, {IntAttribute("transB", 1)});
}

}  // namespace

std::optional<Written> FuseBias(CallWriter& w) {
  if (w.ResultType() != ir::DType::Float(32)) return std::nullopt;
  for (const size_t i : {0, 1}) {
    const ir::Operand& product = w.call().args[i];
    const ir::Operand& bias = w.call().args[1 - i];
    const ir::Call* call = w.DefinitionOf(product);
    if (call == nullptr || w.TensorOf(bias) == nullptr || w.UsesOf(product) != 1) continue;
    const Node* found = w.graph().FindNode(w.NameOf(product, ""));
    if (found == nullptr) continue;
    const Node node = *found;  // what computes the bias may follow it: it is removed and appended
    std::optional<Written> fused;
    if (absl::StartsWith(call->op()->name, "relax.nn.conv") && absl::StartsWith(node.op, "Conv")) {
      fused = ConvWithBias(w, node, product, bias);
    } else if (call->op()->name == "relax.matmul" && node.op == "MatMul") {
      fused = Gemm(w, node, *call, bias);
    }
    if (fused) return fused;
  }
  return std::nullopt;
}

}  // namespace lathe::onnx
