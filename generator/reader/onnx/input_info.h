// Creates the structural information of the inputs of a graph.
#ifndef LATHE_READER_ONNX_INPUT_INFO_H_
#define LATHE_READER_ONNX_INPUT_INFO_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/reader/onnx/import.h"
#include "generator/reader/onnx/read_onnx.h"

namespace lathe::onnx {

class InputInfo {
 public:
  InputInfo(Import& import, const ReadOptions& options, Location place)
      : import_(import), options_(options), shapes_(options.shapes), place_(std::move(place)) {}

  // Binds a dim_param that the items of a sequence share, if all have the same size there.
  void BindSequenceDims(const Graph& graph);

  // Returns the info of a tensor, sequence or optional. Its dim_params and unnamed sizes become
  // shape variables.
  absl::StatusOr<ir::StructInfoRef> Of(const std::string& name, const Type& type);

  // A map of n entries is two parameters of length n: its keys and its values.
  absl::StatusOr<std::vector<transform::BlockBuilder::Param>> OfMap(const ValueInfo& input);

 private:
  // Returns the constant that the user declared for a size, else its shape variable.
  ir::PrimRef OpenSize(const std::string& key);
  absl::StatusOr<ir::StructInfoRef> SequenceOf(const std::string& name, const Type& element,
                                               const std::vector<std::vector<int64_t>>& shapes);

  Import& import_;
  const ReadOptions& options_;
  const InputShapes& shapes_;
  const Location place_;
};

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_INPUT_INFO_H_
