#include "generator/nest/rewrite_stage.h"

#include <utility>

#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::nest {

void RewriteStage(RewriteScalar& rewrite, NestStage& stage) {
  for (std::vector<NestAxis>* axes : {&stage.spatial, &stage.reduce}) {
    for (NestAxis& axis : *axes) axis.extent = rewrite(axis.extent);
  }
  stage.init = rewrite(stage.init);
  for (NestLet& let : stage.fold_lets) let.value = rewrite(let.value);
  stage.update = rewrite(stage.update);
  for (NestLet& let : stage.lets) let.value = rewrite(let.value);
  stage.value = rewrite(stage.value);
  stage.at = rewrite.Place(stage.to, stage.at);
  stage.to = rewrite(stage.to);
}

void DropSingleSteps(ir::Context& context, NestStage& stage) {
  RewriteScalar rewrite(context);
  for (std::vector<NestAxis>* axes : {&stage.spatial, &stage.reduce}) {
    std::vector<NestAxis> kept;
    for (const NestAxis& axis : *axes) {
      if (IsNumber(axis.extent, 1)) {
        rewrite.Replace(axis.var, context.Int(0, axis.var->dtype()));
      } else {
        kept.push_back(axis);
      }
    }
    *axes = std::move(kept);
  }
  RewriteStage(rewrite, stage);
}

}  // namespace lathe::nest
