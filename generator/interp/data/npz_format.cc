#include "generator/interp/data/npz_format.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/npy_format.h"
#include "generator/support/status.h"

namespace lathe::interp {

absl::StatusOr<std::vector<ZipMember>> ReadNpzMembers(absl::string_view archive,
                                                      const MemoryBudget& budget) {
  LATHE_ASSIGN_OR_RETURN(std::vector<ZipMember> members,
                         ReadZip(archive, budget.max_bytes() - budget.used()));
  for (ZipMember& m : members) {
    if (absl::EndsWith(m.name, ".npy")) m.name.resize(m.name.size() - 4);
  }
  return members;
}

absl::StatusOr<std::string> WriteNpz(
    const std::vector<std::pair<std::string, TensorRef>>& tensors) {
  std::vector<ZipMember> members;
  for (const auto& [name, tensor] : tensors) {
    members.push_back({absl::StrCat(name, ".npy"), WriteNpy(*tensor)});
  }
  return WriteZip(members);
}

}  // namespace lathe::interp
