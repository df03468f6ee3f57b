// Defines the field numbers of ONNX's messages in onnx.proto. The decoder skips unknown fields and
// those that do not affect what a model computes.
#ifndef LATHE_READER_ONNX_FORMAT_FIELD_NUMBERS_H_
#define LATHE_READER_ONNX_FORMAT_FIELD_NUMBERS_H_

#include <cstdint>

namespace lathe::onnx {

enum class ModelField : uint32_t { kIrVersion = 1, kGraph = 7, kOpsetImport = 8, kFunctions = 25 };
enum class OpsetField : uint32_t { kDomain = 1, kVersion = 2 };
enum class GraphField : uint32_t {
  kNode = 1,
  kName = 2,
  kInitializer = 5,
  kInput = 11,
  kOutput = 12,
  kValueInfo = 13,
  kSparseInitializer = 15,
};
enum class NodeField : uint32_t {
  kInput = 1,
  kOutput = 2,
  kName = 3,
  kOpType = 4,
  kAttribute = 5,
  kDomain = 7,
  kOverload = 8,
};
enum class AttributeField : uint32_t {
  kName = 1,
  kF = 2,
  kI = 3,
  kS = 4,
  kT = 5,
  kG = 6,
  kFloats = 7,
  kInts = 8,
  kStrings = 9,
  kTensors = 10,
  kTypeInfo = 14,
  kType = 20,
  kRefAttrName = 21,
  kSparseTensor = 22,
};
enum class TensorField : uint32_t {
  kDims = 1,
  kDataType = 2,
  kSegment = 3,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kExternalData = 13,
  kDataLocation = 14,
};
enum class SparseField : uint32_t { kValues = 1, kIndices = 2, kDims = 3 };
enum class EntryField : uint32_t { kKey = 1, kValue = 2 };
enum class ValueInfoField : uint32_t { kName = 1, kType = 2 };
enum class TypeField : uint32_t {
  kTensor = 1,
  kSequence = 4,
  kMap = 5,
  kSparse = 8,
  kOptional = 9,
};
enum class TensorTypeField : uint32_t { kElementType = 1, kShape = 2 };
enum class MapTypeField : uint32_t { kKeyType = 1, kValueType = 2 };
enum class ElementField : uint32_t { kElementType = 1 };  // of sequences and optionals
enum class ShapeField : uint32_t { kDim = 1 };
enum class DimField : uint32_t { kValue = 1, kParam = 2 };
enum class FunctionField : uint32_t {
  kName = 1,
  kInput = 4,
  kOutput = 5,
  kAttribute = 6,
  kNode = 7,
  kOpsetImport = 9,
  kDomain = 10,
  kAttributeProto = 11,
  kOverload = 13,
};
// Messages of data sets.
enum class SequenceField : uint32_t {
  kElementType = 2,
  kTensors = 3,
  kSequences = 5,
  kOptionals = 7,
};
enum class OptionalField : uint32_t { kElementType = 2, kTensor = 3, kSequence = 5, kOptional = 7 };

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_FIELD_NUMBERS_H_
