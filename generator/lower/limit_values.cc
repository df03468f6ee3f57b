#include "generator/lower/limit_values.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "generator/lower/structure_of.h"

namespace lathe::lower {
namespace {

// Parts are numbered before the values that contain them, so the recursion is one level deep.
class Counter {
 public:
  // Counts above the limit saturate at limit + 1.
  size_t Parts(ir::StructInfoRef info) {
    const auto* tuple = info->As<ir::TupleInfo>();
    if (tuple == nullptr) return 1;
    if (const auto it = parts_.find(info); it != parts_.end()) return it->second;
    size_t parts = tuple->fields.empty() ? 1 : 0;
    for (ir::StructInfoRef field : tuple->fields) {
      parts = std::min(parts + Parts(field), kMaxPartsOfValue + 1);
    }
    parts_.emplace(info, parts);
    return parts;
  }

 private:
  absl::flat_hash_map<ir::StructInfoRef, size_t> parts_;
};

}  // namespace

bool LimitValues(const ir::Module& module, Diagnostics& diags) {
  Counter counter;
  for (int32_t i = 0; i < std::ssize(module.values); ++i) {
    const ir::Value& value = module.values[ir::ValueId{i}];
    if (value.info == nullptr || counter.Parts(value.info) <= kMaxPartsOfValue) continue;
    diags.Unsupported(value.loc, "cannot-lower")
        << "'" << value.name << "' has more than " << kMaxPartsOfValue
        << " parts (each occurrence of a field counts) and cannot be lowered to C; supported: "
           "tuples of fewer parts";
    return false;
  }
  return true;
}

}  // namespace lathe::lower
