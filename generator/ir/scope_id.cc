#include "generator/ir/scope_id.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "generator/ir/context.h"

namespace lathe::ir {
namespace {

constexpr absl::string_view kFunctions[] = {
    "cluster_id", "cta_id",        "cta_id_in_cluster", "cta_id_in_pair", "warpgroup_id",
    "warp_id",    "warp_id_in_wg", "lane_id",           "thread_id",      "thread_id_in_wg"};
constexpr absl::string_view kKey = "scope_id";

std::optional<AttrList> Listed(const AttrMap& fields, const std::string& key) {
  const auto* list = FindAttr<AttrList>(fields, key);
  return list == nullptr ? std::nullopt : std::optional<AttrList>(*list);
}

}  // namespace

bool IsScopeId(absl::string_view function) {
  return std::find(std::begin(kFunctions), std::end(kFunctions), function) != std::end(kFunctions);
}

AttrStmt MakeScopeId(Context& context, const ScopeId& id) {
  AttrMap fields;
  fields["vars"] = AttrValue(AttrList(id.vars.begin(), id.vars.end()));
  if (id.extents) fields["extents"] = AttrValue(*id.extents);
  if (id.preferred) fields["preferred"] = AttrValue(*id.preferred);
  AttrStmt attr;
  attr.node =
      AttrValue(AttrObject{std::string(kKey), std::make_shared<const AttrMap>(std::move(fields))});
  attr.key = std::string(kKey);
  attr.value = context.String(id.function);
  return attr;
}

std::optional<ScopeId> ScopeIdOf(const AttrStmt& attr) {
  const auto* object = attr.node.As<AttrObject>();
  const auto* function = attr.value == nullptr ? nullptr : attr.value->As<StringImm>();
  if (attr.key != kKey || attr.buffer != nullptr || attr.body != nullptr || object == nullptr ||
      object->kind != kKey || object->fields == nullptr || function == nullptr) {
    return std::nullopt;
  }
  ScopeId id;
  id.function = function->value;
  const auto* vars = FindAttr<AttrList>(*object->fields, "vars");
  if (vars == nullptr || !IsScopeId(id.function)) return std::nullopt;
  for (const AttrValue& item : *vars) {
    const auto* var = item.As<PrimRef>();
    if (var == nullptr || (*var)->As<SymVar>() == nullptr) return std::nullopt;
    id.vars.push_back(*var);
  }
  if (id.vars.empty()) return std::nullopt;
  id.extents = Listed(*object->fields, "extents");
  id.preferred = Listed(*object->fields, "preferred");
  return id;
}

}  // namespace lathe::ir
