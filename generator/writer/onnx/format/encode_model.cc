#include "generator/writer/onnx/format/encode_model.h"

#include "generator/reader/onnx/format/field_numbers.h"
#include "generator/support/check.h"
#include "generator/writer/onnx/format/wire_writer.h"

namespace lathe::onnx {
namespace {

// A field that the decoder skips.
enum class ProducerField : uint32_t { kName = 2 };

std::string EncodeGraph(const Graph& graph);

std::string EncodeTensor(const Tensor& tensor) {
  WireWriter out;
  if (!tensor.dims.empty()) out.Ints(TensorField::kDims, tensor.dims);
  out.Int(TensorField::kDataType, tensor.type);
  if (!tensor.name.empty()) out.Bytes(TensorField::kName, tensor.name);
  LATHE_CHECK(tensor.raw.has_value(), "tensors are written with their data");
  out.Bytes(TensorField::kRawData, *tensor.raw);
  return out.bytes();
}

std::string EncodeAttribute(const Attribute& attribute) {
  WireWriter out;
  out.Bytes(AttributeField::kName, attribute.name);
  switch (attribute.type) {
    case AttributeType::kFloat:
      out.Float(AttributeField::kF, attribute.f);
      break;
    case AttributeType::kInt:
      out.Int(AttributeField::kI, attribute.i);
      break;
    case AttributeType::kString:
      out.Bytes(AttributeField::kS, attribute.s);
      break;
    case AttributeType::kGraph:
      out.Bytes(AttributeField::kG, EncodeGraph(*attribute.graph));
      break;
    case AttributeType::kInts:
      out.Ints(AttributeField::kInts, attribute.ints);
      break;
    default:
      LATHE_UNREACHABLE("attributes of this type are not written");
  }
  out.Int(AttributeField::kType, static_cast<int64_t>(attribute.type));
  return out.bytes();
}

std::string EncodeNode(const Node& node) {
  WireWriter out;
  for (const std::string& input : node.inputs) out.Bytes(NodeField::kInput, input);
  for (const std::string& output : node.outputs) out.Bytes(NodeField::kOutput, output);
  out.Bytes(NodeField::kName, node.name);
  out.Bytes(NodeField::kOpType, node.op);
  for (const Attribute& attribute : node.attributes) {
    out.Bytes(NodeField::kAttribute, EncodeAttribute(attribute));
  }
  if (!node.domain.empty()) out.Bytes(NodeField::kDomain, node.domain);
  return out.bytes();
}

std::string EncodeValueInfo(const ValueInfo& info) {
  WireWriter tensor;
  tensor.Int(TensorTypeField::kElementType, info.type.element_type);
  if (info.type.dims) {
    WireWriter shape;
    for (const Dim& dim : *info.type.dims) {
      WireWriter one;
      if (dim.value) {
        one.Int(DimField::kValue, *dim.value);
      } else if (!dim.param.empty()) {
        one.Bytes(DimField::kParam, dim.param);
      }
      shape.Bytes(ShapeField::kDim, one.bytes());
    }
    tensor.Bytes(TensorTypeField::kShape, shape.bytes());
  }
  WireWriter type;
  type.Bytes(TypeField::kTensor, tensor.bytes());
  WireWriter out;
  out.Bytes(ValueInfoField::kName, info.name);
  out.Bytes(ValueInfoField::kType, type.bytes());
  return out.bytes();
}

std::string EncodeGraph(const Graph& graph) {
  WireWriter out;
  for (const Node& node : graph.nodes) out.Bytes(GraphField::kNode, EncodeNode(node));
  out.Bytes(GraphField::kName, graph.name);
  for (const Tensor& tensor : graph.initializers) {
    out.Bytes(GraphField::kInitializer, EncodeTensor(tensor));
  }
  for (const ValueInfo& info : graph.inputs) out.Bytes(GraphField::kInput, EncodeValueInfo(info));
  for (const ValueInfo& info : graph.outputs) out.Bytes(GraphField::kOutput, EncodeValueInfo(info));
  return out.bytes();
}

}  // namespace

std::string EncodeModel(const Model& model, absl::string_view producer) {
  WireWriter out;
  out.Int(ModelField::kIrVersion, model.ir_version);
  out.Bytes(ProducerField::kName, producer);
  out.Bytes(ModelField::kGraph, EncodeGraph(model.graph));
  for (const auto& [domain, version] : model.opsets) {
    WireWriter opset;
    opset.Bytes(OpsetField::kDomain, domain);
    opset.Int(OpsetField::kVersion, version);
    out.Bytes(ModelField::kOpsetImport, opset.bytes());
  }
  return out.bytes();
}

}  // namespace lathe::onnx
