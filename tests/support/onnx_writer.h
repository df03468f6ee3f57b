// Writes small ONNX models, byte by byte, so that tests need no external files.
//
//   OnnxModel m;
//   m.Input("x", 1, {2, 3});
//   m.Node("Relu", {"x"}, {"y"});
//   m.Output("y", 1, {2, 3});
//   Read(m.Bytes());
#ifndef LATHE_TESTS_SUPPORT_ONNX_WRITER_H_
#define LATHE_TESTS_SUPPORT_ONNX_WRITER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lathe::testing {

// The element types that tests use, as ONNX numbers them.
inline constexpr int kFloat = 1, kUInt8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7, kString = 8,
                     kBool = 9, kFloat16 = 10;

// A message of protobuf's wire format.
class WireWriter {
 public:
  WireWriter& Varint(uint32_t field, int64_t value);
  WireWriter& Float(uint32_t field, float value);
  WireWriter& Bytes(uint32_t field, const std::string& bytes);
  const std::string& bytes() const { return bytes_; }

 private:
  void Raw(uint64_t value);
  std::string bytes_;
};

// A dimension: a size, or a name.
using OnnxDim = std::variant<int64_t, std::string>;

struct OnnxAttribute {
  std::string name;
  std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>,
               std::vector<std::string>>
      value;
};

// A graph's message; what it holds comes in the order of the calls.
class OnnxGraph {
 public:
  OnnxGraph& Node(const std::string& op, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs,
                  const std::vector<OnnxAttribute>& attributes = {},
                  const std::string& domain = "");
  // A node with a graph as an attribute.
  OnnxGraph& Node(const std::string& op, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs,
                  const std::vector<std::pair<std::string, OnnxGraph>>& graphs,
                  const std::vector<OnnxAttribute>& attributes = {},
                  const std::string& domain = "");
  OnnxGraph& Input(const std::string& name, int type, const std::vector<OnnxDim>& dims);
  OnnxGraph& Output(const std::string& name, int type, const std::vector<OnnxDim>& dims);
  OnnxGraph& Output(const std::string& name);  // of no declared type
  OnnxGraph& Floats(const std::string& name, const std::vector<int64_t>& dims,
                    const std::vector<float>& values);
  OnnxGraph& Ints(const std::string& name, const std::vector<int64_t>& dims,
                  const std::vector<int64_t>& values);
  OnnxGraph& Initializer(const std::string& tensor) { return Message(5, tensor); }
  // Adds the message of any field.
  OnnxGraph& Message(uint32_t field, const std::string& bytes) {
    graph_.Bytes(field, bytes);
    return *this;
  }
  const std::string& bytes() const { return graph_.bytes(); }

 private:
  WireWriter graph_;
};

class OnnxModel : public OnnxGraph {
 public:
  int64_t ir_version = 10;
  int64_t opset = 21;
  std::vector<std::pair<std::string, int64_t>> opsets;  // of other domains
  std::vector<std::string> functions;

  std::string Bytes() const;
};

// A function of a model: FunctionProto.
std::string OnnxFunction(const std::string& domain, const std::string& name,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs,
                         const std::vector<std::string>& nodes);
std::string OnnxNode(const std::string& op, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs,
                     const std::vector<OnnxAttribute>& attributes = {},
                     const std::string& domain = "");

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_ONNX_WRITER_H_
