#include "generator/reader/tflite/format/decode_model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/decode_options.h"
#include "generator/reader/tflite/format/flatbuffer.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr uint32_t kVersion = 3;
// Offsets of data that follows the FlatBuffer; 0 and 1 mean that there is none.
constexpr uint64_t kNoOffset = 1;
constexpr int kMaxRank = 8;

// Slots of the tables.
enum ModelSlot {
  kModelVersion,
  kOperatorCodes,
  kSubgraphs,
  kDescription,
  kBuffers,
  kModelMetadata = 6,
  kSignatures,
  kExternalGroups,
  kExternalBuffers
};
enum CodeSlot { kDeprecatedCode, kCustomCode, kCodeVersion, kBuiltinCode };
enum SubgraphSlot { kTensors, kInputs, kOutputs, kOperators, kSubgraphName };
enum TensorSlot {
  kShape,
  kType,
  kBuffer,
  kTensorName,
  kQuantization,
  kIsVariable,
  kSparsity,
  kShapeSignature,
  kHasRank,
  kVariantTensors,
  kExternalBuffer
};
enum BlocksSlot { kBlockScales, kBlockZeros, kBlockSize };
enum QuantizationSlot { kScale = 2, kZeroPoint, kDetailsType, kDetails, kQuantizedDimension };
enum SparsitySlot { kTraversalOrder, kBlockMap, kDimMetadata };
enum DimensionSlot { kFormat, kDenseSize, kSegmentsType, kSegments, kIndicesType, kIndices };
enum ExternalSlot { kExternalId, kExternalGroup, kExternalOffset, kExternalSize, kPacking };
enum BufferSlot { kData, kOffset, kSize };
enum OperatorSlot {
  kOpcodeIndex,
  kOperatorInputs,
  kOperatorOutputs,
  kOptionsType,
  kOptions,
  kCustomOptions,
  kIntermediates = 8,
  kLargeOffset,
  kLargeSize,
  kOptions2Type,
  kOptions2
};
enum SignatureSlot { kSignatureInputs, kSignatureOutputs, kSignatureKey, kSignatureSubgraph = 4 };

struct OperatorCode {
  int code = 0;
  std::string custom;
};

class Decoder {
 public:
  explicit Decoder(absl::string_view bytes) : file_(bytes) {}

  absl::StatusOr<Model> Decode() {
    const FlatTable root = file_.Root();
    const uint32_t version = root.Value<uint32_t>(kModelVersion, 0);
    LATHE_RETURN_IF_ERROR(file_.status());
    if (version != kVersion) {
      return absl::UnimplementedError(
          absl::StrCat("the model has schema version ", version, "; supported is ", kVersion));
    }
    model_.description = std::string(root.String(kDescription));
    for (const FlatTable& buffer : root.Tables(kBuffers)) {
      model_.buffers.push_back(Data(buffer.Bytes(kData), buffer.Value<uint64_t>(kOffset, 0),
                                    buffer.Value<uint64_t>(kSize, 0), "a buffer"));
    }
    if (model_.buffers.empty()) model_.buffers.emplace_back();  // tensors without data name it
    AddExternalBuffers(root);
    for (const FlatTable& code : root.Tables(kOperatorCodes)) codes_.push_back(CodeOf(code));
    const std::vector<FlatTable> subgraphs = root.Tables(kSubgraphs);
    if (subgraphs.empty()) Fail("the model has no subgraph");
    for (const FlatTable& subgraph : subgraphs) {
      model_.subgraphs.push_back(SubgraphOf(subgraph));
      LATHE_RETURN_IF_ERROR(status());
    }
    for (const FlatTable& entry : root.Tables(kModelMetadata)) {
      const uint32_t buffer = entry.Value<uint32_t>(1, 0);
      Require(buffer < model_.buffers.size(), "metadata name a buffer that does not exist");
      LATHE_RETURN_IF_ERROR(status());
      // An earlier way to compress constants than TFLM_DECODE: their buffers hold indices.
      if (entry.String(0) == "COMPRESSION_METADATA") {
        return absl::UnimplementedError(
            "the model has constants that its metadata COMPRESSION_METADATA compresses; supported "
            "is the operator TFLM_DECODE");
      }
      model_.metadata.push_back({std::string(entry.String(0)), model_.buffers[buffer]});
    }
    for (const FlatTable& signature : root.Tables(kSignatures)) AddSignature(signature);
    LATHE_RETURN_IF_ERROR(status());
    return std::move(model_);
  }

