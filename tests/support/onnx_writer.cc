#include "tests/support/onnx_writer.h"

#include <bit>

#include "generator/support/match.h"

namespace lathe::testing {
namespace {

std::string FloatBytes(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(bits >> (8 * i));
  return bytes;
}

std::string ValueInfo(const std::string& name, int type, const std::vector<OnnxDim>& dims) {
  WireWriter shape;
  for (const OnnxDim& dim : dims) {
    WireWriter one;
    Match(
        dim, [&](int64_t size) { one.Varint(1, size); },
        [&](const std::string& param) { one.Bytes(2, param); });
    shape.Bytes(1, one.bytes());
  }
  WireWriter tensor;
  tensor.Varint(1, type).Bytes(2, shape.bytes());
  WireWriter info;
  info.Bytes(1, name).Bytes(2, WireWriter().Bytes(1, tensor.bytes()).bytes());
  return info.bytes();
}

// The numbers of the types are AttributeProto's.
std::string Attribute(const OnnxAttribute& a) {
  WireWriter out;
  out.Bytes(1, a.name);
  Match(
      a.value, [&](int64_t v) { out.Varint(3, v).Varint(20, 2); },
      [&](float v) { out.Float(2, v).Varint(20, 1); },
      [&](const std::string& v) { out.Bytes(4, v).Varint(20, 3); },
      [&](const std::vector<int64_t>& list) {
        for (const int64_t v : list) out.Varint(8, v);
        out.Varint(20, 7);
      },
      [&](const std::vector<float>& list) {
        for (const float v : list) out.Float(7, v);
        out.Varint(20, 6);
      },
      [&](const std::vector<std::string>& list) {
        for (const std::string& v : list) out.Bytes(9, v);
        out.Varint(20, 8);
      });
  return out.bytes();
}

WireWriter NodeMessage(const std::string& op, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
  WireWriter node;
  for (const std::string& name : inputs) node.Bytes(1, name);
  for (const std::string& name : outputs) node.Bytes(2, name);
  node.Bytes(3, op + "_node").Bytes(4, op);
  return node;
}

}  // namespace

void WireWriter::Raw(uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

WireWriter& WireWriter::Varint(uint32_t field, int64_t value) {
  Raw(uint64_t{field} << 3);
  Raw(static_cast<uint64_t>(value));
  return *this;
}

WireWriter& WireWriter::Float(uint32_t field, float value) {
  Raw(uint64_t{field} << 3 | 5);
  bytes_ += FloatBytes(value);
  return *this;
}

WireWriter& WireWriter::Bytes(uint32_t field, const std::string& bytes) {
  Raw(uint64_t{field} << 3 | 2);
  Raw(bytes.size());
  bytes_ += bytes;
  return *this;
}

std::string OnnxNode(const std::string& op, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs,
                     const std::vector<OnnxAttribute>& attributes, const std::string& domain) {
  WireWriter node = NodeMessage(op, inputs, outputs);
  for (const OnnxAttribute& a : attributes) node.Bytes(5, Attribute(a));
  node.Bytes(7, domain);
  return node.bytes();
}

OnnxGraph& OnnxGraph::Node(const std::string& op, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs,
                           const std::vector<OnnxAttribute>& attributes,
                           const std::string& domain) {
  graph_.Bytes(1, OnnxNode(op, inputs, outputs, attributes, domain));
  return *this;
}

OnnxGraph& OnnxGraph::Node(const std::string& op, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs,
                           const std::vector<std::pair<std::string, OnnxGraph>>& graphs,
                           const std::vector<OnnxAttribute>& attributes,
                           const std::string& domain) {
  WireWriter node = NodeMessage(op, inputs, outputs);
  if (!domain.empty()) node.Bytes(7, domain);
  for (const OnnxAttribute& a : attributes) node.Bytes(5, Attribute(a));
  for (const auto& [name, graph] : graphs) {
    node.Bytes(5, WireWriter().Bytes(1, name).Bytes(6, graph.bytes()).Varint(20, 5).bytes());
  }
  graph_.Bytes(1, node.bytes());
  return *this;
}

OnnxGraph& OnnxGraph::Input(const std::string& name, int type, const std::vector<OnnxDim>& dims) {
  graph_.Bytes(11, ValueInfo(name, type, dims));
  return *this;
}

OnnxGraph& OnnxGraph::Output(const std::string& name, int type, const std::vector<OnnxDim>& dims) {
  graph_.Bytes(12, ValueInfo(name, type, dims));
  return *this;
}

OnnxGraph& OnnxGraph::Output(const std::string& name) {
  graph_.Bytes(12, WireWriter().Bytes(1, name).bytes());
  return *this;
}

OnnxGraph& OnnxGraph::Floats(const std::string& name, const std::vector<int64_t>& dims,
                             const std::vector<float>& values) {
  WireWriter tensor;
  for (const int64_t dim : dims) tensor.Varint(1, dim);
  tensor.Varint(2, 1).Bytes(8, name);
  std::string raw;
  for (const float v : values) raw += FloatBytes(v);
  tensor.Bytes(9, raw);
  return Initializer(tensor.bytes());
}

OnnxGraph& OnnxGraph::Ints(const std::string& name, const std::vector<int64_t>& dims,
                           const std::vector<int64_t>& values) {
  WireWriter tensor;
  for (const int64_t dim : dims) tensor.Varint(1, dim);
  tensor.Varint(2, 7).Bytes(8, name);
  for (const int64_t v : values) tensor.Varint(7, v);
  return Initializer(tensor.bytes());
}

std::string OnnxModel::Bytes() const {
  WireWriter model;
  model.Varint(1, ir_version).Bytes(7, bytes());
  model.Bytes(8, WireWriter().Bytes(1, "").Varint(2, opset).bytes());
  for (const auto& [domain, version] : opsets) {
    model.Bytes(8, WireWriter().Bytes(1, domain).Varint(2, version).bytes());
  }
  for (const std::string& function : functions) model.Bytes(25, function);
  return model.bytes();
}

std::string OnnxFunction(const std::string& domain, const std::string& name,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs,
                         const std::vector<std::string>& nodes) {
  WireWriter function;
  function.Bytes(1, name);
  for (const std::string& input : inputs) function.Bytes(4, input);
  for (const std::string& output : outputs) function.Bytes(5, output);
  for (const std::string& node : nodes) function.Bytes(7, node);
  function.Bytes(9, WireWriter().Bytes(1, "").Varint(2, 21).bytes()).Bytes(10, domain);
  return function.bytes();
}

}  // namespace lathe::testing
