#include "generator/nest/inline_element.h"

#include <algorithm>
#include <map>

#include "absl/container/flat_hash_set.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::nest {
namespace {

using ir::BufferRef;
using ir::PrimRef;

constexpr int kCostOfCall = 16;

// Returns whether operand number `index` of `e` is evaluated conditionally: its element may be out
// of bounds.
bool IsLazy(PrimRef e, int index) {
  if (index == 0) return false;
  const auto* call = e->As<ir::Intrinsic>();
  return e->As<ir::Select>() != nullptr || (call != nullptr && call->name == "if_then_else");
}

// Visits the loads of one buffer. Shared subexpressions are visited once.
template <typename F>
class BufferLoads {
 public:
  BufferLoads(BufferRef buffer, const F& visit) : buffer_(buffer), visit_(visit) {}

  void In(PrimRef e, bool lazy) {
    if (!seen_.insert({e, lazy}).second) return;
    if (const auto* load = e->As<ir::Load>(); load != nullptr && load->buffer == buffer_) {
      visit_(*load, lazy);
    }
    int index = 0;
    const bool inner = e->As<ir::Let>() != nullptr;
    ir::ForEachOperand(e, [&](PrimRef operand) {
      In(operand, lazy || inner || IsLazy(e, index));
      ++index;
    });
  }

 private:
  const BufferRef buffer_;
  const F& visit_;
  absl::flat_hash_set<std::pair<PrimRef, bool>> seen_;
};

template <typename F>
void ForEachLoadOf(PrimRef e, BufferRef buffer, const F& visit) {
  BufferLoads<F>(buffer, visit).In(e, false);
}

// Inlines into one expression list of a stage and collects the lets that this needs.
class Inliner {
 public:
  Inliner(ir::Context& context, const NestStage& producer, const std::string& name,
          BufferRef buffer)
      : ir_(context), producer_(producer), name_(name), buffer_(buffer) {}

  // Returns `e` without loads of the buffer. The lets that it needs are in lets().
  PrimRef In(PrimRef e) {
    std::vector<std::vector<PrimRef>> places;
    ForEachLoadOf(e, buffer_, [&](const ir::Load& load, bool lazy) {
      if (!lazy) places.push_back(load.indices);
    });
    for (const std::vector<PrimRef>& place : places) {
      if (known_.find(place) == known_.end()) known_[place] = Element(place, true);
    }
    done_.clear();
    return Replace(e);
  }
  void Let(NestLet let) {
    let.value = In(let.value);
    lets_.push_back(let);
  }
  std::vector<NestLet>& lets() { return lets_; }

 private:
  PrimRef Replace(PrimRef e) {
    if (const auto it = done_.find(e); it != done_.end()) return it->second;
    const PrimRef result = Replaced(e);
    return done_[e] = result;
  }

  PrimRef Replaced(PrimRef e) {
    if (const auto* load = e->As<ir::Load>(); load != nullptr && load->buffer == buffer_) {
      const auto it = known_.find(load->indices);
      return it != known_.end() ? it->second : Element(load->indices, false);
    }
    if (const auto* load = e->As<ir::Load>()) {
      std::vector<PrimRef> indices;
      for (PrimRef index : load->indices) indices.push_back(Replace(index));
      return ir_.MakeLoad(load->buffer, std::move(indices));
    }
    return ir::MapOperands(ir_, e, [&](PrimRef operand) { return Replace(operand); });
  }

  PrimRef Element(const std::vector<PrimRef>& place, bool bind) {
    RewriteScalar rewrite(ir_);
    for (size_t i = 0; i < place.size(); ++i) {
      if (producer_.at[i]->As<ir::SymVar>() != nullptr) rewrite.Replace(producer_.at[i], place[i]);
    }
    // Axes of extent 1 that do not occur in the indices.
    for (const NestAxis& axis : producer_.spatial) {
      if (std::find(producer_.at.begin(), producer_.at.end(), axis.var) == producer_.at.end()) {
        rewrite.Replace(axis.var, ir_.Int(0, axis.var->dtype()));
      }
    }
    for (const NestLet& let : producer_.lets) {
      const PrimRef value = rewrite(let.value);
      if (!bind) {
        rewrite.Replace(let.var, value);
        continue;
      }
      const PrimRef var = ir_.NewVar(ir::ToString(let.var), let.var->dtype());
      rewrite.Replace(let.var, var);
      lets_.push_back({var, value});
    }
    const PrimRef value = rewrite(producer_.value);
    if (!bind || IsLeaf(value)) return value;
    const PrimRef var = ir_.NewVar(name_, value->dtype());
    lets_.push_back({var, value});
    return var;
  }

