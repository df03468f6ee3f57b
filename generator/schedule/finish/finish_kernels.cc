#include "generator/schedule/finish/finish_kernels.h"

#include "generator/schedule/accesses/assert_accesses.h"
#include "generator/schedule/accesses/check_indices.h"
#include "generator/schedule/finish/lift_calls.h"
#include "generator/schedule/finish/name_lets.h"
#include "generator/schedule/finish/name_repeated.h"
#include "generator/schedule/finish/scalar_lanes.h"

namespace lathe::schedule {

void FinishKernels(ir::Context& context, ir::Program& program) {
  LiftCalls(context, program);  // before anything is said twice
  ScalarLanes(context, program);
  NameLets(context, program);
  CheckIndices(context, program);    // which does not look into Lets
  AssertAccesses(context, program);  // what data says is asserted by now, and is proved so
  NameRepeated(context, program);    // checks say what the statements behind them say again
}

}  // namespace lathe::schedule
