#include "generator/schedule/accesses/assert_accesses.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/map_children.h"
#include "generator/schedule/accesses/check_indices.h"
#include "generator/schedule/accesses/program_accesses.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

using Needs = absl::flat_hash_map<StmtRef, std::vector<PrimRef>>;

class Asserting {
 public:
  Asserting(ir::Context& context, const Needs& needs) : ir_(context), needs_(needs) {}

  StmtRef Whole(StmtRef stmt) {
    std::vector<StmtRef> row;
    Append(stmt, row);
    return row.size() == 1 ? row[0] : Made(ir::SeqStmt{std::move(row)}, stmt);
  }

 private:
  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }

  void Append(StmtRef stmt, std::vector<StmtRef>& row) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (StmtRef inner : seq->stmts) Append(inner, row);
      return;
    }
    const auto it = needs_.find(stmt);
    if (it == needs_.end()) {
      row.push_back(Inside(stmt));
      return;
    }
    const auto* loop = stmt->As<ir::WhileStmt>();
    if (loop == nullptr) {
      Asserts(it->second, stmt, row);
      row.push_back(Inside(stmt));
      return;
    }
    // The condition must be asserted before each iteration.
    std::vector<StmtRef> turn;
    Asserts(it->second, stmt, turn);
    const PrimRef ends = ir_.Make(ir::UnaryOp::kNot, loop->cond);
    turn.push_back(Made(ir::IfStmt{ends, Made(ir::BreakStmt{}, stmt), nullptr}, stmt));
    Append(loop->body, turn);
    row.push_back(
        Made(ir::WhileStmt{ir_.Bool(true), Made(ir::SeqStmt{std::move(turn)}, stmt)}, stmt));
  }

  StmtRef Inside(StmtRef stmt) {
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Whole(part); });
  }

  void Asserts(const std::vector<PrimRef>& needs, StmtRef stmt, std::vector<StmtRef>& row) {
    for (PrimRef need : needs) {
      ir::AssertStmt check;
      check.cond = need;
      check.kind = kIndexError;
      check.messages = {absl::StrCat("an index out of bounds: ", ir::ToString(need), " is wanted")};
      row.push_back(Made(std::move(check), stmt));
    }
  }

  ir::Context& ir_;
  const Needs& needs_;
};

}  // namespace

void AssertAccesses(ir::Context& context, ir::Program& program) {
  std::map<ir::KernelId, Needs> lacking;
  ForEachKernelCall(context, program, {}, [&](ir::KernelId id, const AccessWalk& walk) {
    for (const AccessWalk::MissingCheck& lack : walk.missing_checks()) {
      Needs& needs = lacking[id];
      if (lack.at == nullptr) continue;
      std::vector<PrimRef>& all = needs[lack.at];
      if (std::find(all.begin(), all.end(), lack.need) == all.end()) all.push_back(lack.need);
    }
  });
  for (const auto& [id, needs] : lacking) {
    ir::Kernel& kernel = program.kernels[id];
    kernel.func.body = Asserting(context, needs).Whole(kernel.func.body);
    kernel.form.reset();  // the library form asserts nothing
  }
}

}  // namespace lathe::schedule
