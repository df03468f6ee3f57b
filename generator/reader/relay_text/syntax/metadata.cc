#include "generator/reader/relay_text/syntax/metadata.h"

#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/import/dl_tensor.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

using Json = nlohmann::json;

// Objects inside attributes, such as lists of lists of numbers.
constexpr int kMaxAttrDepth = 8;

const Json* Member(const Json* object, const char* name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto it = object->find(name);
  return it == object->end() ? nullptr : &*it;
}

const Json* Element(const Json* array, int64_t index) {
  if (array == nullptr || !array->is_array()) return nullptr;
  if (index < 0 || index >= static_cast<int64_t>(array->size())) return nullptr;
  return &(*array)[static_cast<size_t>(index)];
}

std::string TextOf(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

// Numbers are written as strings or as numbers.
int64_t NumberOf(const Json* value) {
  if (value != nullptr && value->is_number_integer()) return value->get<int64_t>();
  int64_t number = -1;
  return absl::SimpleAtoi(TextOf(value), &number) ? number : -1;
}

absl::Status Malformed(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("malformed metadata: ", what));
}

}  // namespace

Metadata::Metadata() = default;
Metadata::~Metadata() = default;

absl::Status Metadata::Read(absl::string_view json) {
  present_ = true;
  root_ = std::make_unique<Json>(Json::parse(json, nullptr, /*allow_exceptions=*/false));
  if (!root_->is_object()) return Malformed("the section is not a JSON object");
  if (Member(root_.get(), "nodes") == nullptr) return Malformed("it has no list of nodes");
  return absl::OkStatus();
}

absl::StatusOr<const Json*> Metadata::NodeAt(int64_t index) const {
  const Json* node = Element(Member(root_.get(), "nodes"), index);
  if (node == nullptr) return Malformed(absl::StrCat("there is no node ", index));
  return node;
}

absl::StatusOr<const Json*> Metadata::NodeAt(const std::string& key, int64_t index) const {
  if (!present_) {
    return absl::NotFoundError(
        "the text has no section #[metadata], which holds this value; print the module with it: "
        "mod.astext(show_meta_data=True)");
  }
  LATHE_ASSIGN_OR_RETURN(const Json* map, NodeAt(NumberOf(Member(root_.get(), "root"))));
  const Json* keys = Member(map, "keys");
  if (keys == nullptr || !keys->is_array()) return Malformed("its root is not a map");
  for (size_t i = 0; i < keys->size(); ++i) {
    if (TextOf(&(*keys)[i]) != key) continue;
    LATHE_ASSIGN_OR_RETURN(const Json* list,
                           NodeAt(NumberOf(Element(Member(map, "data"), static_cast<int64_t>(i)))));
    const Json* item = Element(Member(list, "data"), index);
    if (item == nullptr) break;
    return NodeAt(NumberOf(item));
  }
  return absl::NotFoundError(absl::StrCat("the metadata has no entry ", key, "[", index, "]"));
}

absl::StatusOr<ir::Constant> Metadata::ConstantAt(int64_t index) const {
  LATHE_ASSIGN_OR_RETURN(const Json* node, NodeAt("relay.Constant", index));
  const int64_t tensor = NumberOf(Member(Member(node, "attrs"), "data"));
  const std::string base64 = TextOf(Element(Member(root_.get(), "b64ndarrays"), tensor));
  std::string bytes;
  if (base64.empty() || !absl::Base64Unescape(base64, &bytes)) {
    return Malformed("a constant is not base64");
  }
  return ReadDLTensor(bytes);
}

absl::StatusOr<ir::AttrMap> Metadata::AttrsAt(const std::string& key, int64_t index) const {
  LATHE_ASSIGN_OR_RETURN(const Json* node, NodeAt(key, index));
  ir::AttrMap attrs;
  const Json* fields = Member(node, "attrs");
  if (fields == nullptr || !fields->is_object()) return attrs;
  for (const auto& [name, value] : fields->items()) attrs[name] = ValueOf(value, 0);
  return attrs;
}

// A plain field holds its value, an object field the index of a node; the text does not tell which.
// The row of the operator decides (ops/convert_metadata.h), so both are kept.
ir::AttrValue Metadata::ValueOf(const Json& text, int depth) const {
  ir::AttrMap both;
  both["text"] = TextOf(&text);
  const int64_t index = NumberOf(&text);
  both["object"] = ObjectAt(index, depth);
  return ir::AttrObject{"metadata", std::make_shared<const ir::AttrMap>(std::move(both))};
}

ir::AttrValue Metadata::ObjectAt(int64_t index, int depth) const {
  if (index <= 0 || depth > kMaxAttrDepth) return {};  // node 0 is null
  const absl::StatusOr<const Json*> node = NodeAt(index);
  if (!node.ok()) return {};
  const std::string type = TextOf(Member(*node, "type_key"));
  const Json* attrs = Member(*node, "attrs");
  if (type == "IntImm" || type == "runtime.BoxInt") return NumberOf(Member(attrs, "value"));
  if (type == "runtime.BoxBool") return NumberOf(Member(attrs, "value")) != 0;
  if (type == "FloatImm" || type == "runtime.BoxFloat") {
    double value = 0;
    if (absl::SimpleAtod(TextOf(Member(attrs, "value")), &value)) return value;
    return {};
  }
  if (type == "Array") {
    ir::AttrList list;
    const Json* items = Member(*node, "data");
    if (items == nullptr || !items->is_array()) return list;
    for (const Json& item : *items) list.push_back(ObjectAt(NumberOf(&item), depth + 1));
    return list;
  }
  const Json* repr = Member(*node, "repr_str");
  if (type == "runtime.String" || repr != nullptr) return TextOf(repr);
  return {};
}

}  // namespace lathe::relay
