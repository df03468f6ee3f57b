#include "generator/target/gpu.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/target/portable_target.h"

namespace lathe {
namespace {

// Numbers from the CUDA programming guide's table of compute capabilities, and from the data sheets
// of A100, RTX 3090, RTX 4090, H100 SXM, B200 and RTX 5090. L2 bandwidth: about half of the peak of
// its ports.
constexpr Gpu kGpus[] = {
    {"sm_80", "80", "Ampere: A100", 80, 163 * kKiB, 65536, 2048, false, 108, 64, 1024, 3200},
    {"sm_86", "86", "Ampere: RTX 30, A10, A40", 86, 99 * kKiB, 65536, 1536, false, 82, 128, 256,
     1500},
    {"sm_89", "89", "Ada: RTX 40, L4, L40", 89, 99 * kKiB, 65536, 1536, false, 128, 128, 256, 2000},
    {"sm_90a", "90a", "Hopper: H100, H200, with its own instructions", 90, 227 * kKiB, 65536, 2048,
     true, 132, 128, 1024, 3600},
    {"sm_100", "100", "Blackwell: B100, B200", 100, 227 * kKiB, 65536, 2048, false, 148, 128, 1024,
     5000},
    {"sm_120", "120", "Blackwell: RTX 50, RTX Pro", 120, 99 * kKiB, 65536, 1536, false, 170, 128,
     256, 2700},
};

constexpr Target Cuda() {
  Target t = kPortable;
  t.name = "cuda";
  t.summary = "CUDA: kernels for NVIDIA GPUs, C++17 on the host";
  t.int_bits = 32;
  t.ram_align = 256;  // the alignment of cudaMalloc
  t.flash_align = 256;
  t.has_fma = true;
  t.has_half = true;
  t.compiler = "nvcc";
  t.packages = "";
  return t;
}
constexpr Target kCuda = Cuda();

std::string KnownGpus() {
  return absl::StrJoin(kGpus, ", ",
                       [](std::string* out, const Gpu& gpu) { absl::StrAppend(out, gpu.name); });
}

}  // namespace

absl::Span<const Gpu> AllGpus() { return kGpus; }

const Target& CudaTarget() { return kCuda; }

std::string GpuChoice::architectures() const {
  std::vector<std::string> words;
  for (const Gpu* gpu : gpus) words.push_back(absl::StrCat(gpu->architecture, "-real"));
  if (ptx) words.push_back(absl::StrCat(gpus.front()->version, "-virtual"));
  return absl::StrJoin(words, " ");
}

std::string GpuChoice::name() const {
  std::vector<absl::string_view> names;
  for (const Gpu* gpu : gpus) names.push_back(gpu->name);
  return absl::StrCat("cuda:", absl::StrJoin(names, ","), tf32 ? "+tf32" : "", ptx ? "+ptx" : "");
}

bool NamesGpus(absl::string_view target) {
  return target == "cuda" || absl::StartsWith(target, "cuda:");
}

absl::StatusOr<GpuChoice> ReadGpus(absl::string_view target) {
  GpuChoice choice;
  absl::string_view list = target;
  if (!absl::ConsumePrefix(&list, "cuda:") || list.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("target 'cuda' needs a list of GPUs, as in cuda:sm_80 or "
                     "cuda:sm_80,sm_90a+ptx\nsupported GPUs: ",
                     KnownGpus()));
  }
  const std::vector<absl::string_view> words = absl::StrSplit(list, '+');
  for (size_t i = 1; i < words.size(); ++i) {
    if (absl::StrContains(words[i], ',')) {
      return absl::InvalidArgumentError(absl::StrCat(
          "in target '", target, "' a GPU follows '+", words[i].substr(0, words[i].find(',')),
          "': options after '+' apply to all GPUs and follow the last one, as in "
          "cuda:sm_80,sm_90a+tf32+ptx"));
    }
    if (words[i] != "ptx" && words[i] != "tf32") {
      return absl::InvalidArgumentError(absl::StrCat("target '", target,
                                                     "' has an unknown option '+", words[i],
                                                     "'\nsupported options: +ptx, +tf32"));
    }
    (words[i] == "ptx" ? choice.ptx : choice.tf32) = true;
  }
  for (absl::string_view name : absl::StrSplit(words[0], ',')) {
    const auto* gpu = std::find_if(std::begin(kGpus), std::end(kGpus),
                                   [&](const Gpu& row) { return row.name == name; });
    if (gpu == std::end(kGpus)) {
      const auto* longer = std::find_if(std::begin(kGpus), std::end(kGpus), [&](const Gpu& row) {
        return !name.empty() && row.name != name && absl::StartsWith(row.name, name) &&
               !absl::ascii_isdigit(static_cast<unsigned char>(row.name[name.size()]));
      });
      return absl::InvalidArgumentError(absl::StrCat(
          "no GPU is named '", name, "' in target '", target, "'",
          longer == std::end(kGpus) ? "" : absl::StrCat("; did you mean '", longer->name, "'?"),
          "\nsupported GPUs: ", KnownGpus()));
    }
    if (std::find(choice.gpus.begin(), choice.gpus.end(), gpu) == choice.gpus.end()) {
      choice.gpus.push_back(gpu);
    }
  }
  std::sort(choice.gpus.begin(), choice.gpus.end());  // the table is in that order
  return choice;
}

}  // namespace lathe
