#include "generator/plan/spill.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/lifetimes.h"
#include "generator/plan/pack.h"
#include "generator/plan/peak.h"
#include "generator/support/status.h"

namespace lathe::plan {
namespace {

// Limits the tensors that are tried in the faster pool again, because each try recomputes the
// peaks.
constexpr size_t kMaxMovesBack = 512;

struct Item {
  ir::TensorId tensor;
  Block block;
  int uses = 0;         // steps that read or write it
  bool pinned = false;  // to its pool, by the program
};

class Spiller {
 public:
  Spiller(const ir::Program& program, const std::vector<Pool>& pools,
          absl::Span<const int64_t> room, int64_t align, OverlapFinder* overlaps)
      : program_(program),
        pools_(pools),
        room_(room),
        items_(program.routines.size()),
        overlaps_(program.routines.size()) {
    for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
      if (program.routines[ir::RoutineId{i}].recursive) MarkRepeated(ir::RoutineId{i});
    }
    for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
      Collect(ir::RoutineId{i}, align, overlaps);
    }
  }

  absl::StatusOr<PoolOf> Run() {
    LATHE_RETURN_IF_ERROR(CheckScopes());
    for (size_t pool = 0; pool < pools_.size(); ++pool) {
      std::vector<Item*> moved;
      peaks_.clear();
      while (const std::optional<ir::RoutineId> routine = FindOverfull(pool)) {
        Item* victim = pool + 1 < pools_.size() ? ChooseVictim(*routine, pool) : nullptr;
        if (victim == nullptr) return PoolTooSmall(*routine, pool);
        Move(*victim, pool + 1);
        moved.push_back(victim);
      }
      MoveBack(std::move(moved), pool);
    }
    return std::move(pool_of_);
  }

