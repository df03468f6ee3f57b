#include "generator/reader/onnx/format/decode_model.h"

#include "generator/reader/onnx/format/decode_tensor.h"
#include "generator/reader/onnx/format/field_numbers.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using absl::OkStatus;
using absl::Status;
using absl::string_view;

Status DecodeGraph(string_view bytes, Graph& graph, int depth);

Status DecodeAttribute(string_view bytes, Attribute& a, int depth) {
  return ForEachField<AttributeField>(bytes, [&](AttributeField f, const WireField& field) {
    bool fits = true;
    switch (f) {
      case AttributeField::kName:
        a.name = NameOf(field.bytes);
        break;
      case AttributeField::kF:
        fits = field.type == WireType::kFixed32;
        a.f = field.AsFloat();
        break;
      case AttributeField::kI:
        fits = field.type == WireType::kVarint;
        a.i = field.AsInt();
        break;
      case AttributeField::kS:
        a.s = std::string(field.bytes);
        break;
      case AttributeField::kT: {
        auto tensor = std::make_shared<Tensor>();
        LATHE_RETURN_IF_ERROR(DecodeTensor(field.bytes, *tensor));
        a.tensor = std::move(tensor);
        break;
      }
      case AttributeField::kG: {
        auto graph = std::make_shared<Graph>();
        LATHE_RETURN_IF_ERROR(DecodeGraph(field.bytes, *graph, depth + 1));
        a.graph = std::move(graph);
        break;
      }
      case AttributeField::kFloats:
        fits = AppendFloats(field, a.floats);
        break;
      case AttributeField::kInts:
        fits = AppendVarints(field, a.ints);
        break;
      case AttributeField::kStrings:
        a.strings.emplace_back(field.bytes);
        break;
      case AttributeField::kTensors:
        return DecodeTensor(field.bytes, a.tensors.emplace_back());
      case AttributeField::kTypeInfo: {
        auto type = std::make_shared<Type>();
        LATHE_RETURN_IF_ERROR(DecodeType(field.bytes, *type, depth + 1));
        a.type_info = std::move(type);
        break;
      }
      case AttributeField::kType:
        a.type = static_cast<AttributeType>(field.bits & 0x7fffffff);
        break;
      case AttributeField::kRefAttrName:
        a.ref = NameOf(field.bytes);
        break;
      case AttributeField::kSparseTensor: {
        auto sparse = std::make_shared<SparseTensor>();
        LATHE_RETURN_IF_ERROR(DecodeSparseTensor(field.bytes, *sparse));
        a.sparse = std::move(sparse);
        break;
      }
    }
    return fits ? OkStatus() : WrongWireType("an attribute", field);
  });
}

Status DecodeNode(string_view bytes, Node& node, int depth) {
  return ForEachField<NodeField>(bytes, [&](NodeField f, const WireField& field) {
    switch (f) {
      case NodeField::kInput:
        node.inputs.push_back(NameOf(field.bytes));
        break;
      case NodeField::kOutput:
        node.outputs.push_back(NameOf(field.bytes));
        break;
      case NodeField::kName:
        node.name = NameOf(field.bytes);
        break;
      case NodeField::kOpType:
        node.op = NameOf(field.bytes);
        break;
      case NodeField::kDomain:
        // ONNX spells the default domain in two ways.
        node.domain = field.bytes == "ai.onnx" ? "" : NameOf(field.bytes);
        break;
      case NodeField::kOverload:
        node.overload = NameOf(field.bytes);
        break;
      case NodeField::kAttribute:
        return DecodeAttribute(field.bytes, node.attributes.emplace_back(), depth);
    }
    return OkStatus();
  });
}

Status AddNode(string_view bytes, std::vector<Node>& nodes, int depth) {
  Node& node = nodes.emplace_back();
  node.index = static_cast<int>(nodes.size() - 1);
  return DecodeNode(bytes, node, depth);
}

Status DecodeGraph(string_view bytes, Graph& graph, int depth) {
  if (depth > kMaxDepth) return TooDeep();
  return ForEachField<GraphField>(bytes, [&](GraphField f, const WireField& field) -> Status {
    switch (f) {
      case GraphField::kNode:
        return AddNode(field.bytes, graph.nodes, depth);
      case GraphField::kName:
        graph.name = NameOf(field.bytes);
        return OkStatus();
      case GraphField::kInitializer:
        return DecodeTensor(field.bytes, graph.initializers.emplace_back());
      case GraphField::kInput:
        return DecodeValueInfo(field.bytes, graph.inputs.emplace_back());
      case GraphField::kOutput:
        return DecodeValueInfo(field.bytes, graph.outputs.emplace_back());
      case GraphField::kValueInfo:
        return DecodeValueInfo(field.bytes, graph.values.emplace_back());
      case GraphField::kSparseInitializer: {
        auto& [name, sparse] = graph.sparse_initializers.emplace_back();
        LATHE_RETURN_IF_ERROR(DecodeSparseTensor(field.bytes, sparse));
        name = sparse.values.name;
        return OkStatus();
      }
    }
    return OkStatus();
  });
}

