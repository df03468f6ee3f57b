#include "generator/reader/import/program_name.h"

#include "generator/ir/print_names.h"

namespace lathe {

std::string ProgramName(absl::string_view name) {
  constexpr size_t kMaxNameBytes = 60;
  return ir::ToIdentifier(name.substr(0, kMaxNameBytes));
}

}  // namespace lathe
