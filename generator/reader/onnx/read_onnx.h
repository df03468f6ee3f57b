// Reads an ONNX model: decodes it, validates it, and imports it as Relax.
#ifndef LATHE_READER_ONNX_READ_ONNX_H_
#define LATHE_READER_ONNX_READ_ONNX_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::onnx {

// Input shapes and values that the model does not declare, by input name.
struct InputShapes {
  // Shapes of the items of a sequence.
  std::map<std::string, std::vector<std::vector<int64_t>>> sequences;
  // Bytes per string of a string tensor, including zero padding: its last dimension.
  std::map<std::string, int64_t> widths;
  // Empty optionals. They are not inputs of the program.
  std::set<std::string> empty;
  // Integers that determine a number of values, such as a trip count or an insertion index. The
  // program is specialized for them where necessary; it fails for other values.
  std::map<std::string, std::vector<int64_t>> values;
};

// A tensor that a node of the graph computes.
struct NodeValue {
  std::string value, node, op;
  int index = 0;  // index of the node
};

struct ReadOptions {
  ReadOptions() = default;
  ReadOptions(InputShapes s) : shapes(std::move(s)) {}

  InputShapes shapes;
  // Values and bounds of symbolic sizes, by dim_param or, without one, "<input>_<dimension>". A
  // single value becomes a constant of the program; a range is a bound that the import may use.
  std::map<std::string, analysis::Interval> sizes;
  std::vector<std::string> outputs;  // values of the graph to compute; empty: the graph's outputs
  // Keep quantized operators as ONNX defines them instead of preparing them for integer fusion.
  bool as_defined = false;
  // If set, the tensors that nodes of the graph compute replace its outputs and are listed here.
  // Constants are omitted.
  std::vector<NodeValue>* every_value = nullptr;
  std::vector<std::string>* files = nullptr;  // receives the paths of external data files
};

// Returns a module whose function main takes the graph's inputs without initializers and returns
// its outputs, several as a tuple. Fails if `diags` got errors. External data is read from the
// folder of `file`.
absl::StatusOr<ir::Module> ReadOnnx(ir::Context& context, const SourceFile& file,
                                    Diagnostics& diags, const ReadOptions& options = {});

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_READ_ONNX_H_