Status DecodeOpset(string_view bytes, Opsets& opsets) {
  std::string domain;
  int64_t version = 0;
  LATHE_RETURN_IF_ERROR(ForEachField<OpsetField>(bytes, [&](OpsetField f, const WireField& field) {
    if (f == OpsetField::kDomain) {
      domain = field.bytes == "ai.onnx" ? "" : NameOf(field.bytes);
    }
    if (f == OpsetField::kVersion) version = field.AsInt();
    return OkStatus();
  }));
  opsets[domain] = version;
  return OkStatus();
}

Status DecodeFunction(string_view bytes, Function& function) {
  return ForEachField<FunctionField>(bytes, [&](FunctionField f, const WireField& field) -> Status {
    switch (f) {
      case FunctionField::kName:
        function.name = NameOf(field.bytes);
        break;
      case FunctionField::kInput:
        function.inputs.push_back(NameOf(field.bytes));
        break;
      case FunctionField::kOutput:
        function.outputs.push_back(NameOf(field.bytes));
        break;
      case FunctionField::kAttribute:
        function.attributes.push_back(NameOf(field.bytes));
        break;
      case FunctionField::kNode:
        return AddNode(field.bytes, function.nodes, 1);
      case FunctionField::kOpsetImport:
        return DecodeOpset(field.bytes, function.opsets);
      case FunctionField::kDomain:
        function.domain = field.bytes == "ai.onnx" ? "" : NameOf(field.bytes);
        break;
      case FunctionField::kAttributeProto:
        return DecodeAttribute(field.bytes, function.defaults.emplace_back(), 1);
      case FunctionField::kOverload:
        function.overload = NameOf(field.bytes);
        break;
    }
    return OkStatus();
  });
}

Status MapsInData() {
  return absl::UnimplementedError("maps in test data are not supported; tensors are");
}

Status DecodeDatumAt(string_view bytes, const Type& type, Datum& datum, int depth) {
  if (depth > kMaxDepth) return TooDeep();
  switch (type.kind) {
    case TypeKind::kSequence: {
      datum.sequence.emplace();
      if (type.element == nullptr) return OkStatus();
      if (type.element->kind == TypeKind::kMap) return MapsInData();
      return ForEachField<SequenceField>(bytes, [&](SequenceField f, const WireField& field) {
        if (f != SequenceField::kTensors && f != SequenceField::kSequences &&
            f != SequenceField::kOptionals) {
          return OkStatus();
        }
        return DecodeDatumAt(field.bytes, *type.element, datum.sequence->emplace_back(), depth + 1);
      });
    }
    case TypeKind::kOptional: {
      if (type.element == nullptr) return OkStatus();
      return ForEachField<OptionalField>(bytes, [&](OptionalField f, const WireField& field) {
        if (f == OptionalField::kElementType) return OkStatus();
        const bool holds = f == OptionalField::kTensor || f == OptionalField::kSequence ||
                           f == OptionalField::kOptional;
        return holds ? DecodeDatumAt(field.bytes, *type.element, datum, depth + 1) : OkStatus();
      });
    }
    case TypeKind::kMap:
      return MapsInData();
    default:
      return DecodeTensor(bytes, datum.tensor.emplace());
  }
}

}  // namespace

absl::StatusOr<Model> DecodeModel(string_view bytes) {
  Model model;
  bool has_graph = false;
  LATHE_RETURN_IF_ERROR(
      ForEachField<ModelField>(bytes, [&](ModelField f, const WireField& field) -> Status {
        switch (f) {
          case ModelField::kIrVersion:
            if (field.type != WireType::kVarint) return WrongWireType("the model", field);
            model.ir_version = field.AsInt();
            break;
          case ModelField::kGraph:
            if (field.type != WireType::kBytes) return WrongWireType("the model", field);
            has_graph = true;
            return DecodeGraph(field.bytes, model.graph, 0);
          case ModelField::kOpsetImport:
            return DecodeOpset(field.bytes, model.opsets);
          case ModelField::kFunctions:
            return DecodeFunction(field.bytes, model.functions.emplace_back());
        }
        return OkStatus();
      }));
  if (!has_graph) return absl::InvalidArgumentError("it contains no graph");
  return model;
}

absl::StatusOr<Datum> DecodeDatum(string_view bytes, const Type& type) {
  Datum datum;
  LATHE_RETURN_IF_ERROR(DecodeDatumAt(bytes, type, datum, 0));
  return datum;
}

}  // namespace lathe::onnx
