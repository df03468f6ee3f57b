#include "generator/driver/calibration_data.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/interp/data/npy_format.h"
#include "generator/interp/data/npz_format.h"
#include "generator/interp/data/random_input.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

using interp::TensorRef;
// An array of a file, by the parameter that takes it or by its own name.
struct FileArray {
  std::string name;  // in the file
  TensorRef tensor;
};
using NamedArrays = std::map<std::string, FileArray>;

// A parameter of the function: symbolic dimensions are -1.
struct CalibratedParam {
  std::string name;
  ir::DType dtype;
  std::vector<int64_t> dims;
};

template <typename... Parts>
absl::Status Malformed(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::StatusOr<std::vector<CalibratedParam>> ParamsOf(const ir::Module& module,
                                                      const ir::Function& function) {
  std::vector<CalibratedParam> out;
  for (ir::ValueId id : function.params) {
    const ir::Value& value = module.values[id];
    const auto* tensor = value.info == nullptr ? nullptr : value.info->As<ir::TensorInfo>();
    if (tensor == nullptr || tensor->dims() == nullptr) {
      return Malformed("parameter '", value.name,
                       "' is not a tensor of known rank, so no samples can be read for it");
    }
    CalibratedParam param{value.name, tensor->dtype, {}};
    for (ir::PrimRef dim : *tensor->dims()) {
      const auto* number = dim->As<ir::IntImm>();
      param.dims.push_back(number == nullptr ? -1 : number->value);
    }
    out.push_back(std::move(param));
  }
  return out;
}

// The part of `array` that starts at position `first` of its first axis. `keeps_axis` leaves that
// axis, of length `length`, in the part.
absl::StatusOr<TensorRef> Part(const interp::Tensor& array, int64_t first, int64_t length,
                               bool keeps_axis,
                               const std::shared_ptr<interp::MemoryBudget>& budget) {
  std::vector<int64_t> shape = array.shape;
  if (keeps_axis) {
    shape[0] = length;
  } else {
    shape.erase(shape.begin());
  }
  LATHE_ASSIGN_OR_RETURN(TensorRef part, interp::NewTensor(array.dtype, shape, budget));
  const uint64_t each = part->bytes() / static_cast<uint64_t>(length);
  std::memcpy(part->data(), array.data() + static_cast<uint64_t>(first) * each, part->bytes());
  return part;
}

// The number of samples of one array, and how a sample is cut from it.
struct SampleCut {
  int64_t samples = 0;
  int64_t length = 1;
  bool keeps_axis = false;
};
absl::StatusOr<SampleCut> SampleCutOf(const CalibratedParam& param, const std::string& name,
                                      const interp::Tensor& array) {
  const auto describe = [&] {
    std::vector<std::string> dims;
    for (int64_t dim : param.dims) dims.push_back(dim < 0 ? "?" : absl::StrCat(dim));
    return absl::StrCat("array '", name, "' has shape ", interp::ShapeToString(array.shape),
                        ", but the parameter is (", absl::StrJoin(dims, ", "),
                        "), with the samples along the first axis");
  };
  if (array.dtype != param.dtype) {
    return Malformed("array '", name, "' has dtype ", ToString(array.dtype),
                     ", but the parameter has ", ToString(param.dtype));
  }
  const size_t rank = param.dims.size();
  const bool stacked = array.shape.size() == rank + 1;
  if ((!stacked && array.shape.size() != rank) || array.shape.empty()) return Malformed(describe());
  for (size_t a = stacked ? 0 : 1; a < rank; ++a) {
    const int64_t dim = array.shape[stacked ? a + 1 : a];
    if (param.dims[a] >= 0 && param.dims[a] != dim) return Malformed(describe());
  }
  SampleCut cut;
  cut.keeps_axis = !stacked;
  if (!stacked && param.dims[0] > 0) cut.length = param.dims[0];
  cut.samples = array.shape[0] / cut.length;
  if (cut.samples > 0 && array.shape[0] % cut.length != 0) {
    return Malformed(describe(), ": ", array.shape[0], " is no multiple of ", cut.length);
  }
  if (cut.samples == 0) {
    return Malformed(describe(), ": there are too few elements for one sample");
  }
  if (cut.samples > kMaxSamples) {
    return Malformed("array '", name, "' has ", cut.samples, " samples; at most ", kMaxSamples,
                     " are read");
  }
  return cut;
}

std::string NamesOf(const NamedArrays& arrays) {
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays) names.push_back(absl::StrCat("'", name, "'"));
  return names.empty() ? "no arrays" : absl::StrJoin(names, ", ");
}