 private:
  absl::Status status() const { return file_.status().ok() ? status_ : file_.status(); }
  void Fail(absl::string_view what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(what);
  }
  void Require(bool holds, absl::string_view what) {
    if (!holds) Fail(what);
  }

  // The bytes of a vector or, if there is an offset, of the file outside the FlatBuffer.
  absl::string_view Data(absl::string_view inside, uint64_t offset, uint64_t size,
                         absl::string_view what) {
    if (offset <= kNoOffset) return inside;
    const absl::string_view file = file_.bytes();
    if (size > file.size() || offset > file.size() - size) {
      Fail(absl::StrCat(what, " of ", size, " bytes at byte ", offset, " ends outside the file"));
      return {};
    }
    return file.substr(offset, size);
  }

  // Groups are files.
  void AddExternalBuffers(const FlatTable& root) {
    std::vector<std::string> files;
    for (const FlatTable& group : root.Tables(kExternalGroups)) {
      files.emplace_back(group.String(0));
    }
    for (const FlatTable& buffer : root.Tables(kExternalBuffers)) {
      const uint32_t group = buffer.Value<uint32_t>(kExternalGroup, 0);
      if (group >= files.size()) {
        Fail(absl::StrCat("an external buffer names group ", group, " of ", files.size()));
        return;
      }
      model_.external_buffers[buffer.Value<uint32_t>(kExternalId, 0)] = {
          files[group], buffer.Value<uint64_t>(kExternalOffset, 0),
          buffer.Value<uint64_t>(kExternalSize, 0), std::string(buffer.String(kPacking))};
    }
  }

  static OperatorCode CodeOf(const FlatTable& table) {
    const int deprecated = table.Value<int8_t>(kDeprecatedCode, 0);
    const int code = table.Value<int32_t>(kBuiltinCode, 0);
    return {std::max(deprecated, code), std::string(table.String(kCustomCode))};
  }

  Subgraph SubgraphOf(const FlatTable& table) {
    Subgraph graph;
    graph.name = std::string(table.String(kSubgraphName));
    for (const FlatTable& tensor : table.Tables(kTensors)) {
      graph.tensors.push_back(TensorOf(tensor));
    }
    graph.inputs = table.Values<int32_t>(kInputs);
    graph.outputs = table.Values<int32_t>(kOutputs);
    RequireTensors(graph, graph.inputs, /*optional=*/false, "the inputs of a subgraph");
    RequireTensors(graph, graph.outputs, /*optional=*/false, "the outputs of a subgraph");
    for (const FlatTable& op : table.Tables(kOperators)) {
      graph.operators.push_back(OperatorOf(graph, op));
      if (!status().ok()) break;
    }
    return graph;
  }

  void RequireTensors(const Subgraph& graph, const std::vector<int32_t>& tensors, bool optional,
                      absl::string_view what) {
    for (const int32_t tensor : tensors) {
      if (tensor >= (optional ? -1 : 0) && tensor < std::ssize(graph.tensors)) continue;
      Fail(absl::StrCat(what, " name tensor ", tensor, " of ", graph.tensors.size()));
    }
  }

