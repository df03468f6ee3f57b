// Reads ONNX test data: input_0.pb, output_0.pb, ... in a folder.
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

// Arguments of main and its expected results. A sequence is a tuple, an optional its value, a
// string tensor rows of bytes. Empty optionals are omitted.
struct DataSet {
  std::vector<interp::Value> inputs;
  std::vector<interp::Value> outputs;  // empty: no files, or a requested value is no output
  std::vector<bool> strings;           // which outputs are strings; they are as wide as the longest
  InputShapes shapes;                  // shapes of the inputs that the model does not declare
};

// Reads the data set in `folder` for the model in `file`, restricted to what `outputs` needs if it
// is not empty. Malformed files are a DataLoss error.
absl::StatusOr<DataSet> ReadDataSet(const std::string& folder, const SourceFile& file,
                                    const std::shared_ptr<interp::MemoryBudget>& budget,
                                    const std::vector<std::string>& outputs = {});

// Decodes a file with one tensor, such as input_0.pb. Elements of a format without a C type are
// bytes, as in ONNX models, unless `wanted` is the dtype of the format. Malformed files are a
// DataLoss error.
absl::StatusOr<interp::TensorRef> ReadTensorFile(
    absl::string_view bytes, ir::DType wanted, const std::shared_ptr<interp::MemoryBudget>& budget);

// Lists the data sets in `folder`: test_data_set_0, test_data_set_1, ..., or `folder` itself if it
// contains the files. Returns NotFound if there are none.
absl::StatusOr<std::vector<std::string>> DataSetFolders(const std::string& folder);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_DATA_SET_H_
