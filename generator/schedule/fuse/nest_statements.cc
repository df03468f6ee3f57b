#include "generator/schedule/fuse/nest_statements.h"

#include "generator/nest/build_nest.h"
#include "generator/schedule/cuda/kernel_statements.h"

namespace lathe::schedule {

NestStatements StatementsOf(ir::Context& context, const nest::NestCall& call) {
  NestStatements s;
  s.rows = KernelStatements(context, nest::BuildNest(context, call.nest));
  for (ir::BufferRef param : call.params) s.given.insert(param->data);
  for (ir::StmtRef row : s.rows) {
    s.uses.push_back(UsesOf(context, row));
    const auto* alloc = row->As<ir::AllocStmt>();
    if (alloc == nullptr) continue;
    s.own.insert(alloc->buffer->data);
    ++s.first;
  }
  s.given.insert(s.own.begin(), s.own.end());
  return s;
}

}  // namespace lathe::schedule
