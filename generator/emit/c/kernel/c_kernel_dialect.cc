#include "generator/emit/c/kernel/c_kernel_dialect.h"

#include "generator/emit/c/names/c_types.h"

namespace lathe::emit {

void CKernelDialect::DeclareExtern(CNeeds& needs, const CName& name,
                                   const std::string& prototype) const {
  needs.externs.try_emplace(name, prototype);
}

void CKernelDialect::DeclareArray(CScope& scope, const ir::Buffer& buffer, const std::string& name,
                                  int64_t elements, LineWriter& out) const {
  DeclareZeroedArray(scope, buffer, name, elements, out);
}

void DeclareZeroedArray(CScope& scope, const ir::Buffer& buffer, const std::string& name,
                        int64_t elements, LineWriter& out) {
  // The array is initialized because compilers do not see that reductions set it before they read
  // it.
  scope.arrays.push_back(name);
  out.Line(CType(buffer.dtype), " ", name, "[", CLength(buffer.dtype, elements), "] = {0};");
}

}  // namespace lathe::emit
