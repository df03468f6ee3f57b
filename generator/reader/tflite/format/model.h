// Represents a decoded TFLite model. Data, of type string_view, are views into the bytes of the
// file, which must outlive the model.
#ifndef LATHE_READER_TFLITE_FORMAT_MODEL_H_
#define LATHE_READER_TFLITE_FORMAT_MODEL_H_

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"

namespace lathe::tflite {

// The element types of the TFLite schema that the reader treats specially, with their numbers.
enum TensorType : int {
  kFloat32 = 0,
  kFloat16 = 1,
  kInt32 = 2,
  kUInt8 = 3,
  kInt64 = 4,
  kString = 5,
  kBool = 6,
  kInt16 = 7,
  kComplex64 = 8,
  kInt8 = 9,
  kResource = 13,
  kVariant = 14,
  kInt4 = 17,
  kInt2 = 19,
  kUInt4 = 20,
};

// real = (integer - zero) * scale. One scale is that of the whole tensor; of several, each is that
// of one index along `axis`.
struct Quantization {
  std::vector<float> scales;  // empty: not quantized
  std::vector<int64_t> zeros;
  int axis = 0;
  int details = 0;  // kBlocks, or 0 as above; others are not supported
  // Of blocks along the last axis: the tensor of their scales, and the elements of a block.
  int32_t block_scales = -1;
  int64_t block_size = 0;

  static constexpr int kBlocks = 2;

  bool is_quantized() const { return !scales.empty(); }
  bool per_axis() const { return scales.size() > 1; }
};

struct SparseDimension {
  bool compressed = false;
  int64_t dense_size = 0;
  std::vector<int64_t> segments, indices;
};
struct Sparsity {
  std::vector<int32_t> traversal_order, block_map;
  std::vector<SparseDimension> dimensions;
};

struct Tensor {
  std::string name;
  std::vector<int64_t> shape;      // of complex64: with a last axis of 2, real and imaginary
  std::vector<int64_t> signature;  // with -1 for dynamic sizes; empty: as `shape`
  int type = kFloat32;
  uint32_t buffer = 0;
  bool is_variable = false;
  uint32_t external = 0;  // the number of its external buffer, 0: none
  Quantization quantization;
  std::optional<Sparsity> sparsity;
};

// Returns the largest number if the product is larger.
inline int64_t ElementCount(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return std::numeric_limits<int64_t>::max();
  }
  return count;
}

// The number of operators that their custom code names.
inline constexpr int kCustomOperator = 32;

struct Operator {
  int code = 0;
  std::string custom_code;
  std::vector<int32_t> inputs, outputs, intermediates;
  int options_type = 0;  // union numbers, 0: none
  int options_type_2 = 0;
  ir::AttrMap options;
  absl::string_view custom_options;
};

struct Subgraph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<int32_t> inputs, outputs;
  std::vector<Operator> operators;
};

struct SignatureTensor {
  std::string name;
  int64_t tensor = 0;
};
struct Signature {
  std::string key;
  int64_t subgraph = 0;
  std::vector<SignatureTensor> inputs, outputs;
};

// A subgraph that becomes an exported function, with a name for each of its inputs and outputs.
struct Export {
  std::string key;  // of the signature; empty without one
  int64_t subgraph = 0;
  std::vector<std::string> inputs, outputs;
};

struct Metadata {
  std::string name;
  absl::string_view bytes;
};

// Data of a tensor in another file.
struct ExternalBuffer {
  std::string file;
  uint64_t offset = 0, size = 0;
  std::string packing;
};

struct Model {
  std::string description;
  std::vector<Subgraph> subgraphs;
  std::vector<absl::string_view> buffers;
  std::vector<Signature> signatures;
  std::vector<Metadata> metadata;
  std::map<uint32_t, ExternalBuffer> external_buffers;  // by their numbers
  std::map<std::string, std::string> external_files;    // the bytes of files that were loaded

  // Returns the data of a constant tensor as stored, from the file or a loaded external file; empty
  // if the tensor has none or its external file is not loaded.
  absl::string_view DataOf(const Tensor& tensor) const {
    if (tensor.external == 0) return buffers[tensor.buffer];
    const auto buffer = external_buffers.find(tensor.external);
    if (buffer == external_buffers.end()) return {};
    const auto file = external_files.find(buffer->second.file);
    if (file == external_files.end()) return {};
    return absl::string_view(file->second).substr(buffer->second.offset, buffer->second.size);
  }
};

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_MODEL_H_
