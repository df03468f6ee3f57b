#include "generator/ir/device/gpu_instructions.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/matrix_call.h"
#include "generator/ir/device/ptx_value.h"

namespace lathe::ir {
namespace {

// Instructions that are not in gpu_call_list.def.
const GpuInstruction kOthers[] = {
    {"T.tvm_storage_sync", 80, "\"shared\", \"warp\""},
    {"T.tvm_thread_allreduce", 80, "any reducer"},
    {"T.create_barriers", 80, ""},
    {"T.ptx_init_barrier_thread_count", 80, ""},
    {"T.ptx_arrive_barrier", 80, ""},
    {"T.ptx_arrive_barrier_expect_tx", 90, ""},
    {"T.ptx_wait_barrier", 80, ""},
    {"T.ptx_cp_async_barrier", 80, ""},
    {"T.ptx_cp_async", 80, "4, 8 or 16 bytes"},
    {"T.ptx.cp_async", 80, "4, 8 or 16 bytes"},
    {"T.ptx_commit_group", 80, ""},
    {"T.ptx_wait_group", 80, ""},
    {"T.ptx.cp_async.commit_group", 80, ""},
    {"T.ptx.cp_async.wait_group", 80, ""},
    {"T.ptx_cp_async_bulk", 90, "multiples of 16 bytes"},
    {"T.ptx_ldmatrix", 80, ".b16"},
    {"T.ptx.ldmatrix", 80, ".b16"},
    {"T.ptx.stmatrix", 90, ".b16"},
    {"T.mma_fill", 80, ""},
    {"T.mma_store", 80, "16 x 16"},
};

// Instructions lowered to TIR, for all dtypes of PTX; memory accesses in all address spaces.
const GpuInstruction kPlain[] = {
    {"T.ptx.fma", 80, ".rn"},         {"T.ptx.mad", 80, ".lo, .wide"}, {"T.ptx.setp", 80, ""},
    {"T.ptx.selp", 80, ""},           {"T.ptx.shl", 80, ""},           {"T.ptx.shr", 80, ""},
    {"T.ptx.popc", 80, ""},           {"T.ptx.ld", 80, ".v2, .v4"},    {"T.ptx.st", 80, ".v2, .v4"},
    {"T.ptx.red", 80, ".add"},        {"T.ptx.bar.sync", 80, "0"},     {"T.ptx.prefetch", 80, ""},
    {"T.ptx.griddepcontrol", 80, ""},
};

// "cp", "async" of "T.ptx.cp_async".
std::set<std::string> WordsOf(absl::string_view name) {
  std::set<std::string> words;
  for (absl::string_view word : absl::StrSplit(name, absl::ByAnyChar("._:"), absl::SkipEmpty())) {
    if (word != "T" && word != "ptx" && word != "cuda") words.insert(std::string(word));
  }
  return words;
}

}  // namespace

std::vector<GpuInstruction> GpuInstructions() {
  std::vector<GpuInstruction> all;
  for (const auto& [name, op] : GpuCallNames()) all.push_back({name, MinGpuVersion(op), ""});
  all.insert(all.end(), std::begin(kOthers), std::end(kOthers));
  for (const MmaForm& form : MmaForms()) {
    for (const char* name : {"T.ptx_mma", "T.ptx.mma"}) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const GpuInstruction& other) {
        return other.name == name && other.since == form.since;
      });
      if (same == all.end()) {
        all.push_back({name, form.since, FormName(form)});
      } else {
        absl::StrAppend(&same->forms, " ", FormName(form));
      }
    }
  }
  for (absl::string_view op : PtxValues::Ops()) {
    all.push_back({absl::StrCat("T.ptx.", op), 80, op == "mul" ? ".lo, .wide of integers" : ""});
  }
  all.insert(all.end(), std::begin(kPlain), std::end(kPlain));
  return all;
}

std::string DescribeSupportedOnGpus(absl::string_view name) {
  constexpr size_t kLimit = 8;
  const std::set<std::string> asked = WordsOf(name);
  std::vector<std::pair<double, std::string>> similar;  // share of common words
  for (const GpuInstruction& known : GpuInstructions()) {
    const std::set<std::string> words = WordsOf(known.name);
    const auto shared =
        static_cast<size_t>(std::count_if(words.begin(), words.end(), [&](const std::string& word) {
          return asked.count(word) != 0;
        }));
    if (shared == 0) continue;
    const double share =
        static_cast<double>(shared) / static_cast<double>(asked.size() + words.size() - shared);
    if (shared == words.size()) {
      similar.emplace_back(share, absl::StrCat("other forms of ", known.name));
    } else if (known.forms.empty() || known.forms.size() > 40) {
      similar.emplace_back(share, known.name);
    } else {
      similar.emplace_back(share, absl::StrCat(known.name, " (", known.forms, ")"));
    }
  }
  std::stable_sort(similar.begin(), similar.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (const auto& [share, text] : similar) {
    if (names.size() < kLimit) names.push_back(text);
  }
  if (names.empty()) return "supported: the instructions that 'lathe ops --from cuda' lists";
  return absl::StrCat("supported: ", absl::StrJoin(names, ", "),
                      ", and the others that 'lathe ops --from cuda' lists");
}

}  // namespace lathe::ir
