#include "generator/lower/finish_kernels.h"

#include "generator/lower/accesses/assert_accesses.h"
#include "generator/lower/check_indices.h"
#include "generator/lower/lift_calls.h"
#include "generator/lower/name_lets.h"
#include "generator/lower/name_repeated.h"
#include "generator/lower/scalar_lanes.h"

namespace lathe::lower {

void FinishKernels(ir::Context& context, ir::Program& program) {
  LiftCalls(context, program);  // before anything is said twice
  ScalarLanes(context, program);
  NameLets(context, program);
  CheckIndices(context, program);    // which does not look into Lets
  AssertAccesses(context, program);  // what data says is asserted by now, and is proved so
  NameRepeated(context, program);    // checks say what the statements behind them say again
}

}  // namespace lathe::lower
