#include "generator/reader/tflite/external_files.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/import/data_file.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr size_t kMaxExternalFiles = 256;

absl::Status LoadBuffer(const std::string& folder, const ExternalBuffer& buffer, Model& model,
                        std::vector<std::string>* paths) {
  if (!buffer.packing.empty()) {
    return absl::UnimplementedError(absl::StrCat("has external data packed as '",
                                                 ShownLocation(buffer.packing),
                                                 "'; supported are data without packing"));
  }
  if (model.external_files.count(buffer.file) == 0) {
    if (model.external_files.size() == kMaxExternalFiles) {
      return absl::ResourceExhaustedError(
          absl::StrCat("has its data in one of more than ", kMaxExternalFiles, " files"));
    }
    LATHE_ASSIGN_OR_RETURN(const std::string path, DataFilePath(buffer.file, folder));
    LATHE_ASSIGN_OR_RETURN(model.external_files[buffer.file], ReadFile(path));
    if (paths != nullptr) paths->push_back(path);
  }
  const uint64_t there = model.external_files[buffer.file].size();
  if (buffer.size > there || buffer.offset > there - buffer.size) {
    return absl::InvalidArgumentError(
        absl::StrCat("has ", buffer.size, " bytes at byte ", buffer.offset, " of '",
                     ShownLocation(buffer.file), "', which has ", there));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LoadExternalFiles(const std::string& folder, Model& model,
                               std::vector<std::string>* paths) {
  for (const Subgraph& graph : model.subgraphs) {
    for (const Tensor& tensor : graph.tensors) {
      const auto buffer = model.external_buffers.find(tensor.external);
      if (tensor.external == 0 || buffer == model.external_buffers.end()) continue;
      const absl::Status loaded = LoadBuffer(folder, buffer->second, model, paths);
      if (!loaded.ok()) {
        return absl::Status(loaded.code(),
                            absl::StrCat("tensor '", tensor.name, "' ", loaded.message()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace lathe::tflite
