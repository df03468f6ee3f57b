#include "generator/reader/recognize_format.h"

#include "absl/strings/match.h"

namespace lathe {
namespace {

struct Magic {
  absl::string_view bytes;
  absl::string_view what;
};
constexpr Magic kMagics[] = {
    {"\x7f"
     "ELF",
     "compiled code (ELF)"},
    {"MZ\x90", "compiled code (PE)"},
    {"\xcf\xfa\xed\xfe", "compiled code (Mach-O)"},
    {"!<arch>\n", "a library of compiled code"},
    {"PK\x03\x04", "a ZIP archive, such as a PyTorch or Keras model"},
    {"\x89HDF\r\n", "an HDF5 file, such as a Keras model"},
    {"\x93NUMPY", "an array of NumPy"},
    {"\x80\x02}", "a pickle of Python"},
    {"\x1f\x8b", "a file compressed by gzip"},
};

}  // namespace

bool IsOnnxModel(absl::string_view bytes) {
  // Field 1 is the version of the format. Fields 2 to 8 follow: the producer, its version, the
  // domain, the version of the model (a number), a text, the graph, and the operator sets.
  constexpr unsigned char kVersionField = 1 << 3, kMaxVersion = 127;
  if (bytes.size() < 3 || bytes[0] != kVersionField) return false;
  const auto version = static_cast<unsigned char>(bytes[1]);
  const auto next = static_cast<unsigned char>(bytes[2]);
  constexpr unsigned char kNumber = 0, kBytes = 2;
  const int field = next >> 3, type = next & 7;
  return version > 0 && version <= kMaxVersion && field >= 2 && field <= 8 &&
         type == (field == 5 ? kNumber : kBytes);
}

absl::string_view DescribeMagic(absl::string_view bytes) {
  if (IsOnnxModel(bytes)) return "an ONNX model";
  for (const Magic& magic : kMagics) {
    if (absl::StartsWith(bytes, magic.bytes)) return magic.what;
  }
  return "";
}

bool IsBinary(absl::string_view bytes) {
  // Text has no such byte, in UTF-8.
  constexpr size_t kBeginning = 4096;
  return absl::StrContains(bytes.substr(0, kBeginning), '\0');
}

}  // namespace lathe
