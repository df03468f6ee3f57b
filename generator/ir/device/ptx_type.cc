#include "generator/ir/device/ptx_type.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace lathe::ir {

DType PtxType(absl::string_view word) {
  int bits = 0;
  if (word.size() < 2 || !absl::SimpleAtoi(word.substr(1), &bits)) return DType::Void();
  const bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (word[0] == 's' && whole) return DType::Int(bits);
  if ((word[0] == 'u' || word[0] == 'b') && whole) return DType::UInt(bits);
  if (word[0] == 'f' && (bits == 32 || bits == 64)) return DType::Float(bits);
  return DType::Void();
}

std::optional<PtxAccess> PlainAccess(const std::vector<std::string>& words) {
  PtxAccess access;
  bool space = false;
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "global" || word == "shared" || word == "shared::cta" || word == "local") {
      if (space) return std::nullopt;
      space = true;
    } else if (word == "L2::cache_hint") {
      access.hinted = true;
    } else if (word == "v2" || word == "v4" || word == "v8") {
      access.lanes = word[1] - '0';
    } else if (word != "weak" && word != "nc" && !absl::StartsWith(word, "L1::") &&
               !absl::StartsWith(word, "L2::")) {
      return std::nullopt;
    }
  }
  access.dtype = words.size() < 2 ? DType::Void() : PtxType(words.back());
  if (!space || access.dtype.is_void()) return std::nullopt;
  return access;
}

PtxOrder OrderOf(const std::vector<std::string>& words) {
  PtxOrder found;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool orders = word == "acquire" || word == "release" || word == "acq_rel" ||
                        word == "relaxed" || word == "volatile";
    if (i > 0 && orders && found.order.empty()) {
      found.order = word;
    } else if (i > 0 && found.scope.empty() && (word == "cta" || word == "gpu" || word == "sys")) {
      found.scope = word;
    } else if (i > 0 && found.scope.empty() && word == "cluster") {
      found.scope = "cta";  // a cluster has a single block
    } else {
      found.words.push_back(word);
    }
  }
  return found;
}

}  // namespace lathe::ir
