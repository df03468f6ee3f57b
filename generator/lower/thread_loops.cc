#include "generator/lower/thread_loops.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/threads_meet.h"
#include "generator/ir/map_children.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::StmtRef;

class Looping {
 public:
  explicit Looping(ir::Context& context) : ir_(context) {}

  StmtRef Looped(StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) return Row(*seq, stmt);
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (loop->kind == ir::LoopKind::kThreadBinding) {
        return Loop(*loop, stmt, [&] { return Looped(loop->body); });
      }
    }
    if (const auto* attr = stmt->As<ir::AttrStmt>(); attr != nullptr && attr->body != nullptr) {
      const ir::Launch launch = ir::ThreadsOf(*attr);
      if (launch.var != nullptr) {
        return Loop(LoopOf(*attr, launch), stmt, [&] { return Looped(attr->body); });
      }
    }
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Looped(part); });
  }

 private:
  // A launch without a body is of all that follows it.
  StmtRef Row(const ir::SeqStmt& seq, StmtRef from, size_t first = 0) {
    std::vector<StmtRef> row;
    for (size_t i = first; i < seq.stmts.size(); ++i) {
      const auto* attr = seq.stmts[i]->As<ir::AttrStmt>();
      const ir::Launch launch =
          attr != nullptr && attr->body == nullptr ? ir::ThreadsOf(*attr) : ir::Launch();
      if (launch.var != nullptr) {
        row.push_back(
            Loop(LoopOf(*attr, launch), seq.stmts[i], [&] { return Row(seq, from, i + 1); }));
        break;
      }
      row.push_back(Looped(seq.stmts[i]));
    }
    return row.size() == 1 ? row[0] : ir_.Make(ir::SeqStmt{std::move(row)}, from->loc());
  }

  ir::ForStmt LoopOf(const ir::AttrStmt& attr, const ir::Launch& launch) {
    ir::ForStmt loop;
    loop.var = launch.var;
    loop.min = ir_.Int(0, launch.var->dtype());
    loop.extent = ir_.MakeCast(launch.var->dtype(), attr.value);
    loop.thread = launch.thread;
    return loop;
  }

  template <typename Body>
  StmtRef Loop(ir::ForStmt loop, StmtRef from, const Body& body) {
    const auto [outer, is_first] = open_.try_emplace(loop.thread, loop.var);
    if (!is_first) {
      const PrimRef same = outer->second;
      const StmtRef inner = body();
      if (same == loop.var) return inner;
      return ir_.Make(ir::LetStmt{loop.var, ir_.MakeCast(loop.var->dtype(), same), inner},
                      from->loc());
    }
    const std::string thread = std::exchange(loop.thread, {});
    loop.kind = ir::LoopKind::kSerial;
    loop.body = body();
    open_.erase(thread);
    return ir_.Make(std::move(loop), from->loc());
  }

  ir::Context& ir_;
  absl::flat_hash_map<std::string, PrimRef> open_;  // the loops around, by their threads
};

}  // namespace

void ThreadLoops(ir::Context& context, ir::Program& program) {
  ir::ForEachPrimFunc(program, [&](ir::PrimFunc& func) {
    if (!analysis::ThreadsMeet(func.body, {})) func.body = Looping(context).Looped(func.body);
  });
}

}  // namespace lathe::lower
