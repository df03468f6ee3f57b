// Registers the packed functions that a program may call, by name.
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
  // Adds a function, which replaces an earlier one of the same name.
  void Add(std::string name, PackedBody body);
  // Returns null if there is none.
  std::shared_ptr<const PackedFunction> Find(absl::string_view name) const;
  std::vector<absl::string_view> Names() const;

 private:
  std::map<std::string, std::shared_ptr<const PackedFunction>, std::less<>> functions_;
};

// Returns the built-in packed functions: "vm.builtin.copy" and others.
PackedTable BuiltinPackedTable();

}  // namespace lathe::interp

#endif  // LATHE_INTERP_PACKED_TABLE_H_
