// Which kernels of the library the stages of a call are, and its weights as they want them.
#ifndef LATHE_SCHEDULE_VECTORS_CHOOSE_FORM_H_
#define LATHE_SCHEDULE_VECTORS_CHOOSE_FORM_H_

#include <optional>
#include <vector>

#include "generator/ir/kernel_form.h"
#include "generator/nest/nest_call.h"
#include "generator/target/target.h"

namespace lathe::schedule {

class FormChooser {
 public:
  FormChooser(ir::Context& context, ir::Program& program, const Target& target)
      : ir_(context), program_(program), target_(target) {}

  // Nothing where the loops are as good as any. Else `call` reads packed weights, new constants of
  // the program, where it read weights, and says in its loops where they are.
  std::optional<ir::KernelForm> Choose(nest::NestCall& call);

 private:
  std::optional<ir::TiledSum> ChooseTiledSum(nest::NestCall& call, size_t stage);
  // Panels of constants, which the call then reads instead.
  bool PackWeights(nest::NestCall& call, ir::NestStage& stage, ir::TiledSum& sum);
  // One panel, in memory of the call's own.
  bool PackWhileItRuns(nest::NestCall& call, ir::TiledSum& sum);
  std::optional<ir::VectorLoops> ChooseVectorLoops(nest::NestCall& call, size_t stage);
  // With a copy before it that has a border, which is a stage more.
  std::optional<std::vector<ir::StageForm>> ChoosePadded(nest::NestCall& call, size_t stage);

  ir::Context& ir_;
  ir::Program& program_;
  const Target& target_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_CHOOSE_FORM_H_