  ir::Context& ir_;
  const NestStage& producer_;
  const std::string& name_;
  const BufferRef buffer_;
  std::map<std::vector<PrimRef>, PrimRef>
      known_;  // never iterated, so pointer order does not matter
  absl::flat_hash_map<PrimRef, PrimRef> done_;
  std::vector<NestLet> lets_;
};

// Counts shared nodes each time that they are printed.
int64_t PrintedNodes(PrimRef e, absl::flat_hash_map<PrimRef, int64_t>& sizes) {
  if (const auto it = sizes.find(e); it != sizes.end()) return it->second;
  int64_t size = 1;
  ir::ForEachOperand(e, [&](PrimRef operand) {
    size = std::min<int64_t>(size + PrintedNodes(operand, sizes), int64_t{1} << 40);
  });
  return sizes[e] = size;
}

int CostOfScalar(PrimRef e, absl::flat_hash_set<PrimRef>& seen) {
  if (!seen.insert(e).second || e->As<ir::Load>() != nullptr) return 0;
  int cost = 0;
  const auto* binary = e->As<ir::Binary>();
  if (e->As<ir::Intrinsic>() != nullptr) cost = kCostOfCall;
  if (binary != nullptr) cost = binary->op == ir::BinaryOp::kDiv ? 4 : 1;
  if (e->As<ir::Select>() != nullptr || e->As<ir::Unary>() != nullptr) cost = 1;
  ir::ForEachOperand(e, [&](PrimRef operand) { cost += CostOfScalar(operand, seen); });
  return cost;
}

}  // namespace

bool IsLeaf(PrimRef e) {
  return e->As<ir::Load>() != nullptr || e->As<ir::IntImm>() != nullptr ||
         e->As<ir::FloatImm>() != nullptr || e->As<ir::SymVar>() != nullptr;
}

ElementUses UsesOf(const NestStage& stage, BufferRef buffer) {
  ElementUses uses;
  const auto add = [&](PrimRef e) {
    ForEachLoadOf(e, buffer, [&](const ir::Load& load, bool lazy) {
      uses.always = uses.always && !lazy;
      const auto it = std::find(uses.places.begin(), uses.places.end(), load.indices);
      if (it == uses.places.end()) uses.places.push_back(load.indices);
    });
  };
  for (const NestLet& let : stage.fold_lets) add(let.value);
  if (stage.acc != nullptr) {
    add(stage.init);
    add(stage.update);
  }
  for (const NestLet& let : stage.lets) add(let.value);
  if (stage.value != nullptr) add(stage.value);  // null: later stages of the row read the names
  return uses;
}

bool IsReadInExtent(const NestStage& stage, BufferRef buffer) {
  const auto reads = [&](const NestAxis& axis) { return Reads(axis.extent, buffer); };
  return std::any_of(stage.spatial.begin(), stage.spatial.end(), reads) ||
         std::any_of(stage.reduce.begin(), stage.reduce.end(), reads);
}

void InlineElement(ir::Context& context, const NestStage& producer, const std::string& name,
                   BufferRef buffer, NestStage& stage) {
  if (stage.acc != nullptr) {
    Inliner inside(context, producer, name, buffer);
    for (const NestLet& let : stage.fold_lets) inside.Let(let);
    stage.update = inside.In(stage.update);
    stage.fold_lets = std::move(inside.lets());
  }
  Inliner after(context, producer, name, buffer);
  for (const NestLet& let : stage.lets) after.Let(let);
  stage.value = after.In(stage.value);
  stage.lets = std::move(after.lets());
}

int64_t SizeOf(const NestStage& stage) {
  absl::flat_hash_map<PrimRef, int64_t> sizes;
  int64_t size = PrintedNodes(stage.value, sizes);
  for (const NestLet& let : stage.lets) size += PrintedNodes(let.value, sizes);
  for (const NestLet& let : stage.fold_lets) size += PrintedNodes(let.value, sizes);
  return stage.update == nullptr ? size : size + PrintedNodes(stage.update, sizes);
}

int CostOf(const NestStage& stage) {
  absl::flat_hash_set<PrimRef> seen;
  int cost = CostOfScalar(stage.value, seen);
  for (const NestLet& let : stage.lets) cost += CostOfScalar(let.value, seen);
  return cost;
}

}  // namespace lathe::nest
