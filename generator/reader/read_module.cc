#include "generator/reader/read_module.h"

#include "absl/strings/match.h"
#include "generator/reader/relax_text/read_relax_text.h"
#include "generator/reader/relay_text/read_relay_text.h"
#include "generator/reader/tflite/format/decode_model.h"
#include "generator/reader/tflite/read_tflite.h"

namespace lathe {
namespace {

struct Known {
  absl::string_view suffix;
  absl::string_view what;
};
// File types that are recognized to name them in the diagnostic.
constexpr Known kOther[] = {
    {".json", "a serialised module"}, {".pt", "a PyTorch model"}, {".pb", "a TensorFlow model"},
    {".so", "a compiled library"},    {".npz", "arrays"},
};

}  // namespace

absl::StatusOr<ir::Module> ReadModule(ir::Context& context, const SourceFile& file,
                                      Diagnostics& diags, Remains* remains,
                                      const ReadOptions& options) {
  if (absl::EndsWithIgnoreCase(file.path(), ".onnx")) {
    if (remains != nullptr) remains->checkable = true;  // there is no partial module to check
    return onnx::ReadOnnx(context, file, diags, options);
  }
  if (relay::IsRelayText(file)) {
    if (remains != nullptr) remains->checkable = true;  // there is no partial module to check
    return relay::ReadRelayText(context, file, diags);
  }
  // Models that were renamed are recognized by their identifier.
  if (absl::EndsWithIgnoreCase(file.path(), ".tflite") || tflite::HasModelIdentifier(file.text())) {
    if (remains != nullptr) remains->checkable = true;  // there is no partial module to check
    return tflite::ReadTflite(context, file, diags, options.io_types, options.files);
  }
  absl::string_view what;
  for (const Known& known : kOther) {
    if (absl::EndsWithIgnoreCase(file.path(), known.suffix)) what = known.what;
  }
  if (!what.empty()) {
    if (remains != nullptr) remains->checkable = true;  // there is no partial module to check
    return diags.Unsupported(TextSpan{&file, 0, 0}, "unsupported-format")
           << "this is " << what
           << "; supported are Relax as TVMScript text (.py), "
              "ONNX (.onnx), TFLite (.tflite) and Relay text (.relay)";
  }
  return relax_text::ReadRelaxText(context, file, diags, remains);
}

}  // namespace lathe
