// Reads the labels of results from the metadata of a model: a FlatBuffer of its own that names text
// files, which are members of a zip archive after the model.
#ifndef LATHE_READER_TFLITE_FORMAT_MODEL_LABELS_H_
#define LATHE_READER_TFLITE_FORMAT_MODEL_LABELS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

struct ResultLabels {
  bool of_values = false;  // of the values of elements; else of the positions of the last axis
  std::vector<std::string> texts;
};
// Keyed by subgraph and index of the result.
using ModelLabels = std::map<std::pair<int64_t, int64_t>, ResultLabels>;

// Reads the labels from `file`, the whole file. Metadata and archive may be malformed: the message
// names the fault.
absl::StatusOr<ModelLabels> ReadModelLabels(const Model& model, absl::string_view file);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_MODEL_LABELS_H_
