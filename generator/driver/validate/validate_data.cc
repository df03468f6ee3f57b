#include "generator/driver/validate/validate_data.h"

#include <filesystem>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/validate/named_arrays.h"
#include "generator/reader/onnx/data_set.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

absl::Status ReadRandom(absl::string_view text, RunOptions& options) {
  options.seed = 1;
  absl::ConsumePrefix(&text, ":");
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    int64_t number = 0;
    if (pair.first.empty() || !absl::SimpleAtoi(pair.second, &number) ||
        (number < 0 && pair.first == "seed")) {
      return absl::InvalidArgumentError(
          absl::StrCat("in option '--data', '", part, "' is not NAME=N"));
    }
    if (pair.first == "seed") {
      options.seed = static_cast<uint64_t>(number);
    } else {
      options.sizes[std::string(pair.first)] = number;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadValidateData(absl::string_view text, RunOptions& options,
                              std::vector<std::string>& sets) {
  std::error_code ignored;
  const std::string path(text);
  if (std::filesystem::is_directory(path, ignored)) {
    auto folders = onnx::DataSetFolders(path);
    if (folders.ok()) {
      sets = *std::move(folders);
    } else if (HasArrayFiles(path)) {
      options.inputs.emplace_back("", path);
    } else {
      return absl::NotFoundError(absl::StrCat(folders.status().message(), ", and no .npy files"));
    }
    return absl::OkStatus();
  }
  if (absl::ConsumePrefix(&text, "random")) return ReadRandom(text, options);
  if (!absl::EndsWith(text, ".npz")) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--data' must be random:seed=N,DIM=N, an .npz file, or a folder with "
                     ".npy files or ONNX test data; got '",
                     text, "'"));
  }
  options.inputs.emplace_back("", path);
  return absl::OkStatus();
}

}  // namespace lathe::driver
