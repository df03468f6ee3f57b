#include "generator/ir/device/launches_from_scope_ids.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generator/ir/each_stmt.h"
#include "generator/ir/map_children.h"
#include "generator/ir/scope_id.h"
#include "generator/target/gpu.h"

namespace lathe::ir {
namespace {

class Launching {
 public:
  explicit Launching(Context& context) : ir_(context) {}

  // Returns whether all scope ids are supported and each is defined once.
  bool Find(StmtRef body) {
    bool known = true;
    ForEachStmt(body, [&](StmtRef stmt) {
      const auto* attr = stmt->As<AttrStmt>();
      std::optional<ScopeId> id = attr == nullptr ? std::nullopt : ScopeIdOf(*attr);
      if (!id) return;
      const std::string function = id->function;
      const bool simple = function == "cta_id" || function == "thread_id" ||
                          function == "warp_id" || function == "lane_id";
      known = known && simple && !id->preferred && id->vars.size() <= 3;
      known = known && ids_.emplace(function, *std::move(id)).second;
    });
    return known && !ids_.empty() && (ids_.count("thread_id") == 0 || ExtentsOf("thread_id")) &&
           (ids_.count("cta_id") == 0 || ExtentsOf("cta_id")) &&
           (ids_.count("warp_id") == 0 || ids_.count("thread_id") != 0 || ExtentsOf("warp_id")) &&
           Agree();
  }

  StmtRef Launched(StmtRef stmt) {
    const auto* seq = stmt->As<SeqStmt>();
    if (seq == nullptr) {
      return MapChildren(ir_, stmt, [&](StmtRef part) { return Launched(part); });
    }
    size_t first = 0;
    while (first < seq->stmts.size() && !IsId(seq->stmts[first])) ++first;
    if (first == seq->stmts.size()) {
      return MapChildren(ir_, stmt, [&](StmtRef part) { return Launched(part); });
    }
    std::vector<StmtRef> before, inside;
    for (size_t i = 0; i < first; ++i) {
      const auto* attr = seq->stmts[i]->As<AttrStmt>();
      if (attr == nullptr || attr->key != kDeviceEntry) before.push_back(seq->stmts[i]);
    }
    std::vector<ForStmt> loops = Loops();
    for (size_t i = first; i < seq->stmts.size(); ++i) {
      const auto* attr = seq->stmts[i]->As<AttrStmt>();
      const std::optional<ScopeId> id = attr == nullptr ? std::nullopt : ScopeIdOf(*attr);
      if (!id) {
        inside.push_back(seq->stmts[i]);
      } else {
        ++seen_;
        Define(*id, seq->stmts[i]->loc(), inside);
      }
    }
    StmtRef nest = ir_.Make(SeqStmt{std::move(inside)}, stmt->loc());
    for (size_t i = loops.size(); i-- > 0;) {
      loops[i].body = nest;
      nest = ir_.Make(std::move(loops[i]), stmt->loc());
    }
    before.push_back(nest);
    return before.size() == 1 ? nest : ir_.Make(SeqStmt{std::move(before)}, stmt->loc());
  }

  // Returns whether one sequence of statements contains all of them.
  bool AllSeen() const { return seen_ == ids_.size(); }

 private:
  // The product of the extents; nothing if it is symbolic or unspecified.
  std::optional<int64_t> CountOf(const std::string& function) const {
    const auto extents = ids_.count(function) == 0 ? std::nullopt : ExtentsOf(function);
    if (!extents) return std::nullopt;
    int64_t count = 1;
    for (PrimRef extent : *extents) {
      const auto* number = extent->As<IntImm>();
      if (number == nullptr) return std::nullopt;
      count *= number->value;
    }
    return count;
  }

  // A warp has 32 lanes; if both warps and threads are given, the threads are those of whole warps.
  bool Agree() const {
    const auto lanes = CountOf("lane_id"), warps = CountOf("warp_id"), all = CountOf("thread_id");
    return lanes.value_or(kWarp) == kWarp && (!warps || !all || *warps * kWarp == *all);
  }

  static bool IsId(StmtRef stmt) {
    const auto* attr = stmt->As<AttrStmt>();
    return attr != nullptr && ScopeIdOf(*attr).has_value();
  }

  // The extents, one for each variable; nothing if the program leaves them to inference.
  std::optional<std::vector<PrimRef>> ExtentsOf(const std::string& function) const {
    const ScopeId& id = ids_.at(function);
    if (!id.extents || id.extents->size() != id.vars.size()) return std::nullopt;
    std::vector<PrimRef> extents;
    for (const AttrValue& item : *id.extents) {
      if (const auto* extent = item.As<PrimRef>()) {
        extents.push_back(*extent);
      } else if (const auto* number = item.As<int64_t>()) {
        extents.push_back(ir_.Int(*number));
      } else {
        return std::nullopt;
      }
    }
    return extents;
  }

