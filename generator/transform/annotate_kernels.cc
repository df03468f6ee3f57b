#include "generator/transform/annotate_kernels.h"

#include <string>

#include "generator/analysis/kernel_traits.h"

namespace lathe::transform {

void AnnotateKernels(ir::Context&, ir::Module& module) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    ir::PrimFunc* func = module.globals[ir::GlobalId{i}].prim_func();
    if (func == nullptr) continue;
    const analysis::KernelTraits traits = analysis::TraitsOf(*func);
    func->attrs[kKernelKind] = ir::AttrValue(std::string(analysis::Name(traits.kind)));
  }
}

}  // namespace lathe::transform
