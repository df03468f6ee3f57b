// The packed functions a program may call, by name.
#ifndef LATHE_INTERP_PACKED_TABLE_H_
#define LATHE_INTERP_PACKED_TABLE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/interp/values.h"

namespace lathe::interp {

class PackedTable {
 public:
  // A later function of the same name takes the place of the earlier one.
  void Add(std::string name, PackedBody body);
  // Null when there is none.
  std::shared_ptr<const PackedFunction> Find(absl::string_view name) const;
  std::vector<absl::string_view> Names() const;

 private:
  std::map<std::string, std::shared_ptr<const PackedFunction>, std::less<>> functions_;
};

// The packed functions that are always there: "vm.builtin.copy" and the like.
PackedTable BuiltinPackedTable();

}  // namespace lathe::interp

#endif  // LATHE_INTERP_PACKED_TABLE_H_
