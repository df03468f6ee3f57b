// Creates kernels from nests: one kernel for all calls that differ only in their tensors.
#ifndef LATHE_SCHEDULE_FUSE_KERNEL_OF_NEST_H_
#define LATHE_SCHEDULE_FUSE_KERNEL_OF_NEST_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/nest/nest_call.h"
#include "generator/schedule/vectors/choose_form.h"

namespace lathe::schedule {

class NestKernels {
 public:
  NestKernels(ir::Context& context, ir::Program& program, const Target& target, bool on_gpu)
      : ir_(context), program_(program), chooser_(context, program, target), on_gpu_(on_gpu) {}

  // Returns the step for the call. Adds its kernel with its library form unless an equal one
  // exists.
  ir::KernelStep StepOf(nest::NestCall call, const nest::SharedScalars& scalars);
  // Writes the origins of each fused kernel into its comment.
  void Finish();

 private:
  struct Made {
    ir::KernelId kernel;
    std::vector<std::pair<std::string, std::string>> origins;
    std::vector<std::string> also;  // bindings of other calls
    bool fused = false;
  };
  ir::KernelId KernelOf(const nest::NestCall& call, const std::vector<ir::PrimRef>& vars,
                        std::optional<ir::KernelForm> form);

  ir::Context& ir_;
  ir::Program& program_;
  FormChooser chooser_;
  const bool on_gpu_;
  std::vector<Made> made_;
  absl::flat_hash_map<std::string, size_t> by_text_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_KERNEL_OF_NEST_H_
