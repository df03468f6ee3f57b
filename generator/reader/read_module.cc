#include "generator/reader/read_module.h"

#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/recognize_format.h"
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

constexpr char kSupported[] =
    "Relax as TVMScript text (.py), ONNX (.onnx), TFLite (.tflite) and Relay text (.relay)";

// Returns ".bin" for "folder/model.bin", and "" for a name without a suffix.
absl::string_view SuffixOf(absl::string_view path) {
  const absl::string_view name = path.substr(path.find_last_of("/\\") + 1);
  const size_t dot = name.rfind('.');
  return dot == name.npos ? "" : name.substr(dot);
}

// Returns the location of a file of which no line is shown.
Location WholeFile(const SourceFile& file) {
  return std::make_shared<const ModelNode>(ModelNode{std::string(file.path()), "", "", 0});
}

bool IsTvmScriptName(absl::string_view path) {
  return absl::EndsWithIgnoreCase(path, ".py") || absl::StartsWith(path, "<");  // standard input
}

// Returns a description of a format that is not read, or not under this name; "" if there is none.
absl::string_view OtherFormat(const SourceFile& file, bool is_onnx) {
  const absl::string_view path = file.path(), text = file.text();
  if (is_onnx) {
    return tflite::HasModelIdentifier(text) ? "a TFLite model, whose name must end with .tflite"
                                            : "";
  }
  if (IsOnnxModel(text)) return "an ONNX model, whose name must end with .onnx";
  for (const Known& known : kOther) {
    if (absl::EndsWithIgnoreCase(path, known.suffix)) return known.what;
  }
  const absl::string_view magic = DescribeMagic(text);
  // The reader of TVMScript reports the place of such a byte.
  return magic.empty() && IsBinary(text) && !IsTvmScriptName(path) ? "a binary file" : magic;
}

// Text of any name is read as TVMScript. If a file of another suffix is not, one diagnostic says
// so, with the first error, in place of one for each line of, say, a manual.
absl::StatusOr<ir::Module> ReadUnknownText(ir::Context& context, const SourceFile& file,
                                           Diagnostics& diags, Remains* remains) {
  Diagnostics found;
  auto module = relax_text::ReadRelaxText(context, file, found, remains);
  const Diagnostic* first = nullptr;
  for (const Diagnostic& d : found.all()) {
    if (first == nullptr && d.severity == Severity::kError) first = &d;
  }
  if (first == nullptr || !absl::StartsWith(first->code, "syntax-")) {
    for (const Diagnostic& d : found.all()) diags.Add(d);
    return module;
  }
  if (remains != nullptr) *remains = {.checkable = true};
  const absl::string_view suffix = SuffixOf(file.path());
  return diags.Unsupported(WholeFile(file), "unsupported-format")
         << (suffix.empty() ? "no suffix" : absl::StrCat("unknown suffix '", suffix, "'"))
         << "; read as TVMScript, which it is not (" << RenderPlace(first->loc) << first->message
         << "); supported are " << kSupported;
}

}  // namespace

absl::StatusOr<ir::Module> ReadModule(ir::Context& context, const SourceFile& file,
                                      Diagnostics& diags, Remains* remains,
                                      const ReadOptions& options) {
  const absl::string_view path = file.path();
  const bool is_onnx = absl::EndsWithIgnoreCase(path, ".onnx");
  // Models that were renamed are recognized by their identifier.
  const bool is_tflite = !is_onnx && (absl::EndsWithIgnoreCase(path, ".tflite") ||
                                      tflite::HasModelIdentifier(file.text()));
  const bool is_relay = !is_onnx && relay::IsRelayText(file);
  const bool readable = is_tflite && !IsOnnxModel(file.text());
  const absl::string_view what = is_relay || readable ? "" : OtherFormat(file, is_onnx);
  if (is_onnx || is_tflite || is_relay || !what.empty()) {
    if (remains != nullptr) remains->checkable = true;  // there is no partial module to check
  }
  if (!what.empty()) {
    return diags.Unsupported(WholeFile(file), "unsupported-format")
           << "this is " << what << "; supported are " << kSupported;
  }
  if (is_onnx) return onnx::ReadOnnx(context, file, diags, options);
  if (is_relay) return relay::ReadRelayText(context, file, diags);
  if (is_tflite) return tflite::ReadTflite(context, file, diags, options.io_types, options.files);
  if (IsTvmScriptName(path)) {
    return relax_text::ReadRelaxText(context, file, diags, remains);
  }
  return ReadUnknownText(context, file, diags, remains);
}

}  // namespace lathe