bool IsParam(const std::vector<CalibratedParam>& params, absl::string_view name) {
  return absl::c_any_of(params, [&](const CalibratedParam& param) { return param.name == name; });
}

absl::Status AddSamples(const std::vector<CalibratedParam>& params, const NamedArrays& arrays,
                        const std::shared_ptr<interp::MemoryBudget>& budget,
                        CalibrationData& data) {
  std::vector<transform::Sample> samples;
  for (const CalibratedParam& param : params) {
    const auto found = arrays.find(param.name);
    if (found == arrays.end()) {
      return Malformed("there is no array '", param.name, "'; the file has ", NamesOf(arrays));
    }
    const auto& [name, array] = found->second;
    LATHE_ASSIGN_OR_RETURN(const SampleCut cut, SampleCutOf(param, name, *array));
    const auto count = static_cast<size_t>(cut.samples);
    if (samples.empty()) samples.resize(count);
    if (samples.size() != count) {
      return Malformed("array '", name, "' has ", count, " samples, but others have ",
                       samples.size());
    }
    for (size_t s = 0; s < count; ++s) {
      LATHE_ASSIGN_OR_RETURN(TensorRef part, Part(*array, static_cast<int64_t>(s) * cut.length,
                                                  cut.length, cut.keeps_axis, budget));
      samples[s].push_back(interp::Value(std::move(part)));
    }
  }
  const auto labels = arrays.find(kLabelsArray);
  if (labels != arrays.end() && !IsParam(params, kLabelsArray)) {
    const interp::Tensor& list = *labels->second.tensor;
    if (!list.dtype.is_integer() || list.num_elements() != samples.size()) {
      return Malformed("array 'labels' must have one integer for each of the ", samples.size(),
                       " samples, got ", ToString(list.dtype), " of shape ",
                       interp::ShapeToString(list.shape));
    }
    for (uint64_t i = 0; i < list.num_elements(); ++i) {
      data.labels.push_back(static_cast<int64_t>(list.At(i).bits));
    }
  }
  for (transform::Sample& sample : samples) data.samples.push_back(std::move(sample));
  return absl::OkStatus();
}

absl::StatusOr<NamedArrays> ReadSampleArrays(const std::string& path,
                                             const std::vector<CalibratedParam>& params,
                                             const std::shared_ptr<interp::MemoryBudget>& budget) {
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  NamedArrays arrays;
  const auto add = [&](const std::string& name, absl::string_view file) -> absl::Status {
    ir::DType raw;
    for (const CalibratedParam& param : params) {
      if (param.name == name) raw = param.dtype;
    }
    auto tensor = interp::ReadNpy(file, budget, raw);
    if (!tensor.ok()) {
      return absl::DataLossError(
          absl::StrCat(path, ": array '", name, "': ", tensor.status().message()));
    }
    arrays[name] = {name, *std::move(tensor)};
    return absl::OkStatus();
  };
  if (absl::EndsWith(path, ".npy")) {
    if (params.size() != 1) {
      return Malformed(path, ": the function has ", params.size(),
                       " parameters; give an .npz file with an array for each");
    }
    LATHE_RETURN_IF_ERROR(add(params[0].name, bytes));
    return arrays;
  }
  const auto members = interp::ReadNpzMembers(bytes, *budget);
  if (!members.ok()) {
    return absl::DataLossError(absl::StrCat(path, ": ", members.status().message()));
  }
  for (const interp::ZipMember& member : *members) {
    LATHE_RETURN_IF_ERROR(add(member.name, member.bytes));
  }
  // A single array needs no name of its own.
  if (params.size() == 1 && arrays.size() == 1 && !arrays.contains(params[0].name) &&
      !arrays.contains(kLabelsArray)) {
    const FileArray only = arrays.begin()->second;
    arrays = {{params[0].name, only}};
  }
  return arrays;
}

