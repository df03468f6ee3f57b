#include "generator/reader/relax_text/elaboration/metadata.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/import/dl_tensor.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using Json = nlohmann::json;

// Missing fields and fields of another kind are read as null, -1 or empty. Missing data is
// diagnosed where it is used.
const Json* Field(const Json* object, const char* name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto it = object->find(name);
  return it == object->end() ? nullptr : &*it;
}

std::string Text(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

// The older format also writes numbers as strings.
int64_t Index(const Json* value) {
  if (value != nullptr && value->is_number_integer()) return value->get<int64_t>();
  int64_t index = -1;
  return absl::SimpleAtoi(Text(value), &index) ? index : -1;
}

const Json* Node(const Json* nodes, int64_t index) {
  if (nodes == nullptr || !nodes->is_array()) return nullptr;
  if (index < 0 || index >= static_cast<int64_t>(nodes->size())) return nullptr;
  return &(*nodes)[static_cast<size_t>(index)];
}

// Returns the elements of an array, or an empty list for other values.
std::vector<const Json*> Elements(const Json* array) {
  std::vector<const Json*> elements;
  if (array == nullptr || !array->is_array()) return elements;
  for (const Json& element : *array) elements.push_back(&element);
  return elements;
}

absl::StatusOr<ir::Constant> DecodeTensor(const std::string& base64) {
  std::string bytes;
  if (base64.empty() || !absl::Base64Unescape(base64, &bytes)) {
    return absl::InvalidArgumentError("a tensor is not valid base64");
  }
  return ReadDLTensor(bytes);
}

bool IsString(absl::string_view type) { return absl::EndsWith(type, "StringImm"); }

// {"type": "relax.expr.Constant", "data": {"data": 8, ...}}, {"type": "ffi.Tensor", "data": "..."};
// since 0.27 {"type": "ir.GenericConst", "data": {"value": 8, ...}}
class FfiForm {
 public:
  explicit FfiForm(const Json* root) : nodes_(Field(root, "nodes")) {}

  absl::StatusOr<Metadata> Read(int64_t root) {
    Metadata metadata;
    const std::vector<const Json*> map = Elements(Field(Node(nodes_, root), "data"));
    if (map.empty()) return absl::InvalidArgumentError("it contains no map");
    for (size_t i = 0; i + 1 < map.size(); i += 2) {
      const std::string type = Text(Field(Node(nodes_, Index(map[i])), "data"));
      for (const Json* item : Elements(Field(Node(nodes_, Index(map[i + 1])), "data"))) {
        LATHE_ASSIGN_OR_RETURN(MetadataItem read, ReadItem(Node(nodes_, Index(item))));
        metadata[type].push_back(std::move(read));
      }
    }
    return metadata;
  }

 private:
  absl::StatusOr<MetadataItem> ReadItem(const Json* node) {
    const std::string type = Text(Field(node, "type"));
    const Json* data = Field(node, "data");
    // ir.GenericConst, as 0.27 has it, also holds other values than tensors.
    const bool generic = type == "ir.GenericConst";
    const Json* tensor = Node(nodes_, Index(Field(data, generic ? "value" : "data")));
    if (type == "relax.expr.Constant" || (generic && Text(Field(tensor, "type")) == "ffi.Tensor")) {
      LATHE_ASSIGN_OR_RETURN(ir::Constant constant, DecodeTensor(Text(Field(tensor, "data"))));
      return MetadataItem(std::move(constant));
    }
    if (IsString(type)) {
      const Json* value = Field(data, "value");
      if (value != nullptr && value->is_string()) return MetadataItem(Text(value));
      return MetadataItem(Text(Field(Node(nodes_, Index(value)), "data")));
    }
    return MetadataItem(OpaqueMetadata{type});
  }

  const Json* nodes_;
};

// {"type_key": "relax.expr.Constant", "attrs": {"data": "0", ...}}, tensors in "b64ndarrays"
class ClassicForm {
 public:
  explicit ClassicForm(const Json* root)
      : nodes_(Field(root, "nodes")), tensors_(Field(root, "b64ndarrays")) {}

  absl::StatusOr<Metadata> Read(int64_t root) {
    Metadata metadata;
    const Json* map = Node(nodes_, root);
    const std::vector<const Json*> keys = Elements(Field(map, "keys"));
    const std::vector<const Json*> lists = Elements(Field(map, "data"));
    if (keys.empty() || keys.size() != lists.size()) {
      return absl::InvalidArgumentError("it contains no map");
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      for (const Json* item : Elements(Field(Node(nodes_, Index(lists[i])), "data"))) {
        LATHE_ASSIGN_OR_RETURN(MetadataItem read, ReadItem(Node(nodes_, Index(item))));
        metadata[Text(keys[i])].push_back(std::move(read));
      }
    }
    return metadata;
  }

 private:
  absl::StatusOr<MetadataItem> ReadItem(const Json* node) {
    const std::string type = Text(Field(node, "type_key"));
    const Json* attrs = Field(node, "attrs");
    if (type == "relax.expr.Constant") {
      const Json* tensor = Node(tensors_, Index(Field(attrs, "data")));
      LATHE_ASSIGN_OR_RETURN(ir::Constant constant, DecodeTensor(Text(tensor)));
      return MetadataItem(std::move(constant));
    }
    if (IsString(type)) {
      // The text stands in the field, or in a node of its own that the field points at.
      const Json* value = Node(nodes_, Index(Field(attrs, "value")));
      const std::string pointed = Text(Field(value, "repr_str"));
      return MetadataItem(pointed.empty() ? Text(Field(attrs, "value")) : pointed);
    }
    return MetadataItem(OpaqueMetadata{type});
  }

  const Json* nodes_;
  const Json* tensors_;
};

}  // namespace

absl::StatusOr<Metadata> ReadMetadata(absl::string_view json) {
  const Json root = Json::parse(json.begin(), json.end(), nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return absl::InvalidArgumentError("it is not JSON");
  if (const Json* at = Field(&root, "root_index")) return FfiForm(&root).Read(Index(at));
  if (const Json* at = Field(&root, "root")) return ClassicForm(&root).Read(Index(at));
  return absl::InvalidArgumentError("it has no \"root_index\" and no \"root\"");
}

}  // namespace lathe::relax_text
