#include "generator/ir/attrs.h"

#include "generator/support/match.h"

namespace lathe::ir {

void ForEachExpr(const AttrValue& value, const std::function<void(PrimRef)>& visit) {
  const auto in_map = [&](const AttrMap& map) {
    for (const auto& [key, item] : map) ForEachExpr(item, visit);
  };
  Match(
      value.node, [](std::monostate) {}, [](bool) {}, [](int64_t) {}, [](double) {},
      [](const std::string&) {}, [](DType) {}, [&](PrimRef e) { visit(e); }, [](StructInfoRef) {},
      [](VDeviceRef) {},
      [&](const AttrList& list) {
        for (const AttrValue& item : list) ForEachExpr(item, visit);
      },
      in_map,
      [&](const AttrObject& object) {
        if (object.fields != nullptr) in_map(*object.fields);
      },
      [&](const std::shared_ptr<const IndexMap>& map) {
        for (PrimRef e : map->inputs) visit(e);
        for (PrimRef e : map->outputs) visit(e);
      });
}

}  // namespace lathe::ir