 private:
  // Rejects memory scopes without a pool of that name.
  absl::Status CheckScopes() const {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      for (const Item& item : items_[ir::RoutineId{i}]) {
        const ir::Tensor& tensor = program_.tensors[item.tensor];
        if (item.pinned || tensor.scope.empty() || tensor.scope == "global") continue;
        return absl::InvalidArgumentError(absl::StrCat(
            "the program places '", tensor.name, "' in memory '", tensor.scope,
            "', but no pool has this name; add one with --pool ", tensor.scope,
            ":SIZE; the pools are: ",
            absl::StrJoin(pools_, ", ",
                          [](std::string* out, const Pool& pool) { *out += pool.name; })));
      }
    }
    return absl::OkStatus();
  }

  // A recursive routine and its callees can have several activations at one time.
  void MarkRepeated(ir::RoutineId id) {
    if (!repeated_.insert(id).second) return;
    for (const ir::CallAt& call : ir::CallsOf(program_.routines[id]))
      MarkRepeated(call.call->routine);
  }

  void Collect(ir::RoutineId id, int64_t align, OverlapFinder* overlaps) {
    const ir::Routine& routine = program_.routines[id];
    absl::flat_hash_map<ir::TensorId, int> uses;
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      ir::ForEachTensor(step, [&](ir::TensorId used) { ++uses[program_.Whole(used)]; });
    });
    std::vector<Buffer> buffers;
    for (const ir::Life& life : ir::Lifetimes(program_, routine)) {
      const ir::Tensor& tensor = program_.tensors[life.tensor];
      const std::optional<int64_t> bytes = tensor.max_bytes();
      if (!bytes || tensor.returned) continue;
      Item item{life.tensor, {(*bytes + align - 1) / align * align, life.first, life.last}};
      item.uses = uses[life.tensor];
      for (size_t pool = 0; pool < pools_.size(); ++pool) {
        // Names of pools are lower case.
        if (pools_[pool].name != absl::AsciiStrToLower(tensor.scope)) continue;
        item.pinned = true;
        pool_of_[life.tensor] = pool;
      }
      if (repeated_.contains(id)) {
        item.pinned = true;
        pool_of_[life.tensor] = pools_.size() - 1;
      }
      items_[id].push_back(item);
      buffers.push_back({life.tensor, -1, *bytes, life.first, life.last});
    }
    if (overlaps != nullptr) overlaps_[id] = overlaps->Find(routine, buffers);
  }

  size_t PoolAt(const Item& item) const {
    const auto at = pool_of_.find(item.tensor);
    return at == pool_of_.end() ? 0 : at->second;
  }

  // The peak of live bytes of a routine in a pool. Its owners index `items`, then `calls`.
  struct Load {
    Peak peak;
    std::vector<Item*> items;
    std::vector<ir::RoutineId> calls;
  };
  Load LoadOf(ir::RoutineId id, size_t pool) {
    Load load;
    std::vector<Block> blocks;
    constexpr size_t kElsewhere = ~size_t{0};
    std::vector<size_t> number(items_[id].size(), kElsewhere);  // of the block of each item
    for (size_t i = 0; i < number.size(); ++i) {
      Item& item = items_[id][i];
      if (PoolAt(item) != pool) continue;
      number[i] = blocks.size();
      load.items.push_back(&item);
      blocks.push_back(item.block);
    }
    std::vector<BlockOverlap> overlaps;
    for (const BlockOverlap& o : overlaps_[id]) {
      if (number[o.read] == kElsewhere || number[o.written] == kElsewhere) continue;
      overlaps.push_back({number[o.read], number[o.written], o.distance});
    }
    open_.push_back(id);
    for (const ir::CallAt& call : ir::CallsOf(program_.routines[id])) {
      // A recursive call gets a new frame after the frame of the routine.
      if (std::find(open_.begin(), open_.end(), call.call->routine) != open_.end()) continue;
      load.calls.push_back(call.call->routine);
      blocks.push_back({PeakOf(call.call->routine, pool), call.step, call.step});
    }
    open_.pop_back();
    load.peak = FindOverlappingPeak(blocks, overlaps);
    return load;
  }

  int64_t PeakOf(ir::RoutineId id, size_t pool) {
    if (const auto it = peaks_.find(id); it != peaks_.end()) return it->second;
    const int64_t bytes = LoadOf(id, pool).peak.bytes;
    return peaks_[id] = bytes;
  }

  void Move(const Item& item, size_t pool) {
    pool_of_[item.tensor] = pool;
    peaks_.clear();
  }

  // Returns an exported routine whose peak exceeds the pool.
  std::optional<ir::RoutineId> FindOverfull(size_t pool) {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::RoutineId id{i};
      if (!program_.routines[id].exported) continue;
      if (PeakOf(id, pool) > room_[pool]) return id;
    }
    return std::nullopt;
  }

  // Chooses a tensor that is alive at the peak. Returns null if all of them are pinned.
  Item* ChooseVictim(ir::RoutineId id, size_t pool) {
    const Load load = LoadOf(id, pool);
    Item* best = nullptr;
    const auto consider = [&](Item* item) {
      if (item == nullptr || item->pinned) return;
      const auto rank = [](const Item& i) { return std::pair(-i.uses, i.block.size); };
      if (best == nullptr || rank(*item) > rank(*best)) best = item;
    };
    open_.push_back(id);
    for (int owner : load.peak.owners) {
      const size_t at = static_cast<size_t>(owner);
      consider(at < load.items.size() ? load.items[at]
                                      : ChooseVictim(load.calls[at - load.items.size()], pool));
    }
    open_.pop_back();
    return best;
  }

  void MoveBack(std::vector<Item*> moved, size_t pool) {
    std::stable_sort(moved.begin(), moved.end(),
                     [](const Item* a, const Item* b) { return a->uses > b->uses; });
    moved.resize(std::min(moved.size(), kMaxMovesBack));
    for (const Item* item : moved) {
      Move(*item, pool);
      if (FindOverfull(pool)) Move(*item, pool + 1);
    }
  }

  absl::Status PoolTooSmall(ir::RoutineId id, size_t pool) {
    const Load load = LoadOf(id, pool);
    std::vector<std::string> owners;
    for (int owner : load.peak.owners) {
      const size_t at = static_cast<size_t>(owner);
      if (at >= load.items.size()) {
        owners.push_back(absl::StrCat("the call of ",
                                      program_.routines[load.calls[at - load.items.size()]].name));
        continue;
      }
      const Item& item = *load.items[at];
      owners.push_back(absl::StrCat(program_.tensors[item.tensor].name, " ", item.block.size));
    }
    return absl::ResourceExhaustedError(absl::StrCat(
        "pool '", pools_[pool].name, "' of ", pools_[pool].size, " bytes would have to hold ",
        load.peak.bytes, " at step ", load.peak.step, " of ", program_.routines[id].name, " (",
        absl::StrJoin(owners, ", "), ")", kEnlargePool));
  }

  const ir::Program& program_;
  const std::vector<Pool>& pools_;
  const absl::Span<const int64_t> room_;
  IdVector<ir::RoutineId, std::vector<Item>> items_;
  IdVector<ir::RoutineId, std::vector<BlockOverlap>> overlaps_;  // of the items
  absl::flat_hash_set<ir::RoutineId> repeated_;
  PoolOf pool_of_;
  absl::flat_hash_map<ir::RoutineId, int64_t> peaks_;  // in the pool that is being filled
  std::vector<ir::RoutineId> open_;                    // call stack of LoadOf and ChooseVictim
};

}  // namespace

absl::StatusOr<PoolOf> Spill(const ir::Program& program, const std::vector<Pool>& pools,
                             absl::Span<const int64_t> room, int64_t align,
                             OverlapFinder* overlaps) {
  return Spiller(program, pools, room, align, overlaps).Run();
}

}  // namespace lathe::plan
