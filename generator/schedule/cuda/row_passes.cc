#include "generator/schedule/cuda/row_passes.h"

#include <algorithm>
#include <set>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/schedule/cuda/each_load.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;

// Registers of a thread in blocks of up to 256 threads, and in larger blocks.
constexpr int64_t kRegistersOfFew = 64;
constexpr int64_t kRegistersOfMany = 32;

class Planner {
 public:
  Planner(const RowGroup& group, const TeamSize& team) : group_(group), team_(team) {}

  RowPlan Plan() {
    plan_.passes.emplace_back();
    for (size_t i = 0; i < group_.parts.size(); ++i) Place(i);
    if (team_.iterations > 0) ChooseKept();
    return std::move(plan_);
  }

 private:
  // A part that needs a reduction of the last pass starts a new pass.
  void Place(size_t i) {
    const RowPart& part = group_.parts[i];
    bool waits = false;
    ForEachLoad(part, [&](PrimRef, const ir::Load& load) {
      for (size_t k = 0; k < i; ++k) {
        const RowPart& other = group_.parts[k];
        if (other.stage.to != load.buffer) continue;
        plan_.read.insert(load.buffer);
        const bool of_row = !other.along || other.stage.acc != nullptr;
        waits = waits || (of_row && pass_of_[k] + 1 == plan_.passes.size());
      }
    });
    if (part.along && waits) plan_.passes.emplace_back();
    RowPass& pass = plan_.passes.back();
    (part.along ? pass.along : pass.after).push_back(i);
    pass_of_.push_back(plan_.passes.size() - 1);
  }

  // Keeps computed values first, then loaded values, as registers allow.
  void ChooseKept() {
    std::vector<PrimRef> order;
    absl::flat_hash_map<PrimRef, std::set<size_t>> passes;
    for (size_t i = 0; i < group_.parts.size(); ++i) {
      if (!group_.parts[i].along) continue;
      ForEachLoad(group_.parts[i], [&](PrimRef e, const ir::Load& load) {
        if (!OfElement(load)) return;
        if (!passes.contains(e)) order.push_back(e);
        passes[e].insert(pass_of_[i]);
        if (const auto writer = WriterOf(load.buffer)) passes[e].insert(pass_of_[*writer]);
      });
    }
    std::stable_partition(order.begin(), order.end(), [&](PrimRef e) {
      return WriterOf(e->As<ir::Load>()->buffer).has_value();
    });
    int64_t left = team_.threads > 256 ? kRegistersOfMany : kRegistersOfFew;
    for (PrimRef e : order) {
      const int64_t words = team_.iterations * std::max(1, (e->dtype().bits + 31) / 32);
      if (passes[e].size() < 2 || words > left) continue;
      left -= words;
      plan_.kept.emplace_back(e, words);
    }
  }

  std::optional<size_t> WriterOf(BufferRef buffer) const {
    for (size_t i = 0; i < group_.parts.size(); ++i) {
      if (group_.parts[i].stage.to == buffer) return i;
    }
    return std::nullopt;
  }

  bool OfElement(const ir::Load& load) const {
    for (PrimRef index : load.indices) {
      const std::vector<PrimRef> vars = analysis::VarsIn(index);
      for (const ir::NestAxis& axis : group_.along) {
        if (std::find(vars.begin(), vars.end(), axis.var) != vars.end()) return true;
      }
    }
    return false;
  }

  const RowGroup& group_;
  const TeamSize& team_;
  std::vector<size_t> pass_of_;
  RowPlan plan_;
};

}  // namespace

RowPlan PlanPasses(const RowGroup& group, const TeamSize& team) {
  return Planner(group, team).Plan();
}

PrimRef ElementsOf(ir::Context& context, const std::vector<ir::NestAxis>& axes) {
  PrimRef count = context.Int(1);
  for (const ir::NestAxis& axis : axes) {
    count =
        context.Make(ir::BinaryOp::kMul, count, context.MakeCast(ir::DType::Int(64), axis.extent));
  }
  return analysis::Simplify(context, count);
}

}  // namespace lathe::schedule
