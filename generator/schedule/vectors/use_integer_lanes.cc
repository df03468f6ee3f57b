#include "generator/schedule/vectors/use_integer_lanes.h"

#include "generator/ir/kernel_form.h"
#include "generator/ir/map_children.h"
#include "generator/nest/nest_call.h"
#include "generator/nest/scalar_facts.h"
#include "generator/nest/stored_buffers.h"
#include "generator/schedule/vectors/match_integer_lanes.h"

namespace lathe::schedule {
namespace {

using ir::StmtRef;

class LaneMarking {
 public:
  LaneMarking(ir::Context& context, const Target& target) : ir_(context), target_(target) {}

  StmtRef operator()(StmtRef stmt) {
    const auto* loop = stmt->As<ir::ForStmt>();
    if (loop != nullptr && IsLanes(*loop)) {
      ir::ForStmt marked = *loop;
      marked.annotations[ir::kIntegerLanesLoop] = ir::AttrValue(int64_t{target_.integer_lanes});
      return ir_.Make(std::move(marked), stmt->loc());
    }
    return ir::MapChildren(ir_, stmt, [this](StmtRef child) { return (*this)(child); });
  }

 private:
  bool IsLanes(const ir::ForStmt& loop) {
    const bool plain = loop.kind == ir::LoopKind::kSerial && loop.step == nullptr &&
                       loop.annotations.empty() && nest::IsNumber(loop.min, 0) &&
                       nest::Number(loop.extent);
    const auto stage = plain ? ir::LanesStageOf(loop) : std::nullopt;
    // The value must not depend on what other turns store.
    return stage && !nest::StoredBuffers(loop.body).AreReadBy(stage->value) &&
           MatchIntegerLanes(ir_, *stage, target_);
  }

  ir::Context& ir_;
  const Target& target_;
};

}  // namespace

void UseIntegerLanes(ir::Context& context, ir::Program& program, const Target& target) {
  if (target.integer_lanes == 0) return;
  LaneMarking mark(context, target);
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    const bool known = kernel.func.body != nullptr && !nest::HasUserLoops(kernel.func);
    if (known && !kernel.form) kernel.func.body = mark(kernel.func.body);
  }
}

}  // namespace lathe::schedule
