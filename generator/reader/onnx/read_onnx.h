// ONNX models: decoded, checked and imported as Relax.
#ifndef LATHE_READER_ONNX_READ_ONNX_H_
#define LATHE_READER_ONNX_READ_ONNX_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
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
};

// A module whose function main takes the graph's inputs that have no value, and gives its outputs:
// one as it is, several as a tuple. Fails when `diags` got errors. External data is read from the
// folder that the file lies in.
absl::StatusOr<ir::Module> ReadOnnx(ir::Context& context, const SourceFile& file,
                                    Diagnostics& diags, const InputShapes& shapes = {});

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_READ_ONNX_H_
