#include "generator/schedule/fuse/fuse_nests.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/packed_elements.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/same_sizes.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/fuse/restrict_producer.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;

// The limit of fused kernels, for compilers and readers.
constexpr int64_t kMaxFusedNodes = 4000;
constexpr size_t kMaxLets = 64;
constexpr size_t kMaxStages = 16;
constexpr size_t kMaxParams = 32;
constexpr size_t kMaxOrigins = 128;
// Values of at most this cost are recomputed if that saves a pass over memory.
constexpr int kCheap = 2;
// The largest cost of a weight of few bits that is unpacked and scaled at each read.
constexpr int kUnpacking = 8;

std::optional<int64_t> Product(const std::vector<PrimRef>& extents) {
  int64_t product = 1;
  for (PrimRef extent : extents) {
    const auto* imm = extent->As<ir::IntImm>();
    if (imm == nullptr || __builtin_mul_overflow(product, imm->value, &product)) {
      return std::nullopt;
    }
  }
  return product;
}

class NestFusion {
 public:
  NestFusion(ir::Context& context, const nest::NestCall& producer, const nest::NestCall& consumer,
             const Intermediate& over)
      : ir_(context), first_(producer), second_(consumer), over_(over) {}

  std::optional<nest::NestCall> Run() {
    made_ = first_.ParamOf(over_.tensor);
    read_ = second_.ParamOf(over_.tensor);
    if (made_ == nullptr || read_ == nullptr || made_ != first_.result) return std::nullopt;
    if (read_ == second_.result || made_->dtype != read_->dtype) return std::nullopt;
    if (!nest::SameSizes(ir_, made_->shape, read_->shape)) return std::nullopt;
    if (first_.params.size() + second_.params.size() > kMaxParams) return std::nullopt;
    if (first_.origins.size() + second_.origins.size() > kMaxOrigins) return std::nullopt;
    if (first_.nest.stages.size() + second_.nest.stages.size() > kMaxStages) return std::nullopt;
    const ir::NestStage& last = first_.nest.stages.back();
    if (last.lets.size() + second_.nest.stages.front().lets.size() > kMaxLets) return std::nullopt;
    if (!IsComputedHereOnly(last)) return std::nullopt;
    for (const ir::NestStage& stage : second_.nest.stages) {
      if (nest::IsReadInExtent(stage, read_)) return std::nullopt;
    }
    nest::NestCall fused = Joined();
    if (last.acc == nullptr && !MayInline(last)) return std::nullopt;
    // Tried first because it is linear: a long chain grows without a rewrite each time.
    if (auto stage = Continued(last)) {
      fused.nest.stages.push_back(*std::move(stage));
    } else if (last.acc == nullptr) {
      for (ir::NestStage stage : second_.nest.stages) {
        nest::InlineElement(ir_, last, std::string(over_.name), read_, stage);
        fused.nest.stages.push_back(std::move(stage));
      }
    } else {
      return std::nullopt;
    }
    if (!Unify(fused)) return std::nullopt;
    for (const ir::NestStage& stage : fused.nest.stages) {
      if (stage.lets.size() + stage.fold_lets.size() > kMaxLets) return std::nullopt;
      if (nest::SizeOf(stage) > kMaxFusedNodes) return std::nullopt;
    }
    return fused;
  }

 private:
  // The last stage stores all elements, each at its axes, and no stage reads them.
  bool IsComputedHereOnly(const ir::NestStage& last) const {
    if (last.to != made_ || last.at.size() != made_->shape.size()) return false;
    absl::flat_hash_set<PrimRef> axes;
    for (const ir::NestAxis& axis : last.spatial) axes.insert(axis.var);
    absl::flat_hash_set<PrimRef> stored;
    for (size_t i = 0; i < last.at.size(); ++i) {
      if (axes.contains(last.at[i])) {
        if (!stored.insert(last.at[i]).second) return false;
        continue;
      }
      const auto* imm = last.at[i]->As<ir::IntImm>();
      if (imm == nullptr || imm->value != 0 || !nest::IsNumber(made_->shape[i], 1)) return false;
    }
    for (const ir::NestAxis& axis : last.spatial) {
      if (!stored.contains(axis.var) && !nest::IsNumber(axis.extent, 1)) return false;
      const auto place = std::find(last.at.begin(), last.at.end(), axis.var);
      if (place == last.at.end()) continue;
      const PrimRef size = made_->shape[static_cast<size_t>(place - last.at.begin())];
      if (!nest::SameSize(ir_, axis.extent, size)) return false;
    }
    for (const ir::NestStage& stage : first_.nest.stages) {
      if (!nest::UsesOf(stage, made_).places.empty() || nest::IsReadInExtent(stage, made_))
        return false;
      if (&stage != &last && stage.to == made_) return false;
    }
    return true;
  }

