#include "generator/ir/device/ptx_words.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace lathe::ir {
namespace {

bool IsBarrierWord(absl::string_view word) {
  constexpr absl::string_view kWords[] = {"release", "relaxed",     "acquire", "cta",
                                          "shared",  "shared::cta", "b64"};
  return absl::c_linear_search(kWords, word);
}

}  // namespace

std::vector<std::string> PtxWords(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "ptx.")) return {};
  std::vector<std::string> words;
  for (absl::string_view word : absl::StrSplit(name, '.')) {
    if (word.size() > 1) (void)absl::ConsumeSuffix(&word, "_");
    words.push_back(absl::StrReplaceAll(word, {{"__", "::"}}));
  }
  return words;
}

std::string CanonicalPtxName(absl::string_view name) {
  std::vector<std::string> words = PtxWords(name);
  if (words.empty()) return std::string(name);
  if (words[0] == "mbarrier") {
    words.erase(std::remove_if(words.begin() + 1, words.end(), IsBarrierWord), words.end());
  } else if (words[0] == "cp" && words.size() > 2 && words[2] == "mbarrier") {
    words.erase(std::remove_if(words.begin() + 3, words.end(), IsBarrierWord), words.end());
  } else if (words[0] != "fence" && !(words[0] == "cp" && words.size() > 2)) {
    return std::string(name);
  }
  // Drops hints; a cluster has a single block.
  words.erase(std::remove(words.begin(), words.end(), "L2::cache_hint"), words.end());
  std::string plain = absl::StrCat("ptx.", absl::StrJoin(words, "."));
  if (absl::StrContains(plain, "mbarrier::complete_tx::bytes")) {
    plain =
        absl::StrReplaceAll(plain, {{"bulk.shared::cluster.global", "bulk.shared::cta.global"}});
  }
  return plain;
}

}  // namespace lathe::ir
