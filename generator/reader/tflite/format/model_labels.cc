#include "generator/reader/tflite/format/model_labels.h"

#include <algorithm>
#include <set>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/interp/data/zip_archive.h"
#include "generator/reader/tflite/format/flatbuffer.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr char kMetadataEntry[] = "TFLITE_METADATA", kMetadataIdentifier[] = "M001";
enum MetadataSlot { kSubgraphMetadata = 3 };
enum SubgraphMetadataSlot { kOutputMetadata = 3 };
enum TensorMetadataSlot { kAssociatedFiles = 6 };
enum FileSlot { kFileName, kFileType = 2, kFileLocale };
// Types of associated files.
constexpr int kAxisLabels = 2, kValueLabels = 3;

constexpr uint64_t kMaxUnpacked = uint64_t{1} << 22;  // bytes of all files
constexpr uint64_t kMaxLabelBytes = kMaxUnpacked;     // of all results, which may share a file
// C99 compilers need not accept literals of more than 4095 characters; an escape has four.
constexpr size_t kMaxLabel = 1000;

// The file with the labels of a result.
struct LabelFile {
  int64_t subgraph = 0, result = 0;
  bool of_values = false;
  std::string name;
};

// The label files of a result, those for all languages first.
std::vector<LabelFile> FilesOf(const FlatTable& result) {
  std::vector<LabelFile> general, translated;
  for (const FlatTable& file : result.Tables(kAssociatedFiles)) {
    const int type = file.Value<int8_t>(kFileType, 0);
    if (type != kAxisLabels && type != kValueLabels) continue;
    std::vector<LabelFile>& files = file.String(kFileLocale).empty() ? general : translated;
    files.push_back({0, 0, type == kValueLabels, std::string(file.String(kFileName))});
  }
  general.insert(general.end(), translated.begin(), translated.end());
  return general;
}

absl::StatusOr<std::vector<LabelFile>> FilesOfModel(const Model& model, absl::string_view bytes) {
  if (bytes.size() < 8 || bytes.substr(4, 4) != kMetadataIdentifier) {
    return absl::InvalidArgumentError(
        absl::StrCat("the metadata do not have the identifier ", kMetadataIdentifier));
  }
  FlatBuffer metadata(bytes);
  std::vector<LabelFile> files;
  const std::vector<FlatTable> subgraphs = metadata.Root().Tables(kSubgraphMetadata);
  for (size_t g = 0; g < std::min(subgraphs.size(), model.subgraphs.size()); ++g) {
    const std::vector<FlatTable> results = subgraphs[g].Tables(kOutputMetadata);
    for (size_t k = 0; k < std::min(results.size(), model.subgraphs[g].outputs.size()); ++k) {
      std::vector<LabelFile> of_result = FilesOf(results[k]);
      if (of_result.empty()) continue;
      of_result[0].subgraph = static_cast<int64_t>(g);
      of_result[0].result = static_cast<int64_t>(k);
      files.push_back(std::move(of_result[0]));
    }
  }
  if (!metadata.status().ok()) {
    return absl::InvalidArgumentError(absl::StrCat("the metadata: ", metadata.status().message()));
  }
  return files;
}

// A line for each label.
std::vector<std::string> Lines(absl::string_view text) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    lines.emplace_back(absl::StripSuffix(line, "\r"));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

absl::Status CheckLabels(const Model& model, const LabelFile& file, const ResultLabels& labels) {
  const Subgraph& graph = model.subgraphs[static_cast<size_t>(file.subgraph)];
  const int32_t t = graph.outputs[static_cast<size_t>(file.result)];
  const Tensor& tensor = graph.tensors[static_cast<size_t>(t)];
  const auto bad = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("file '", absl::CHexEscape(file.name), "' ", what));
  };
  const auto length = [](const std::string& label) { return label.size(); };
  for (const std::string& label : labels.texts) {
    if (length(label) > kMaxLabel) {
      return bad(
          absl::StrCat("has a label of ", length(label), " bytes; ", kMaxLabel, " are possible"));
    }
  }
  if (labels.of_values) return absl::OkStatus();
  const int64_t last = tensor.shape.empty() ? 1 : tensor.shape.back();
  if (last == std::ssize(labels.texts)) return absl::OkStatus();
  return bad(absl::StrCat("has ", labels.texts.size(), " labels for the ", last,
                          " positions of the last axis of '", tensor.name, "'"));
}

}  // namespace

absl::StatusOr<ModelLabels> ReadModelLabels(const Model& model, absl::string_view file) {
  ModelLabels labels;
  const auto entry = std::find_if(model.metadata.begin(), model.metadata.end(),
                                  [](const Metadata& m) { return m.name == kMetadataEntry; });
  if (entry == model.metadata.end()) return labels;
  LATHE_ASSIGN_OR_RETURN(const std::vector<LabelFile> files, FilesOfModel(model, entry->bytes));
  if (files.empty()) return labels;
  std::set<std::string> names;
  for (const LabelFile& f : files) names.insert(f.name);
  LATHE_ASSIGN_OR_RETURN(const std::vector<interp::ZipMember> members,
                         interp::ReadZip(file, kMaxUnpacked, &names));
  uint64_t bytes = 0;
  for (const LabelFile& f : files) {
    const auto member = std::find_if(members.begin(), members.end(),
                                     [&](const interp::ZipMember& m) { return m.name == f.name; });
    if (member == members.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the archive has no file '", absl::CHexEscape(f.name), "'"));
    }
    bytes += member->bytes.size() + 1;
    if (bytes > kMaxLabelBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the labels have more than ", kMaxLabelBytes, " bytes"));
    }
    ResultLabels made{f.of_values, Lines(member->bytes)};
    LATHE_RETURN_IF_ERROR(CheckLabels(model, f, made));
    if (!made.texts.empty()) labels[{f.subgraph, f.result}] = std::move(made);
  }
  return labels;
}

}  // namespace lathe::tflite
