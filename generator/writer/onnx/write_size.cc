#include "generator/writer/onnx/write_size.h"

#include <utility>
#include <vector>

#include "generator/ops/args/operands.h"
#include "generator/writer/onnx/floor_divide.h"

namespace lathe::onnx {
namespace {

// Nodes are emitted to the current graph and not shared: a branch cannot pass them to the graph
// around it.
class SizeWriter {
 public:
  explicit SizeWriter(GraphWriter& graph) : graph_(graph) {}

  std::string Write(ir::PrimRef e) {
    if (const int64_t* known = ops::AsInt(e)) return graph_.Ints({*known});
    if (e->As<ir::SymVar>() != nullptr) return Variable(e);
    if (const auto* cast = e->As<ir::Cast>()) {
      return cast->value->dtype().is_integer() ? Write(cast->value) : "";
    }
    if (const auto* unary = e->As<ir::Unary>()) {
      if (unary->op != ir::UnaryOp::kNeg) return "";
      const std::string value = Write(unary->value);
      return value.empty() ? "" : Emit("Neg", {value});
    }
    if (const auto* select = e->As<ir::Select>()) {
      const std::string cond = Write(select->cond), a = Write(select->if_true),
                        b = Write(select->if_false);
      return cond.empty() || a.empty() || b.empty() ? "" : Emit("Where", {cond, a, b});
    }
    const auto* binary = e->As<ir::Binary>();
    if (binary == nullptr) return "";
    const std::string a = Write(binary->lhs), b = Write(binary->rhs);
    return a.empty() || b.empty() ? "" : Binary(binary->op, a, b);
  }

 private:
  std::string Emit(absl::string_view op, std::vector<std::string> inputs,
                   std::vector<Attribute> attributes = {}) {
    return graph_.Emit(op, std::move(inputs), std::move(attributes), "size");
  }

  std::string Variable(ir::PrimRef var) {
    const auto found = graph_.dim_sources.find(var);
    if (found == graph_.dim_sources.end()) return "";
    return Emit(
        "Shape", {found->second.tensor},
        {IntAttribute("start", found->second.axis), IntAttribute("end", found->second.axis + 1)});
  }

  std::string Binary(ir::BinaryOp op, const std::string& a, const std::string& b) {
    switch (op) {
      case ir::BinaryOp::kAdd:
        return Emit("Add", {a, b});
      case ir::BinaryOp::kSub:
        return Emit("Sub", {a, b});
      case ir::BinaryOp::kMul:
        return Emit("Mul", {a, b});
      case ir::BinaryOp::kDiv:
        return Emit("Div", {a, b});
      case ir::BinaryOp::kMod:
        return Emit("Mod", {a, b}, {IntAttribute("fmod", 1)});
      case ir::BinaryOp::kFloorDiv:
        return FloorDivide(a, b, ir::DType::Int(64),
                           [this](absl::string_view name, std::vector<std::string> operands,
                                  std::vector<Attribute> attributes) {
                             return Emit(name, std::move(operands), std::move(attributes));
                           });
      case ir::BinaryOp::kFloorMod:
        return Emit("Mod", {a, b});
      case ir::BinaryOp::kMin:
        return Emit("Min", {a, b});
      case ir::BinaryOp::kMax:
        return Emit("Max", {a, b});
      case ir::BinaryOp::kEq:
        return Emit("Equal", {a, b});
      case ir::BinaryOp::kLt:
        return Emit("Less", {a, b});
      case ir::BinaryOp::kLe:
        return Emit("LessOrEqual", {a, b});
      case ir::BinaryOp::kGt:
        return Emit("Greater", {a, b});
      case ir::BinaryOp::kGe:
        return Emit("GreaterOrEqual", {a, b});
      default:
        return "";
    }
  }

  GraphWriter& graph_;
};

}  // namespace

std::string WriteSize(GraphWriter& graph, ir::PrimRef size) {
  return SizeWriter(graph).Write(size);
}

}  // namespace lathe::onnx