  std::vector<ForStmt> Loops() {
    std::vector<ForStmt> loops;
    if (ids_.count("cta_id") != 0)
      Add(ids_.at("cta_id").vars, *ExtentsOf("cta_id"), "blockIdx.", loops);
    const size_t blocks = loops.size();
    if (ids_.count("thread_id") != 0) {
      Add(ids_.at("thread_id").vars, *ExtentsOf("thread_id"), "threadIdx.", loops);
    } else if (ids_.count("warp_id") != 0 || ids_.count("lane_id") != 0) {
      PrimRef threads = ir_.Int(kWarp);
      if (ids_.count("warp_id") != 0) {
        const std::optional<std::vector<PrimRef>> warps = ExtentsOf("warp_id");
        for (PrimRef extent : *warps) {
          threads = ir_.Make(BinaryOp::kMul, threads, ir_.MakeCast(DType::Int(64), extent));
        }
      }
      Add({ir_.NewVar("thread", DType::Int(32))}, {threads}, "threadIdx.", loops);
    }
    // x fastest: x + X * (y + Y * z).
    number_ = ir_.Int(0, DType::Int(32));
    for (size_t i = loops.size(); i-- > blocks;) {
      const PrimRef var = ir_.MakeCast(DType::Int(32), loops[i].var);
      const PrimRef extent = ir_.MakeCast(DType::Int(32), loops[i].extent);
      const bool last = i + 1 == loops.size();
      number_ =
          last ? var : ir_.Make(BinaryOp::kAdd, var, ir_.Make(BinaryOp::kMul, number_, extent));
    }
    return loops;
  }

  void Add(const std::vector<PrimRef>& vars, const std::vector<PrimRef>& extents,
           const char* threads, std::vector<ForStmt>& loops) {
    for (size_t i = 0; i < vars.size(); ++i) {
      ForStmt loop;
      loop.var = vars[i];
      loop.min = ir_.Int(0, vars[i]->dtype());
      loop.extent = ir_.MakeCast(vars[i]->dtype(), extents[i]);
      loop.kind = LoopKind::kThreadBinding;
      loop.thread = std::string(threads) + "xyz"[i];
      loops.push_back(std::move(loop));
    }
  }

  // Block and thread ids are loop variables; warp and lane ids are computed from the thread index.
  void Define(const ScopeId& id, const Location& loc, std::vector<StmtRef>& out) {
    const bool warp = id.function == "warp_id";
    if (!warp && id.function != "lane_id") return;
    PrimRef value = ir_.Make(warp ? BinaryOp::kFloorDiv : BinaryOp::kFloorMod, number_,
                             ir_.Int(kWarp, DType::Int(32)));
    const auto extents = warp ? ExtentsOf("warp_id") : std::nullopt;
    for (size_t i = 0; i < id.vars.size(); ++i) {
      PrimRef own = value;
      if (extents && i + 1 < id.vars.size()) {
        const PrimRef extent = ir_.MakeCast(DType::Int(32), (*extents)[i]);
        own = ir_.Make(BinaryOp::kFloorMod, value, extent);
        value = ir_.Make(BinaryOp::kFloorDiv, value, extent);
      }
      out.push_back(
          ir_.Make(LetStmt{id.vars[i], ir_.MakeCast(id.vars[i]->dtype(), own), nullptr}, loc));
    }
  }

  Context& ir_;
  std::map<std::string, ScopeId> ids_;
  PrimRef number_ = nullptr;  // index of a thread in its block
  size_t seen_ = 0;
};

}  // namespace

StmtRef LaunchesFromScopeIds(Context& context, StmtRef body) {
  Launching launching(context);
  if (body == nullptr || !launching.Find(body)) return body;
  const StmtRef launched = launching.Launched(body);
  return launching.AllSeen() ? launched : body;
}

std::string FindUnloweredScopeId(StmtRef body) {
  std::string function;
  if (body == nullptr) return function;
  ForEachStmt(body, [&](StmtRef stmt) {
    const auto* attr = stmt->As<AttrStmt>();
    const std::optional<ScopeId> id = attr == nullptr ? std::nullopt : ScopeIdOf(*attr);
    if (id && function.empty()) function = id->function;
  });
  return function;
}

}  // namespace lathe::ir