  // Returns whether the stage reads no element at `place` twice.
  bool ReadsOnce(const ir::NestStage& stage, const std::vector<PrimRef>& place) const {
    std::vector<PrimRef> extents;
    // Axes of extent 1 index the only element: on a GPU, each kernel saved is a launch.
    absl::flat_hash_set<PrimRef> left, zeros;
    for (const std::vector<ir::NestAxis>* axes : {&stage.spatial, &stage.reduce}) {
      for (const ir::NestAxis& axis : *axes) {
        extents.push_back(axis.extent);
        if (!nest::IsNumber(axis.extent, 1)) left.insert(axis.var);
        if (nest::IsNumber(axis.extent, 1) && over_.by_teams) zeros.insert(axis.var);
      }
    }
    bool plain = true;
    for (PrimRef index : place) {
      const auto* cast = index->As<ir::Cast>();
      const PrimRef inner = cast == nullptr ? index : cast->value;
      plain = plain && (left.erase(inner) > 0 || zeros.contains(inner) ||
                        inner->As<ir::IntImm>() != nullptr);
    }
    if (plain && left.empty()) return true;
    if (!stage.reduce.empty()) return false;
    // Data-dependent indices: at most as many reads as there are elements.
    const auto steps = Product(extents);
    const auto elements = Product(read_->shape);
    return steps && elements && *steps <= *elements;
  }

  bool MayInline(const ir::NestStage& last) const {
    const int cost = nest::CostOf(last);
    const bool packed = over_.unpacks && !over_.shared && ReadsPacked(last);
    const bool unpacks = cost <= kUnpacking && (packed || over_.weights);
    const bool checked = over_.by_teams && ReadsWhereDataSays(last);
    int reads = 0;
    bool once = true;
    for (const ir::NestStage& stage : second_.nest.stages) {
      const nest::ElementUses uses = nest::UsesOf(stage, read_);
      for (const std::vector<PrimRef>& place : uses.places) {
        ++reads;
        if (checked && IsAlongRow(stage, place)) return false;
        const bool here = ReadsOnce(stage, place);
        // A matrix product or a window.
        if (!here && !stage.reduce.empty() && !unpacks && !over_.moved) return false;
        once = once && here;
      }
      if (!uses.always && uses.places.size() > 1 && cost > kCheap) return false;
    }
    if (reads == 0) return false;
    const bool alone = first_.nest.stages.size() == 1;
    if (over_.shared) return alone && cost <= kCheap;
    return (reads == 1 && once) || (alone && (unpacks || cost <= kCheap));
  }

  // Returns whether the stage reads packed elements.
  static bool ReadsPacked(const ir::NestStage& stage) {
    bool found = false;
    const std::function<void(PrimRef)> look = [&](PrimRef e) {
      const auto* load = e->As<ir::Load>();
      found = found || (load != nullptr && ir::IsPacked(load->buffer->dtype));
      ir::ForEachOperand(e, look);
    };
    for (const ir::NestLet& let : stage.lets) look(let.value);
    look(stage.value);
    return found;
  }

  static bool ReadsWhereDataSays(const ir::NestStage& stage) {
    absl::flat_hash_set<PrimRef> read;  // read elements with names
    const auto is_read = [&](PrimRef index) {
      return nest::ReadsMemory(index) || std::any_of(read.begin(), read.end(), [&](PrimRef var) {
               return nest::Mentions(index, var);
             });
    };
    bool found = false;
    const std::function<void(PrimRef)> look = [&](PrimRef e) {
      if (const auto* load = e->As<ir::Load>()) {
        found = found || std::any_of(load->indices.begin(), load->indices.end(), is_read);
      }
      ir::ForEachOperand(e, look);
    };
    for (const ir::NestLet& let : stage.lets) {
      look(let.value);
      if (is_read(let.value)) read.insert(let.var);
    }
    look(stage.value);
    return found;
  }

  // Returns whether the reduced elements are contiguous.
  static bool IsAlongRow(const ir::NestStage& stage, const std::vector<PrimRef>& place) {
    return !place.empty() &&
           std::any_of(stage.reduce.begin(), stage.reduce.end(), [&](const ir::NestAxis& axis) {
             return nest::Mentions(place.back(), axis.var);
           });
  }

