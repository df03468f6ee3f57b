#include "generator/emit/cuda/print_host_size.h"

#include "generator/emit/c/kernel/print_c_element.h"

namespace lathe::emit {

absl::StatusOr<std::string> PrintHostSize(const CScope& scope, ir::PrimRef size) {
  CScope host = scope;
  host.wide = true;
  host.sizes.clear();
  return PrintCIndex(host, size);
}

}  // namespace lathe::emit
