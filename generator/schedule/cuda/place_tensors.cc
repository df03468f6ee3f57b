#include "generator/schedule/cuda/place_tensors.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/target_kind.h"

namespace lathe::schedule {
namespace {

using ir::TensorId;

constexpr absl::string_view kHostKinds[] = {"llvm", "c", "cpu"};

class Placing {
 public:
  Placing(const ir::Module& module, ir::Program& program, Diagnostics& diags)
      : program_(program), diags_(diags) {
    for (const ir::VDeviceRef device : module.vdevices()) (void)NumberOf(*device);
    for (int32_t i = 0; i < std::ssize(program.tensors); ++i) {
      const ir::VDeviceRef device = program.tensors[TensorId{i}].vdevice;
      parent_.push_back(i);
      placed_.push_back(device == nullptr ? std::nullopt : std::optional(NumberOf(*device)));
    }
  }

  void Run() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      ir::ForEachStep(program_.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
        ir::ForEachTensor(step, [&](TensorId id) { first_.try_emplace(id, step.loc); });
      });
    }
    for (int32_t i = 0; i < std::ssize(program_.tensors); ++i) {
      const ir::Tensor& tensor = program_.tensors[TensorId{i}];
      if (tensor.home == ir::Home::kView)
        Together(TensorId{i}, tensor.base, LocationOf(TensorId{i}));
    }
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      In(program_.routines[ir::RoutineId{i}]);
    }
    FollowCopies();
    Settle();
  }

 private:
  // Returns the number of a device, assigned at its first use.
  int NumberOf(const ir::VDevice& device) {
    const absl::string_view kind = ir::KindOfTarget(device.target);
    const bool host = absl::c_linear_search(kHostKinds, kind);
    const std::string name = host ? "host" : absl::StrCat(kind, ":", device.index);
    const auto at =
        absl::c_find_if(all_, [&](const ir::Device& known) { return known.name == name; });
    if (at != all_.end()) return static_cast<int>(at - all_.begin());
    all_.push_back({name, host, host ? 0 : device.index});
    return static_cast<int>(all_.size()) - 1;
  }

  // Returns the representative of the tensors on the same device.
  int32_t Of(TensorId id) {
    int32_t at = id.index;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }

  void Together(TensorId a, TensorId b, const Location& loc) {
    const int32_t x = Of(a), y = Of(b);
    if (x == y) return;
    if (placed_[x] && placed_[y] && *placed_[x] != *placed_[y]) return Report(a, b, loc);
    parent_[y] = x;
    if (!placed_[x]) placed_[x] = placed_[y];
  }

  Location LocationOf(TensorId id) const {
    const auto at = first_.find(id);
    return at == first_.end() ? Location() : at->second;
  }

  void Report(TensorId a, TensorId b, const Location& loc) {
    if (!reported_.insert({Of(a), Of(b)}).second) return;
    const std::string &x = program_.tensors[a].name, &y = program_.tensors[b].name;
    const std::string &on_x = all_[*placed_[Of(a)]].name, &on_y = all_[*placed_[Of(b)]].name;
    diags_.Unsupported(loc, "cannot-lower")
        << (x == y ? absl::StrCat("'", x, "' would have to be on ", on_x, " and on ", on_y)
                   : absl::StrCat("'", x, "' on ", on_x, " and '", y, "' on ", on_y,
                                  " would have to be on one device"))
        << "; supported: tensors on one device; R.to_vdevice moves a tensor";
  }

  void All(const std::vector<ir::Part>& parts, std::optional<TensorId>& first,
           const Location& loc) {
    for (const ir::Part& part : parts) {
      const auto* id = std::get_if<TensorId>(&part);
      if (id == nullptr) continue;
      if (first) Together(*first, *id, loc);
      first = *id;
    }
  }

  void Pairs(const std::vector<ir::Part>& a, const std::vector<ir::Part>& b, const Location& loc) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
      const auto* x = std::get_if<TensorId>(&a[i]);
      const auto* y = std::get_if<TensorId>(&b[i]);
      if (x != nullptr && y != nullptr) Together(*x, *y, loc);
    }
  }

  void In(const ir::Routine& routine) {
    for (const std::vector<ir::Part>* parts : {&routine.inputs, &routine.outputs}) {
      for (const ir::Part& part : *parts) {
        if (const auto* id = std::get_if<TensorId>(&part)) used_.insert(*id);
      }
    }
    // Output sizes are read by the caller and are not on a device.
    for (const ir::Part& part : routine.outputs) {
      const auto* id = std::get_if<TensorId>(&part);
      if (id != nullptr && program_.tensors[*id].sizes.valid()) {
        used_.erase(program_.tensors[*id].sizes);
      }
    }
    for (size_t i = 0; i < routine.carried.size(); ++i) {
      const auto* input = std::get_if<TensorId>(&routine.inputs[i]);
      if (input != nullptr && routine.carried[i].valid()) {
        Together(*input, routine.carried[i], {});
      }
    }
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      ir::ForEachTensor(step, [&](TensorId id) { used_.insert(id); });
      In(routine, step);
    });
  }

  void In(const ir::Routine& routine, const ir::Step& step) {
    if (const auto* kernel = std::get_if<ir::KernelStep>(&step.node)) {
      for (TensorId id : kernel->tensors) Together(kernel->tensors.front(), id, step.loc);
    } else if (const auto* copy = std::get_if<ir::CopyStep>(&step.node)) {
      copies_.emplace_back(copy->from, copy->to);
    } else if (const auto* give = std::get_if<ir::BindOutputStep>(&step.node)) {
      copies_.emplace_back(give->from, give->to);
    } else if (const auto* point = std::get_if<ir::PointStep>(&step.node)) {
      Together(point->to, point->pointer, step.loc);
    } else if (const auto* again = std::get_if<ir::TailCallStep>(&step.node)) {
      Pairs(again->inputs, routine.inputs, step.loc);
    } else if (const auto* call = std::get_if<ir::CallStep>(&step.node)) {
      const ir::Routine& callee = program_.routines[call->routine];
      Pairs(call->inputs, callee.inputs, step.loc);
      Pairs(call->outputs, callee.outputs, step.loc);
    } else if (const auto* packed = std::get_if<ir::PackedStep>(&step.node)) {
      std::optional<TensorId> first = packed->memory;
      for (const ir::Form& arg : packed->args) All(ir::PartsOf(arg), first, step.loc);
      All(ir::PartsOf(packed->result), first, step.loc);
    }
  }

  // Propagates known devices along copies, in both directions.
  void FollowCopies() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [from, to] : copies_) {
        std::optional<int>& source = placed_[Of(from)];
        std::optional<int>& place = placed_[Of(to)];
        if (source.has_value() == place.has_value()) continue;
        (source ? place : source) = source ? source : place;
        changed = true;
      }
    }
  }

  void Settle() {
    std::vector<bool> seen(all_.size(), false);
    for (TensorId id : used_) {
      if (const auto& at = placed_[Of(id)]) seen[static_cast<size_t>(*at)] = true;
    }
    if (absl::c_count(seen, true) < 2) return;
    std::vector<int> number(all_.size(), 0);
    for (size_t i = 0; i < all_.size(); ++i) {
      if (!seen[i]) continue;
      number[i] = static_cast<int>(program_.devices.size());
      program_.devices.push_back(all_[i]);
      if (all_[i].is_host || absl::StartsWith(all_[i].name, "cuda:")) continue;
      Location where;
      for (TensorId id : used_) {
        const bool is_there = placed_[Of(id)] == static_cast<int>(i);
        if (is_there && std::holds_alternative<std::monostate>(where)) where = LocationOf(id);
      }
      diags_.Unsupported(where, "cannot-lower")
          << "device '" << all_[i].name
          << "' is not supported in a program for GPUs; supported: cuda, and llvm, c and cpu for "
             "the host";
    }
    for (int32_t i = 0; i < std::ssize(program_.tensors); ++i) {
      const auto& at = placed_[Of(TensorId{i})];
      program_.tensors[TensorId{i}].device = at ? number[static_cast<size_t>(*at)] : 0;
    }
  }

  ir::Program& program_;
  Diagnostics& diags_;
  std::vector<ir::Device> all_;  // of the module, in its order
  std::vector<int32_t> parent_;  // union-find over tensors on the same device
  std::vector<std::optional<int>> placed_;
  std::vector<std::pair<TensorId, TensorId>> copies_;
  absl::flat_hash_set<TensorId> used_;
  absl::flat_hash_map<TensorId, Location> first_;  // the first step that uses each tensor
  absl::flat_hash_set<std::pair<int32_t, int32_t>> reported_;
};

}  // namespace

void PlaceTensors(const ir::Module& module, ir::Program& program, Diagnostics& diags) {
  Placing(module, program, diags).Run();
}

}  // namespace lathe::schedule
