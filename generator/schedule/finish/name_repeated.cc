#include "generator/schedule/finish/name_repeated.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/kernel_form.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/nest/stored_buffers.h"
#include "generator/schedule/finish/repeated_parts.h"
#include "generator/support/match.h"
#include "generator/transform/legalize.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

class RepetitionNaming {
 public:
  RepetitionNaming(ir::Context& context, StmtRef body) : ir_(context), stored_(body) {}

  StmtRef Named(StmtRef stmt) { return Whole(Row(stmt), stmt); }

 private:
  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }
  StmtRef Whole(std::vector<StmtRef> row, StmtRef from) {
    return row.size() == 1 ? row[0] : Made(ir::SeqStmt{std::move(row)}, from);
  }

  std::vector<StmtRef> Row(StmtRef stmt) {
    std::vector<StmtRef> flat, row, together;
    Flatten(stmt, flat);
    for (StmtRef s : flat) {
      together.push_back(s);
      const auto* check = s->As<ir::AssertStmt>();
      if (check != nullptr && check->body == nullptr) continue;
      AppendTogether(together, row);
      together.clear();
    }
    AppendTogether(together, row);
    return row;
  }

  static void Flatten(StmtRef stmt, std::vector<StmtRef>& flat) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (StmtRef child : seq->stmts) Flatten(child, flat);
    } else {
      flat.push_back(stmt);
    }
  }

  // Appends checks and the statement that they belong to.
  void AppendTogether(const std::vector<StmtRef>& stmts, std::vector<StmtRef>& row) {
    std::vector<std::vector<PrimRef>> roots;
    for (StmtRef stmt : stmts) roots.push_back(Evaluated(stmt));
    const RepeatedParts parts(ir_, roots, known_);
    names_.clear();
    for (size_t i = 0; i < stmts.size(); ++i) {
      for (PrimRef part : parts.Before(i)) {
        if (names_.contains(part)) continue;
        const PrimRef value = Written(part);
        const PrimRef name = ir_.NewVar(NameOf(part), part->dtype());
        row.push_back(Made(ir::LetStmt{name, value, nullptr}, stmts[i]));
        names_[part] = name;
      }
      AppendOne(WithNames(stmts[i]), row);
    }
  }

  static std::vector<PrimRef> Evaluated(StmtRef stmt) {
    if (const auto* check = stmt->As<ir::AssertStmt>()) return {check->cond};
    if (const auto* let = stmt->As<ir::LetStmt>()) return {let->value};
    if (const auto* branch = stmt->As<ir::IfStmt>()) return {branch->cond};
    const auto* store = stmt->As<ir::StoreStmt>();
    if (store == nullptr || store->predicate != nullptr) return {};
    std::vector<PrimRef> all = store->indices;
    all.push_back(store->value);
    return all;
  }

  StmtRef WithNames(StmtRef stmt) {
    if (names_.empty()) return stmt;
    return Match(
        stmt->node(),
        [&](ir::AssertStmt s) {
          s.cond = Written(s.cond);
          return Made(std::move(s), stmt);
        },
        [&](ir::LetStmt s) {
          s.value = Written(s.value);
          return Made(std::move(s), stmt);
        },
        [&](ir::IfStmt s) {
          s.cond = Written(s.cond);
          return Made(std::move(s), stmt);
        },
        [&](ir::StoreStmt s) {
          for (PrimRef& index : s.indices) index = Written(index);
          s.value = Written(s.value);
          return Made(std::move(s), stmt);
        },
        [&](const auto&) { return stmt; });
  }

  PrimRef Written(PrimRef e) {
    absl::flat_hash_map<PrimRef, PrimRef> done;
    return Written(e, done);
  }
  PrimRef Written(PrimRef e, absl::flat_hash_map<PrimRef, PrimRef>& done) {
    if (const auto name = names_.find(e); name != names_.end()) return name->second;
    if (const auto it = done.find(e); it != done.end()) return it->second;
    const PrimRef written =
        ir::MapOperands(ir_, e, [&](PrimRef part) { return Written(part, done); });
    return done[e] = written;
  }

  // A loaded element is named after its tensor; index arithmetic gets a generic name.
  static std::string NameOf(PrimRef part) {
    if (const auto* load = part->As<ir::Load>()) return absl::StrCat(load->buffer->name, "_at");
    if (const auto* call = part->As<ir::Intrinsic>(); call != nullptr) {
      if (call->name != "if_then_else") return absl::StrCat(call->name, "_of");
    }
    return part->dtype().is_floating() ? "part" : "at";
  }

  void AppendOne(StmtRef stmt, std::vector<StmtRef>& row) {
    const auto* loop = stmt->As<ir::ForStmt>();
    // The value of lanes stays one expression.
    if (loop != nullptr && loop->annotations.contains(ir::kIntegerLanesLoop)) {
      row.push_back(stmt);
      return;
    }
    if (loop == nullptr) {
      row.push_back(ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Named(part); }));
      return;
    }
    const auto* first = loop->min->As<ir::IntImm>();
    const auto* trip_count = loop->extent->As<ir::IntImm>();
    const bool runs = trip_count != nullptr && trip_count->value > 0;
    if (first != nullptr && runs) {
      known_.Bound(loop->var, {first->value, first->value + trip_count->value - 1});
    }
    ir::ForStmt named = *loop;
    std::vector<StmtRef> body = Row(loop->body);
    Hoist(body, loop->var, runs, row);
    named.body = Whole(std::move(body), loop->body);
    row.push_back(Made(std::move(named), stmt));
  }

  // Moves loop-invariant variables before the loop. Stores do not affect them: they do not read
  // stored memory.
  void Hoist(std::vector<StmtRef>& body, PrimRef loop_var, bool runs, std::vector<StmtRef>& row) {
    absl::flat_hash_set<PrimRef> inside = {loop_var};
    std::vector<StmtRef> kept;
    bool at_start = true;  // nothing so far can end the iteration
    for (StmtRef stmt : body) {
      const auto* let = stmt->As<ir::LetStmt>();
      if (let == nullptr || let->body != nullptr) {
        at_start = at_start &&
                   (stmt->As<ir::StoreStmt>() != nullptr || stmt->As<ir::AllocStmt>() != nullptr);
        kept.push_back(stmt);
        continue;
      }
      const std::vector<PrimRef> vars = analysis::VarsIn(let->value);
      const bool changes =
          stored_.AreReadBy(let->value) ||
          std::any_of(vars.begin(), vars.end(), [&](PrimRef v) { return inside.contains(v); });
      if (changes || !((runs && at_start) || IsHarmless(let->value))) {
        inside.insert(let->var);
        kept.push_back(stmt);
      } else {
        row.push_back(stmt);
      }
    }
    body = std::move(kept);
  }

  bool IsHarmless(PrimRef e) {
    bool harmless = IsHarmlessNode(ir_, e, known_);
    ir::ForEachOperand(e, [&](PrimRef part) { harmless = harmless && IsHarmless(part); });
    return harmless;
  }
  ir::Context& ir_;
  const nest::StoredBuffers stored_;
  analysis::Assumptions known_ = analysis::Assumptions::Nothing();
  absl::flat_hash_map<PrimRef, PrimRef> names_;  // of the current statements
};

}  // namespace

void NameRepeated(ir::Context& context, ir::Program& program) {
  ir::ForEachPrimFunc(program, [&](ir::PrimFunc& func) {
    if (ir::FindAttr<std::string>(func.attrs, transform::kOperatorName) == nullptr) return;
    func.body = RepetitionNaming(context, func.body).Named(func.body);
  });
}

}  // namespace lathe::schedule