absl::StatusOr<std::vector<std::string>> FilesOf(const std::string& source) {
  std::error_code error;
  if (!std::filesystem::is_directory(source, error)) return std::vector<std::string>{source};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source, error)) {
    const std::string path = entry.path().string();
    if (absl::EndsWith(path, ".npz") || absl::EndsWith(path, ".npy")) files.push_back(path);
  }
  if (files.empty()) return Malformed("folder '", source, "' has no .npz or .npy files");
  std::sort(files.begin(), files.end());
  return files;
}

// random:seed=1,samples=8
absl::StatusOr<CalibrationData> RandomSamples(absl::string_view text,
                                              const std::vector<CalibratedParam>& params,
                                              const std::shared_ptr<interp::MemoryBudget>& budget) {
  uint64_t seed = 1;
  int64_t count = 8;
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> pair = absl::StrSplit(part, '=');
    const bool fine = (pair.first == "seed" && absl::SimpleAtoi(pair.second, &seed)) ||
                      (pair.first == "samples" && absl::SimpleAtoi(pair.second, &count) &&
                       count >= 1 && count <= kMaxSamples);
    if (!fine) {
      return Malformed("random samples are random:seed=N,samples=1..", kMaxSamples, "; got '", part,
                       "'");
    }
  }
  CalibrationData data;
  std::vector<interp::RandomInput> sources;
  for (const CalibratedParam& param : params) sources.emplace_back(seed, param.name);
  for (int64_t s = 0; s < count; ++s) {
    transform::Sample sample;
    for (size_t p = 0; p < params.size(); ++p) {
      std::vector<int64_t> shape = params[p].dims;
      for (int64_t& dim : shape) dim = dim < 0 ? 1 : dim;
      LATHE_ASSIGN_OR_RETURN(TensorRef tensor, interp::NewTensor(params[p].dtype, shape, budget));
      sources[p].Fill(*tensor);
      sample.push_back(interp::Value(std::move(tensor)));
    }
    data.samples.push_back(std::move(sample));
  }
  return data;
}

}  // namespace

absl::StatusOr<CalibrationData> ReadCalibrationData(const std::string& source,
                                                    const ir::Module& module,
                                                    ir::GlobalId function) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<CalibratedParam> params,
                         ParamsOf(module, *module.globals[function].function()));
  const auto budget = std::make_shared<interp::MemoryBudget>();
  constexpr absl::string_view kRandom = "random:";
  if (absl::StartsWith(source, kRandom)) {
    return RandomSamples(absl::string_view(source).substr(kRandom.size()), params, budget);
  }
  CalibrationData data;
  LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> files, FilesOf(source));
  for (const std::string& file : files) {
    LATHE_ASSIGN_OR_RETURN(const NamedArrays arrays, ReadSampleArrays(file, params, budget));
    const absl::Status added = AddSamples(params, arrays, budget, data);
    if (!added.ok()) {
      return absl::Status(added.code(), absl::StrCat(file, ": ", added.message()));
    }
    if (!data.labels.empty() && data.labels.size() != data.samples.size()) {
      return Malformed(file, ": only some files have an array 'labels'");
    }
  }
  return data;
}

}  // namespace lathe::driver
