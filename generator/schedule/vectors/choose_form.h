// Chooses library kernel forms for the stages of a call, and packs its weights for them.
#ifndef LATHE_SCHEDULE_VECTORS_CHOOSE_FORM_H_
#define LATHE_SCHEDULE_VECTORS_CHOOSE_FORM_H_

#include <optional>
#include <vector>

#include "generator/ir/kernel_form.h"
#include "generator/nest/nest_call.h"
#include "generator/schedule/vectors/split_padding.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Returns whether a stage that multiplies integers with scales has a tiled form, which unpacks the
// integers in registers.
bool HasIntegerTiles(ir::Context& context, const ir::NestStage& stage, const Target& target);

class FormChooser {
 public:
  FormChooser(ir::Context& context, ir::Program& program, const Target& target)
      : ir_(context), program_(program), target_(target) {}

  // Returns the form of the kernel, or nothing if plain loops are as good or later passes rewrite
  // them. `call` is adapted to the form: it may read packed or transposed weights, new constants of
  // the program, in place of the original ones, and may get memory and stages for padded copies.
  std::optional<ir::KernelForm> Choose(nest::NestCall& call);

 private:
  std::optional<ir::TiledSum> ChooseTiledSum(nest::NestCall& call, size_t stage);
  // Replaces constant weights by panels.
  bool PackWeights(nest::NestCall& call, ir::NestStage& stage, ir::TiledSum& sum);
  // Adds a buffer for one panel, which is packed at run time.
  bool PackWhileItRuns(nest::NestCall& call, ir::TiledSum& sum);
  std::optional<ir::VectorLoops> ChooseVectorLoops(nest::NestCall& call, size_t stage);
  // Splits the padding off first, as an additional stage.
  std::optional<std::vector<ir::StageForm>> ChoosePadded(nest::NestCall& call, size_t stage);
  // Splits the padding off line by line, in loops that both stages share.
  std::optional<std::vector<ir::StageForm>> ChooseLines(nest::NestCall& call, size_t stage,
                                                        const SplitPadding& whole);
  // Adds the copy before the sum and chooses the form of the sum.
  std::vector<ir::StageForm> AddCopy(nest::NestCall& call, size_t stage, ir::PaddedCopy copy,
                                     ir::NestStage sum);

  ir::Context& ir_;
  ir::Program& program_;
  const Target& target_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_CHOOSE_FORM_H_
