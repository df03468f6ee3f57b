// ONNX's test data: input_0.pb, output_0.pb, ... in a folder.
#ifndef LATHE_READER_ONNX_DATA_SET_H_
#define LATHE_READER_ONNX_DATA_SET_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/values.h"
#include "generator/reader/onnx/read_onnx.h"
#include "generator/support/source.h"

namespace lathe::onnx {

// What main takes and what it is to give. A sequence is a tuple, an optional what it holds, strings
// are rows of bytes. Optionals that hold nothing are left out.
struct DataSet {
  std::vector<interp::Value> inputs;
  std::vector<interp::Value> outputs;  // none where a value that is wanted is none of the graph's
  std::vector<bool> strings;           // which outputs are strings, as wide as the longest
  InputShapes shapes;  // that the inputs have, as far as a model may leave them open
};

// The data set in `folder` for the model in `file`, and as much of it as goes with `outputs`, where
// it is cut there. DataLoss for files that are not what they should be.
absl::StatusOr<DataSet> ReadDataSet(const std::string& folder, const SourceFile& file,
                                    const std::shared_ptr<interp::MemoryBudget>& budget,
                                    const std::vector<std::string>& outputs = {});

// The folders of data sets in `folder`: test_data_set_0, test_data_set_1, ..., or `folder` itself
// when the files lie there. NotFound when there are none.
absl::StatusOr<std::vector<std::string>> DataSetFolders(const std::string& folder);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_DATA_SET_H_