  // Returns the consumer's only stage, appended to the producer's last stage at the point where an
  // element is complete, restricted to the elements that the consumer reads.
  std::optional<ir::NestStage> Continued(const ir::NestStage& last) const {
    if (over_.shared || second_.nest.stages.size() != 1) return std::nullopt;
    const ir::NestStage& after = second_.nest.stages[0];
    if (after.acc != nullptr) return std::nullopt;
    const nest::ElementUses uses = nest::UsesOf(after, read_);
    if (uses.places.size() != 1 || (last.acc == nullptr && !uses.always)) return std::nullopt;
    auto met = RestrictProducer(ir_, last, after, uses.places[0], made_->shape);
    if (!met) return std::nullopt;
    // Without a reduction, the consumer can compute the elements in its own loops.
    if (last.acc == nullptr && !met->whole) return std::nullopt;
    ir::NestStage stage = std::move(met->made);
    met->rewrite.ReplaceLoads(read_, Element(stage));
    for (const ir::NestLet& let : after.lets) {
      stage.lets.push_back({let.var, met->rewrite(let.value)});
    }
    stage.value = met->rewrite(after.value);
    stage.to = after.to;
    stage.at = met->rewrite(after.at);
    return stage;
  }

  // Returns the complete element, named after its binding.
  PrimRef Element(ir::NestStage& stage) const {
    const auto* load = stage.value->As<ir::Load>();
    if (stage.acc == nullptr && nest::IsLeaf(stage.value)) return stage.value;
    if (load == nullptr || load->buffer != stage.acc) {
      const PrimRef element = ir_.NewVar(over_.name, made_->dtype);
      stage.lets.push_back({element, stage.value});
      return element;
    }
    ir::Buffer renamed = *stage.acc;
    renamed.name = std::string(over_.name);
    const BufferRef acc = ir_.NewBuffer(std::move(renamed));
    nest::RewriteScalar rewrite(ir_);
    rewrite.Replace(stage.acc, acc);
    for (ir::NestLet& let : stage.fold_lets) let.value = rewrite(let.value);
    stage.update = rewrite(stage.update);
    stage.acc = acc;
    return ir_.MakeLoad(acc, {});
  }

  // Returns the stages of both, except the two that were merged.
  nest::NestCall Joined() const {
    nest::NestCall fused;
    fused.fused = true;
    fused.has_user_loops = first_.has_user_loops || second_.has_user_loops;
    fused.result = second_.result;
    fused.nest.own = first_.nest.own;
    fused.nest.own.insert(fused.nest.own.end(), second_.nest.own.begin(), second_.nest.own.end());
    fused.nest.stages.assign(first_.nest.stages.begin(), first_.nest.stages.end() - 1);
    for (const nest::NestCall* call : {&first_, &second_}) {
      for (size_t i = 0; i < call->params.size(); ++i) {
        if (call->tensors[i] == over_.tensor) continue;
        fused.params.push_back(call->params[i]);
        fused.tensors.push_back(call->tensors[i]);
      }
      fused.origins.insert(fused.origins.end(), call->origins.begin(), call->origins.end());
    }
    fused.name = FusedName(first_.name, second_.name);
    return fused;
  }

  // A tensor passed to both becomes one parameter.
  bool Unify(nest::NestCall& fused) const {
    nest::RewriteScalar rewrite(ir_);
    std::vector<BufferRef> params;
    std::vector<ir::TensorId> tensors;
    for (size_t i = 0; i < fused.params.size(); ++i) {
      const auto same = std::find(tensors.begin(), tensors.end(), fused.tensors[i]);
      if (same == tensors.end()) {
        params.push_back(fused.params[i]);
        tensors.push_back(fused.tensors[i]);
        continue;
      }
      const BufferRef kept = params[static_cast<size_t>(same - tensors.begin())];
      if (kept->shape.size() != fused.params[i]->shape.size()) return false;
      if (fused.params[i] == fused.result || kept == fused.result) return false;
      rewrite.Replace(fused.params[i], kept);
    }
    if (params.size() == fused.params.size()) return true;
    fused.params = std::move(params);
    fused.tensors = std::move(tensors);
    for (ir::NestStage& stage : fused.nest.stages) {
      for (ir::NestLet& let : stage.fold_lets) let.value = rewrite(let.value);
      stage.init = rewrite(stage.init);
      stage.update = rewrite(stage.update);
      for (ir::NestLet& let : stage.lets) let.value = rewrite(let.value);
      stage.value = rewrite(stage.value);
    }
    return true;
  }

  ir::Context& ir_;
  const nest::NestCall& first_;
  const nest::NestCall& second_;
  const Intermediate& over_;
  BufferRef made_ = nullptr;  // the tensor as the producer stores it
  BufferRef read_ = nullptr;  // the tensor as the consumer reads it
};

}  // namespace

std::string FusedName(const std::string& first, const std::string& second) {
  constexpr size_t kLongest = 48;
  return first.size() + second.size() < kLongest ? absl::StrCat(first, "_", second) : first;
}

std::optional<nest::NestCall> FuseNests(ir::Context& context, const nest::NestCall& producer,
                                        const nest::NestCall& consumer, const Intermediate& over) {
  return NestFusion(context, producer, consumer, over).Run();
}

}  // namespace lathe::schedule
