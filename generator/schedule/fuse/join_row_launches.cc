#include "generator/schedule/fuse/join_row_launches.h"

#include <algorithm>

#include "generator/schedule/cuda/match_rows.h"
#include "generator/schedule/fuse/nest_statements.h"

namespace lathe::schedule {

bool IsOneRowLaunch(ir::Context& context, const nest::NestCall& call, ir::BufferRef handed,
                    const GpuChoice& gpus) {
  const NestStatements s = StatementsOf(context, call);
  if (s.first == s.rows.size()) return false;
  const auto group = MatchRows(context, s.rows, s.first, s.uses, s.given, s.own, gpus);
  // A few long rows are better split among many blocks, in separate launches.
  if (!group || group->few || s.first + group->statements != s.rows.size()) return false;
  return std::any_of(group->parts.begin(), group->parts.end(), [&](const RowPart& part) {
    return part.stage.to == handed && (!part.along || part.stage.acc != nullptr);
  });
}

}  // namespace lathe::schedule