  Tensor TensorOf(const FlatTable& table) {
    Tensor tensor;
    tensor.name = std::string(table.String(kTensorName));
    for (const int32_t size : table.Values<int32_t>(kShape)) tensor.shape.push_back(size);
    for (const int32_t size : table.Values<int32_t>(kShapeSignature)) {
      tensor.signature.push_back(size);
    }
    tensor.type = table.Value<uint8_t>(kType, 0);
    if (tensor.type == kComplex64) {
      tensor.shape.push_back(2);
      if (!tensor.signature.empty()) tensor.signature.push_back(2);
    }
    tensor.buffer = table.Value<uint32_t>(kBuffer, 0);
    tensor.is_variable = table.Value<uint8_t>(kIsVariable, 0) != 0;
    tensor.external = table.Value<uint32_t>(kExternalBuffer, 0);
    tensor.quantization = QuantizationOf(table.Table(kQuantization));
    if (const FlatTable sparsity = table.Table(kSparsity)) tensor.sparsity = SparsityOf(sparsity);
    CheckTensor(tensor);
    return tensor;
  }

  void CheckTensor(const Tensor& tensor) {
    const std::string what = absl::StrCat("tensor '", tensor.name, "' ");
    Require(tensor.buffer < model_.buffers.size(),
            absl::StrCat(what, "names buffer ", tensor.buffer, " of ", model_.buffers.size()));
    Require(tensor.shape.size() <= kMaxRank,
            absl::StrCat(what, "has ", tensor.shape.size(), " dimensions; ", kMaxRank,
                         " are possible"));
    Require(tensor.external == 0 || model_.external_buffers.count(tensor.external) != 0,
            absl::StrCat(what, "names external buffer ", tensor.external,
                         ", which the model does not list"));
    int64_t count = 1;
    for (const int64_t size : tensor.shape) {
      Require(size >= 0, absl::StrCat(what, "has the negative size ", size));
      if (size <= 0) continue;
      // The product of the other sizes is bounded even if one is 0.
      if (count > std::numeric_limits<int32_t>::max() / size) {
        Fail(absl::StrCat(what, "has more than 2^31 elements"));
        return;
      }
      count *= size;
    }
    Require(tensor.signature.empty() || tensor.signature.size() == tensor.shape.size(),
            absl::StrCat(what, "has a shape and a shape signature of different ranks"));
    for (size_t i = 0; i < tensor.signature.size() && i < tensor.shape.size(); ++i) {
      const int64_t size = tensor.signature[i];
      Require(size == -1 || size == tensor.shape[i],
              absl::StrCat(what, "has size ", size, " in its shape signature and ", tensor.shape[i],
                           " in its shape"));
    }
  }

  Quantization QuantizationOf(const FlatTable& table) {
    Quantization q;
    if (!table) return q;
    q.scales = table.Values<float>(kScale);
    q.zeros = table.Values<int64_t>(kZeroPoint);
    q.axis = table.Value<int32_t>(kQuantizedDimension, 0);
    q.details = table.Value<uint8_t>(kDetailsType, 0);
    if (q.details == Quantization::kBlocks) {
      const FlatTable blocks = table.Table(kDetails);
      q.block_scales = blocks.Value<int32_t>(kBlockScales, 0);
      q.block_size = blocks.Value<int32_t>(kBlockSize, 0);
    }
    return q;
  }

  Sparsity SparsityOf(const FlatTable& table) {
    Sparsity sparsity;
    sparsity.traversal_order = table.Values<int32_t>(kTraversalOrder);
    sparsity.block_map = table.Values<int32_t>(kBlockMap);
    for (const FlatTable& dimension : table.Tables(kDimMetadata)) {
      SparseDimension d;
      d.compressed = dimension.Value<uint8_t>(kFormat, 0) != 0;
      d.dense_size = dimension.Value<int32_t>(kDenseSize, 0);
      d.segments = IndexVector(dimension, kSegmentsType, kSegments);
      d.indices = IndexVector(dimension, kIndicesType, kIndices);
      sparsity.dimensions.push_back(std::move(d));
    }
    return sparsity;
  }

