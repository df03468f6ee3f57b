#include "generator/emit/cuda/weights_view.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/emit/c/print_constants.h"

namespace lathe::emit {
namespace {

// The alignment of a cache line, which is sufficient for copies to a GPU.
constexpr int kLogAlign = 6;

}  // namespace

void AddWeights(const Model& model, absl::string_view weights, Weights place,
                TemplateValue::Dict& view) {
  const bool any = !weights.empty();
  const bool given = any && place == Weights::kExternal;
  const std::string symbol = absl::StrCat(model.name, "_weights");
  view["has_weights"] = any;
  view["external"] = given;
  view["incbin"] = any && place == Weights::kIncbin;
  view["words"] = any && place == Weights::kWords;
  view["weights_log_align"] = absl::StrCat(kLogAlign);
  view["weights_size"] = absl::StrCat(weights.size());
  view["weights_checksum"] = absl::StrFormat("0x%08x", BlobChecksum(weights));
  view["weights_from"] = given ? "config->weights" : symbol;
  view["weights_at"] = given ? "m->config.weights" : symbol;
  view["word_count"] = absl::StrCat(WordCount(weights));
  view["config_note"] = given ? "`config` says where they are." : "`config` may be NULL.";
  view["test_params"] = TestParams(model.name, given, model.plan.has_devices());
  if (any && place == Weights::kWords) view["weight_words"] = WordsText(weights);
}

std::string TestParams(absl::string_view model, bool external, bool placed) {
  return absl::StrCat(external ? absl::StrCat("const ", model, "_config *config, ") : "",
                      placed ? "" : "struct CUstream_st *stream, ");
}

}  // namespace lathe::emit
