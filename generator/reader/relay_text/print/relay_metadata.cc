#include "generator/reader/relay_text/print/relay_metadata.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/import/dl_tensor.h"

namespace lathe::relay {
namespace {

// The nodes are: null, the map of all entries, the list of constants, and the constants.
constexpr size_t kFirstConstant = 3;

}  // namespace

size_t MetadataWriter::Add(const ir::Constant& constant) {
  const auto [it, inserted] = known_.try_emplace(WriteDLTensor(constant), tensors_.size());
  if (inserted) tensors_.push_back(&it->first);
  return it->second;
}

std::string MetadataWriter::Section() const {
  if (tensors_.empty()) return "";
  std::string out =
      "#[metadata]\n{\n  \"root\": 1,\n  \"nodes\": [\n    {\"type_key\": \"\"},\n"
      "    {\"type_key\": \"Map\", \"keys\": [\"relay.Constant\"], \"data\": [2]},\n"
      "    {\"type_key\": \"Array\", \"data\": [";
  for (size_t i = 0; i < tensors_.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ", ", kFirstConstant + i);
  }
  out += "]}";
  for (size_t i = 0; i < tensors_.size(); ++i) {
    absl::StrAppend(&out,
                    ",\n    {\"type_key\": \"relay.Constant\", \"attrs\": {\"_checked_type_\": "
                    "\"0\", \"data\": \"",
                    i, "\", \"span\": \"0\", \"virtual_device_\": \"0\"}}");
  }
  out += "\n  ],\n  \"b64ndarrays\": [";
  for (size_t i = 0; i < tensors_.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "\n    \"" : ",\n    \"", absl::Base64Escape(*tensors_[i]),
                    "\"");
  }
  out += "\n  ],\n  \"attrs\": {\"tvm_version\": \"0.19.0\"}\n}\n";
  return out;
}

}  // namespace lathe::relay
