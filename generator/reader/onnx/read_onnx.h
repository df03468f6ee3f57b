// ONNX models: decoded, checked and imported as Relax.
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

// What a model leaves open of its inputs, by their names.
struct InputShapes {
  // Of the items of a sequence, in their order.
  std::map<std::string, std::vector<std::vector<int64_t>>> sequences;
  // Bytes that each string of a tensor takes, those behind its end zeros: its last dimension.
  std::map<std::string, int64_t> widths;
  // Optionals that hold nothing, and so are no inputs of the program.
  std::set<std::string> empty;
  // Integers that say how many values there are: how often a loop turns, where a sequence grows.
  // The program is made for these where it has to be, and a run with others ends.
  std::map<std::string, std::vector<int64_t>> values;
};

// A tensor that a node of the graph makes.
struct NodeValue {
  std::string value, node, op;
  int index = 0;  // of the node
};

struct ReadOptions {
  ReadOptions() = default;
  ReadOptions(InputShapes s) : shapes(std::move(s)) {}

  InputShapes shapes;
  // Of the sizes that inputs leave open, by dim_param, or "<input>_<dimension>" without one: those
  // that are single values are numbers of the program, others bounds that its import relies on.
  std::map<std::string, analysis::Interval> sizes;
  std::vector<std::string> outputs;  // values of the graph that are wanted; empty: its outputs
  // Quantised operators are as they are defined, not what becomes integers best.
  bool as_defined = false;
  // Every tensor of numbers that a node of the graph makes is an output, and listed here; null
  // where that is not wanted.
  std::vector<NodeValue>* every_value = nullptr;
  std::vector<std::string>* files = nullptr;  // those that the model read beside it are added
};

// A module whose function main takes the graph's inputs that have no value, and gives its outputs:
// one as it is, several as a tuple. Fails when `diags` got errors. External data is read from the
// folder that the file lies in.
absl::StatusOr<ir::Module> ReadOnnx(ir::Context& context, const SourceFile& file,
                                    Diagnostics& diags, const ReadOptions& options = {});

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_READ_ONNX_H_
