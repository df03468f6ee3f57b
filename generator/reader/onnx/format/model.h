// Defines the decoded form of an ONNX file, before any validation.
#ifndef LATHE_READER_ONNX_FORMAT_MODEL_H_
#define LATHE_READER_ONNX_FORMAT_MODEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::onnx {

struct Tensor {
  std::string name;
  std::vector<int64_t> dims;
  int32_t type = 0;                      // element type number of onnx.proto: tensor_data.h
  std::optional<absl::string_view> raw;  // a view into the file
  std::vector<float> floats;
  std::vector<int64_t> ints;  // int32_data, int64_data or uint64_data
  std::vector<double> doubles;
  std::vector<std::string> strings;
  bool external = false;
  std::map<std::string, std::string> external_data;
};

struct SparseTensor {
  Tensor values;
  Tensor indices;
  std::vector<int64_t> dims;
};

struct Dim {
  std::optional<int64_t> value;
  std::string param;  // name of the dimension; may be empty
};

enum class TypeKind { kNone, kTensor, kSparse, kSequence, kMap, kOptional };

struct Type {
  TypeKind kind = TypeKind::kNone;
  int32_t element_type = 0;  // of tensors; of the keys of maps
  std::optional<std::vector<Dim>> dims;
  std::shared_ptr<const Type> element;  // of sequences and optionals; the values of maps
};

struct ValueInfo {
  std::string name;
  Type type;
};

struct Graph;

// The numbers are those of onnx.proto.
enum class AttributeType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
};

struct Attribute {
  std::string name;
  std::string ref;  // name of the referenced attribute of the enclosing function
  AttributeType type = AttributeType::kUndefined;
  float f = 0;
  int64_t i = 0;
  std::string s;
  std::shared_ptr<const Tensor> tensor;
  std::shared_ptr<const Graph> graph;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
  std::vector<Tensor> tensors;
  std::shared_ptr<const SparseTensor> sparse;
  std::shared_ptr<const Type> type_info;
};

struct Node {
  std::string name;
  std::string op;
  std::string domain;
  std::string overload;
  std::vector<std::string> inputs;  // an empty name is an omitted input
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;
  int index = 0;  // index in its graph
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<std::pair<std::string, SparseTensor>> sparse_initializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> values;
};

// Operator set versions by domain.
using Opsets = std::map<std::string, int64_t>;

// An operator that the model defines as a function.
struct Function {
  std::string name;
  std::string domain;
  std::string overload;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> attributes;  // without defaults
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
  Opsets opsets;
};

struct Model {
  int64_t ir_version = 0;
  Opsets opsets;
  Graph graph;
  std::vector<Function> functions;
};

// A value of a data set: a tensor, a sequence, or an empty optional.
struct Datum {
  std::optional<Tensor> tensor;
  std::optional<std::vector<Datum>> sequence;
};

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_MODEL_H_
