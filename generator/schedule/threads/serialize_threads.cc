#include "generator/schedule/threads/serialize_threads.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "generator/analysis/thread_returns.h"
#include "generator/analysis/threads_synchronize.h"
#include "generator/ir/map_children.h"
#include "generator/ir/tir_mentions.h"
#include "generator/schedule/threads/remove_thread_returns.h"
#include "generator/schedule/threads/split_at_barriers.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

// Converts launches to loops bound to threads, over their body or over the statements after them.
class Nesting {
 public:
  explicit Nesting(ir::Context& context) : ir_(context) {}

  StmtRef Nested(StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) return Row(seq->stmts, stmt);
    if (const auto* attr = stmt->As<ir::AttrStmt>(); attr != nullptr && attr->body != nullptr) {
      const ir::Launch launch = ir::ThreadsOf(*attr);
      if (launch.var != nullptr) return Loop(*attr, launch, Nested(attr->body));
    }
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Nested(part); });
  }

 private:
  StmtRef Row(absl::Span<const StmtRef> stmts, StmtRef from) {
    std::vector<StmtRef> row;
    for (size_t i = 0; i < stmts.size(); ++i) {
      const auto* attr = stmts[i]->As<ir::AttrStmt>();
      const bool rest = attr != nullptr && attr->body == nullptr;
      const ir::Launch launch = rest ? ir::ThreadsOf(*attr) : ir::Launch();
      if (launch.var != nullptr) {
        row.push_back(Loop(*attr, launch, Row(stmts.subspan(i + 1), from)));
        break;
      }
      row.push_back(Nested(stmts[i]));
    }
    return row.size() == 1 ? row[0] : ir_.Make(ir::SeqStmt{std::move(row)}, from->loc());
  }

  StmtRef Loop(const ir::AttrStmt& attr, const ir::Launch& launch, StmtRef body) {
    ir::ForStmt loop;
    loop.var = launch.var;
    loop.min = ir_.Int(0, launch.var->dtype());
    loop.extent = ir_.MakeCast(launch.var->dtype(), attr.value);
    loop.kind = ir::LoopKind::kThreadBinding;
    loop.thread = launch.thread;
    loop.body = body;
    return ir_.Make(std::move(loop), body->loc());
  }

  ir::Context& ir_;
};

class Looping {
 public:
  Looping(ir::Context& context, absl::flat_hash_map<std::string, PrimRef> around)
      : ir_(context), open_(std::move(around)) {}

  StmtRef Looped(StmtRef stmt) {
    const auto* bound = stmt->As<ir::ForStmt>();
    if (bound == nullptr || bound->kind != ir::LoopKind::kThreadBinding) {
      return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Looped(part); });
    }
    const auto [outer, is_first] = open_.try_emplace(bound->thread, bound->var);
    if (!is_first) {
      const PrimRef same = outer->second;
      const StmtRef inner = Looped(bound->body);
      if (same == bound->var) return inner;
      return ir_.Make(ir::LetStmt{bound->var, ir_.MakeCast(bound->var->dtype(), same), inner},
                      stmt->loc());
    }
    ir::ForStmt loop = *bound;
    loop.kind = ir::LoopKind::kSerial;
    loop.thread.clear();
    loop.body = Looped(bound->body);
    if (analysis::IsGridThread(bound->thread)) loop.body = RemoveThreadReturns(ir_, loop.body);
    open_.erase(bound->thread);
    return ir_.Make(std::move(loop), stmt->loc());
  }

 private:
  ir::Context& ir_;
  absl::flat_hash_map<std::string, PrimRef> open_;  // the enclosing loops, by thread name
};

}  // namespace

StmtRef SerializeWithoutBarriers(ir::Context& context, StmtRef stmt,
                                 absl::flat_hash_map<std::string, PrimRef> around) {
  return Looping(context, std::move(around)).Looped(stmt);
}

StmtRef SerializeThreads(ir::Context& context, StmtRef body) {
  const bool synchronizes = analysis::ThreadsSynchronize(body, {});
  const StmtRef nested = Nesting(context).Nested(body);
  return synchronizes ? SplitAtBarriers(context, nested)
                      : SerializeWithoutBarriers(context, nested, {});
}

void SerializeThreads(ir::Context& context, ir::PrimFunc& func) {
  const StmtRef loops = SerializeThreads(context, func.body);
  if (loops != nullptr) func.body = loops;
}

void SerializeThreads(ir::Context& context, ir::Program& program) {
  ir::ForEachPrimFunc(program, [&](ir::PrimFunc& func) { SerializeThreads(context, func); });
}

}  // namespace lathe::schedule