  std::vector<int64_t> IndexVector(const FlatTable& table, int type_slot, int slot) {
    const FlatTable vector = table.Table(slot);
    std::vector<int64_t> values;
    const auto append = [&](const auto& from) { values.assign(from.begin(), from.end()); };
    switch (table.Value<uint8_t>(type_slot, 0)) {
      case 0:
        break;
      case 1:
        append(vector.Values<int32_t>(0));
        break;
      case 2:
        append(vector.Values<uint16_t>(0));
        break;
      case 3:
        append(vector.Values<uint8_t>(0));
        break;
      default:
        Fail("a sparse tensor has an index vector of an unknown type");
    }
    return values;
  }

  Operator OperatorOf(const Subgraph& graph, const FlatTable& table) {
    Operator op;
    const uint32_t index = table.Value<uint32_t>(kOpcodeIndex, 0);
    if (index >= codes_.size()) {
      Fail(absl::StrCat("an operator names operator code ", index, " of ", codes_.size()));
      return op;
    }
    op.code = codes_[index].code;
    if (op.code == kCustomOperator) op.custom_code = codes_[index].custom;
    op.inputs = table.Values<int32_t>(kOperatorInputs);
    op.outputs = table.Values<int32_t>(kOperatorOutputs);
    op.intermediates = table.Values<int32_t>(kIntermediates);
    RequireTensors(graph, op.inputs, /*optional=*/true, "the inputs of an operator");
    RequireTensors(graph, op.outputs, /*optional=*/true, "the outputs of an operator");
    RequireTensors(graph, op.intermediates, /*optional=*/true, "the intermediates of an operator");
    op.options_type = table.Value<uint8_t>(kOptionsType, 0);
    op.options_type_2 = table.Value<uint8_t>(kOptions2Type, 0);
    if (op.options_type != 0) {
      op.options = DecodeOptions(op.options_type, /*second=*/false, table.Table(kOptions));
    } else if (op.options_type_2 != 0) {
      op.options = DecodeOptions(op.options_type_2, /*second=*/true, table.Table(kOptions2));
    }
    op.custom_options = Data(table.Bytes(kCustomOptions), table.Value<uint64_t>(kLargeOffset, 0),
                             table.Value<uint64_t>(kLargeSize, 0), "the options of an operator");
    return op;
  }

  void AddSignature(const FlatTable& table) {
    Signature signature;
    signature.key = std::string(table.String(kSignatureKey));
    signature.subgraph = table.Value<uint32_t>(kSignatureSubgraph, 0);
    if (signature.subgraph >= std::ssize(model_.subgraphs)) {
      Fail(absl::StrCat("signature '", signature.key, "' names subgraph ", signature.subgraph,
                        " of ", model_.subgraphs.size()));
      return;
    }
    const Subgraph& graph = model_.subgraphs[static_cast<size_t>(signature.subgraph)];
    const auto read = [&](int slot, const std::vector<int32_t>& declared) {
      std::vector<SignatureTensor> tensors;
      for (const FlatTable& map : table.Tables(slot)) {
        tensors.push_back({std::string(map.String(0)), map.Value<uint32_t>(1, 0)});
        const bool known =
            std::find(declared.begin(), declared.end(), tensors.back().tensor) != declared.end();
        Require(known, absl::StrCat("'", tensors.back().name, "' of signature '", signature.key,
                                    "' names tensor ", tensors.back().tensor,
                                    ", which its subgraph does not list"));
      }
      return tensors;
    };
    signature.inputs = read(kSignatureInputs, graph.inputs);
    signature.outputs = read(kSignatureOutputs, graph.outputs);
    model_.signatures.push_back(std::move(signature));
  }

  FlatBuffer file_;
  absl::Status status_;
  Model model_;
  std::vector<OperatorCode> codes_;
};

}  // namespace

bool HasModelIdentifier(absl::string_view bytes) {
  return bytes.size() >= 8 && bytes.substr(4, 4) == "TFL3";
}

absl::StatusOr<Model> DecodeModel(absl::string_view bytes) {
  if (bytes.empty()) return absl::InvalidArgumentError("the file is empty");
  if (!HasModelIdentifier(bytes)) {
    return absl::InvalidArgumentError("the file does not have the identifier TFL3");
  }
  return Decoder(bytes).Decode();
}

}  // namespace lathe::tflite
