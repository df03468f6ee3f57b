#include "generator/writer/onnx/graph_writer.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/scalar.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/format/tensor_data.h"

namespace lathe::onnx {
namespace {

absl::string_view ViewOf(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Attribute IntAttribute(std::string name, int64_t value) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.type = AttributeType::kInt;
  attribute.i = value;
  return attribute;
}

Attribute FloatAttribute(std::string name, double value) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.type = AttributeType::kFloat;
  attribute.f = static_cast<float>(value);
  return attribute;
}

Attribute TextAttribute(std::string name, std::string value) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.type = AttributeType::kString;
  attribute.s = std::move(value);
  return attribute;
}

Attribute IntsAttribute(std::string name, std::vector<int64_t> values) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.type = AttributeType::kInts;
  attribute.ints = std::move(values);
  return attribute;
}

Attribute GraphAttribute(std::string name, Graph graph) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.type = AttributeType::kGraph;
  attribute.graph = std::make_shared<const Graph>(std::move(graph));
  return attribute;
}

std::string GraphWriter::Fresh(absl::string_view hint) {
  const std::string base(hint.empty() ? "value" : hint);
  std::string name = base;
  // A numbered name can be taken by a variable of that name.
  for (int& count = names_[base]; names_.contains(name) && count > 0; ++count) {
    name = absl::StrCat(base, "_", count);
  }
  ++names_[name];
  if (name != base) ++names_[base];
  return name;
}

void GraphWriter::Declare(const std::string& name, ir::DType dtype) {
  dtypes_[name] = dtype;
  if (dtype.bits == 4) opset = std::max(opset, kSecondOpset);
}

std::string GraphWriter::Emit(absl::string_view op, std::vector<std::string> inputs,
                              std::vector<Attribute> attributes, absl::string_view hint) {
  return EmitSeveral(op, std::move(inputs), std::move(attributes), 1, hint)[0];
}

std::vector<std::string> GraphWriter::EmitSeveral(absl::string_view op,
                                                  std::vector<std::string> inputs,
                                                  std::vector<Attribute> attributes, size_t outputs,
                                                  absl::string_view hint) {
  Node node;
  node.op = std::string(op);
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  while (!node.inputs.empty() && node.inputs.back().empty()) node.inputs.pop_back();
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(Fresh(hint.empty() ? hint_ : hint));
  node.name = node.outputs[0];
  std::vector<ir::DType> operands;
  for (const std::string& input : node.inputs) {
    const auto found = dtypes_.find(input);
    operands.push_back(found == dtypes_.end() ? ir::DType::Void() : found->second);
  }
  const NodeTypes types = TypesOf(node, operands);
  if (failure_.empty()) failure_ = types.failure;
  opset = std::max(opset, types.opset);
  for (size_t i = 0; i < outputs; ++i) dtypes_[node.outputs[i]] = types.results[i];
  current_.nodes.push_back(node);
  return node.outputs;
}

const Node* GraphWriter::FindNode(absl::string_view name) const {
  for (size_t i = current_.nodes.size(); i-- > 0;) {
    if (current_.nodes[i].outputs[0] == name) return &current_.nodes[i];
  }
  return nullptr;
}

void GraphWriter::Remove(absl::string_view name) {
  for (size_t i = current_.nodes.size(); i-- > 0;) {
    if (current_.nodes[i].outputs[0] != name) continue;
    current_.nodes.erase(current_.nodes.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

std::string GraphWriter::Constant(ir::ConstantId id, absl::string_view hint) {
  return Constant(id, module_.constants[id].shape, hint);
}

std::string GraphWriter::Constant(ir::ConstantId id, std::vector<int64_t> shape,
                                  absl::string_view hint) {
  std::string& name = constants_[{id, shape}];
  if (!name.empty()) return name;
  const ir::Constant& constant = module_.constants[id];
  Tensor tensor;
  tensor.dims = std::move(shape);
  tensor.type = ElementTypeOf(constant.dtype);
  tensor.raw = ViewOf(*constant.bytes);
  name = Initializer(std::move(tensor), constant.dtype, hint);
  return name;
}

std::string GraphWriter::Ints(const std::vector<int64_t>& values, absl::string_view hint) {
  std::string bytes(values.size() * 8, '\0');
  auto* data = reinterpret_cast<uint8_t*>(bytes.data());
  const ir::DType dtype = ir::DType::Int(64);
  for (size_t i = 0; i < values.size(); ++i) {
    interp::WriteElement(data, dtype, i, interp::FromInt64(dtype, values[i]));
  }
  std::string& name = scalars_[absl::StrCat("list ", bytes)];
  if (!name.empty()) return name;
  Tensor tensor;
  tensor.dims = {static_cast<int64_t>(values.size())};
  tensor.type = kInt64Type;
  tensor.raw = Own(std::move(bytes));
  name = Initializer(std::move(tensor), dtype, hint);
  return name;
}

std::string GraphWriter::Number(double value, ir::DType dtype) {
  std::string bytes(ir::StorageBytes(dtype, 1), '\0');
  interp::WriteElement(reinterpret_cast<uint8_t*>(bytes.data()), dtype, 0,
                       interp::FromDouble(dtype, value));
  return Scalar(std::move(bytes), dtype);
}

std::string GraphWriter::Integer(int64_t value, ir::DType dtype) {
  std::string bytes(ir::StorageBytes(dtype, 1), '\0');
  interp::WriteElement(reinterpret_cast<uint8_t*>(bytes.data()), dtype, 0,
                       interp::FromInt64(dtype, value));
  return Scalar(std::move(bytes), dtype);
}

std::string GraphWriter::Scalar(std::string bytes, ir::DType dtype) {
  std::string& name = scalars_[absl::StrCat(ToString(dtype), " ", bytes)];
  if (!name.empty()) return name;
  Tensor tensor;
  tensor.type = ElementTypeOf(dtype);
  tensor.raw = Own(std::move(bytes));
  name = Initializer(std::move(tensor), dtype, "number");
  return name;
}

std::string GraphWriter::Initializer(Tensor tensor, ir::DType dtype, absl::string_view hint) {
  tensor.name = Fresh(hint);
  Declare(tensor.name, dtype);
  initializers_.push_back(tensor);
  return tensor.name;
}

absl::string_view GraphWriter::Own(std::string bytes) {
  owned_.push_back(std::move(bytes));
  return owned_.back();
}

Graph GraphWriter::Finish(std::string name) {
  current_.name = std::move(name);
  current_.initializers = initializers_;
  return std::move(current_);
}

}  // namespace lathe::onnx
