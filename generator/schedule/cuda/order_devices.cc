#include "generator/schedule/cuda/order_devices.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {
namespace {

using ir::TensorId;

// A copy that may be in progress.
struct Reading {
  TensorId read;
  int device = 0;  // device of the source
  int reader = 0;
};

class Ordering {
 public:
  Ordering(ir::Context& context, ir::Program& program) : ir_(context), program_(program) {}

  void In(ir::Steps& steps) {
    ir::Steps ordered;
    std::vector<Reading> readings;
    const auto wait = [&](int waits, int on, const Location& loc) {
      ir::WaitStep step{waits, on, {}};
      std::erase_if(readings, [&](const Reading& r) {
        const bool done = r.device == waits && r.reader == on;
        if (done) step.read.push_back(r.read);
        return done;
      });
      ordered.push_back({std::move(step), loc});
      settled_.insert({waits, on});
    };
    const auto release = [&](const auto& concerned, const Location& loc) {
      for (size_t i = 0; i < readings.size();) {
        if (!concerned(readings[i])) {
          ++i;
          continue;
        }
        wait(readings[i].device, readings[i].reader, loc);
        i = 0;
      }
    };
    Location last;
    settled_.clear();  // earlier waits do not count here
    for (ir::Step& step : steps) {
      last = step.loc;
      const Writes writes = WritesOf(step);
      release([&](const Reading& r) { return writes.any || writes.to.contains(r.read); }, step.loc);
      const auto [from, to] = Copied(step);
      const bool across = from.valid() && DeviceOf(from) != DeviceOf(to);
      if (across && !settled_.contains({DeviceOf(to), DeviceOf(from)})) {
        wait(DeviceOf(to), DeviceOf(from), step.loc);
      }
      if (auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
        In(branch->then_steps);
        In(branch->else_steps);
      }
      Busy(step);
      ordered.push_back(std::move(step));
      if (!across) continue;
      readings.push_back({program_.Whole(from), DeviceOf(from), DeviceOf(to)});
      // The pointer's target may be written under another name.
      const bool pointer = program_.tensors[program_.Whole(from)].home == ir::Home::kPointer;
      if (pointer) wait(DeviceOf(from), DeviceOf(to), last);
    }
    release([](const Reading&) { return true; }, last);
    settled_.clear();
    steps = std::move(ordered);
  }

 private:
  struct Writes {
    absl::flat_hash_set<TensorId> to;
    bool any = false;  // its writes are unknown
  };

  int DeviceOf(TensorId id) const { return program_.tensors[id].device; }

  // Returns the source and destination of a copy.
  static std::pair<TensorId, TensorId> Copied(const ir::Step& step) {
    if (const auto* copy = std::get_if<ir::CopyStep>(&step.node)) return {copy->from, copy->to};
    if (const auto* give = std::get_if<ir::BindOutputStep>(&step.node))
      return {give->from, give->to};
    return {};
  }

  void Write(TensorId id, Writes& writes) const {
    const TensorId whole = program_.Whole(id);
    writes.to.insert(whole);
    writes.any = writes.any || program_.tensors[whole].home == ir::Home::kPointer;
  }

  Writes WritesOf(const ir::Step& step) {
    Writes writes;
    const auto look = [&](const ir::Step& s) { AddWrites(s, writes); };
    look(step);
    if (const auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
      ir::ForEachStep(branch->then_steps, look);
      ir::ForEachStep(branch->else_steps, look);
    }
    return writes;
  }

  void AddWrites(const ir::Step& step, Writes& writes) {
    if (const auto* kernel = std::get_if<ir::KernelStep>(&step.node)) {
      const std::vector<bool>& stores = StoresOf(kernel->kernel);
      for (size_t i = 0; i < kernel->tensors.size(); ++i) {
        if (stores[i]) Write(kernel->tensors[i], writes);
      }
    } else if (const TensorId to = Copied(step).second; to.valid()) {
      Write(to, writes);
    } else if (std::holds_alternative<ir::TailCallStep>(step.node)) {
      writes.any = true;
    } else if (std::holds_alternative<ir::FillStep>(step.node) ||
               std::holds_alternative<ir::CallStep>(step.node) ||
               std::holds_alternative<ir::PackedStep>(step.node)) {
      ir::ForEachTensor(step, [&](TensorId id) { Write(id, writes); });
    }
  }

  // Returns, for each buffer of the kernel, whether it may be written.
  const std::vector<bool>& StoresOf(ir::KernelId id) {
    const auto [at, is_new] = stores_.try_emplace(id);
    if (!is_new) return at->second;
    const ir::Kernel& kernel = program_.kernels[id];
    const BufferUses uses = UsesOf(ir_, kernel.func.body);
    for (ir::BufferRef buffer : kernel.buffers) {
      at->second.push_back(uses.opaque || uses.Stores(buffer->data));
    }
    return at->second;
  }

  // No device has waited for the work that the step starts.
  void Busy(const ir::Step& step) {
    const bool anywhere = std::holds_alternative<ir::BranchStep>(step.node) ||
                          std::holds_alternative<ir::CallStep>(step.node) ||
                          std::holds_alternative<ir::TailCallStep>(step.node);
    if (anywhere) return settled_.clear();
    const auto busy = [&](TensorId id) {
      absl::erase_if(settled_,
                     [&](std::pair<int, int> pair) { return pair.second == DeviceOf(id); });
    };
    if (const TensorId to = Copied(step).second; to.valid()) return busy(to);
    ir::ForEachTensor(step, busy);
  }

  ir::Context& ir_;
  ir::Program& program_;
  absl::flat_hash_map<ir::KernelId, std::vector<bool>> stores_;
  absl::flat_hash_set<std::pair<int, int>>
      settled_;  // (waiting device, device whose work is complete)
};

}  // namespace

void OrderDevices(ir::Context& context, ir::Program& program) {
  Ordering ordering(context, program);
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ordering.In(program.routines[ir::RoutineId{i}].steps);
  }
}

}  // namespace lathe::schedule
