#include "generator/driver/step_flow.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "generator/support/match.h"

namespace lathe::driver {
namespace {

class FlowBuilder {
 public:
  FlowBuilder(const ir::Program& program, const EmittedKernels& kernels)
      : program_(program), kernels_(kernels) {}

  void Visit(const ir::Steps& steps, bool in_branch) {
    for (const ir::Step& step : steps) {
      const int number = static_cast<int>(flows_.size());
      flows_.emplace_back();
      scalars_read_.clear();
      scalars_written_.clear();
      Effects(step);
      Link(number, in_branch);
      if (const auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
        Visit(branch->then_steps, true);
        Visit(branch->else_steps, true);
      }
    }
  }

  std::vector<StepFlow> Take() { return std::move(flows_); }

 private:
  void Reads(ir::TensorId id) { flows_.back().reads.push_back(id); }
  void Writes(ir::TensorId id) { flows_.back().writes.push_back(id); }
  void Reads(const ir::Part& part) {
    if (const auto* id = std::get_if<ir::TensorId>(&part)) {
      Reads(*id);
    } else {
      scalars_read_.push_back(std::get<ir::PrimRef>(part));
    }
  }
  void Writes(const ir::Part& part) {
    if (const auto* id = std::get_if<ir::TensorId>(&part)) {
      Writes(*id);
    } else {
      scalars_written_.push_back(std::get<ir::PrimRef>(part));
    }
  }
  void ReadsForm(const ir::Form& form) {
    for (const ir::Part& part : ir::PartsOf(form)) Reads(part);
  }
  void WritesForm(const ir::Form& form) {
    for (const ir::Part& part : ir::PartsOf(form)) Writes(part);
  }

  void Kernel(const ir::KernelStep& s) {
    const std::vector<bool>& written = kernels_[s.kernel].writes;
    const ir::PrimFunc& func = program_.kernels[s.kernel].func;
    // Scratch memory follows the parameters.
    const auto params = static_cast<size_t>(
        absl::c_count_if(func.params, [](const ir::PrimParam& p) { return p.buffer != nullptr; }));
    for (size_t i = 0; i < std::min({written.size(), s.tensors.size(), params}); ++i) {
      if (written[i]) {
        Writes(s.tensors[i]);
      } else {
        Reads(s.tensors[i]);
      }
    }
    for (ir::PrimRef scalar : s.scalars) scalars_read_.push_back(scalar);
  }

  void Effects(const ir::Step& step) {
    Match(
        step.node, [&](const ir::KernelStep& s) { Kernel(s); },
        [&](const ir::CopyStep& s) {
          Reads(s.from);
          Writes(s.to);
        },
        [](const ir::DefineStep&) {},
        [&](const ir::AssignStep& s) {
          scalars_read_.push_back(s.value);
          scalars_written_.push_back(s.var);
        },
        [](const ir::DefinePointerStep&) {},
        [&](const ir::PointStep& s) {
          Reads(s.to);
          Writes(s.pointer);
        },
        [](const ir::ReserveStep&) {},
        [&](const ir::BindOutputStep& s) {
          Reads(s.from);
          Writes(s.to);
        },
        [](const ir::ViewStep&) {}, [&](const ir::FillStep& s) { Writes(s.tensor); },
        [&](const ir::ReadStep& s) {
          Reads(s.tensor);
          scalars_written_.push_back(s.var);
        },
        [&](const ir::CheckStep& s) { scalars_read_.push_back(s.cond); },
        [&](const ir::AssertStep& s) { Reads(s.cond); },
        [&](const ir::BranchStep& s) { Reads(s.cond); },
        [&](const ir::CallStep& s) {
          for (const ir::Part& part : s.inputs) Reads(part);
          for (const ir::Part& part : s.outputs) Writes(part);
          for (ir::TensorId id : s.returned) Writes(id);
        },
        [&](const ir::ReturnStep& s) {
          for (ir::TensorId id : s.tensors) Reads(id);
        },
        [&](const ir::PackedStep& s) {
          for (const ir::Form& arg : s.args) ReadsForm(arg);
          for (ir::TensorId id : s.writes) Writes(id);
          WritesForm(s.result);
        },
        [&](const ir::TailCallStep& s) {
          for (const ir::Part& part : s.inputs) Reads(part);
        },
        [&](const ir::BoxStep& s) {
          ReadsForm(s.from);
          Writes(s.to);
        },
        [&](const ir::UnboxStep& s) {
          Reads(s.value);
          WritesForm(s.to);
        },
        [&](const ir::RankStep& s) {
          Reads(s.value);
          scalars_written_.push_back(s.var);
        },
        [&](const ir::FunctionStep& s) {
          Reads(s.value);
          scalars_written_.push_back(s.var);
        },
        [&](const ir::WaitStep& s) {
          for (ir::TensorId id : s.read) Reads(id);
        });
  }

  // A step that writes a whole tensor replaces the earlier writers, unless it may not run.
  template <typename Writers>
  static void Record(Writers& writers, int number, bool adds) {
    if (!adds) writers.clear();
    if (writers.empty() || writers.back() != number) writers.push_back(number);
  }

  void Link(int number, bool in_branch) {
    StepFlow& flow = flows_.back();
    const auto add = [&](const std::vector<int>& writers) {
      flow.producers.insert(flow.producers.end(), writers.begin(), writers.end());
    };
    for (ir::TensorId id : flow.reads) add(writers_[program_.Whole(id)]);
    for (ir::PrimRef scalar : scalars_read_) {
      const auto it = scalar_writers_.find(scalar);
      if (it != scalar_writers_.end()) add(it->second);
    }
    std::sort(flow.producers.begin(), flow.producers.end());
    flow.producers.erase(std::unique(flow.producers.begin(), flow.producers.end()),
                         flow.producers.end());
    for (ir::TensorId id : flow.writes) {
      const ir::TensorId whole = program_.Whole(id);
      Record(writers_[whole], number, in_branch || whole != id);
    }
    for (ir::PrimRef scalar : scalars_written_) Record(scalar_writers_[scalar], number, in_branch);
  }

  const ir::Program& program_;
  const EmittedKernels& kernels_;
  std::vector<StepFlow> flows_;
  std::vector<ir::PrimRef> scalars_read_, scalars_written_;  // of the current step
  absl::flat_hash_map<ir::TensorId, std::vector<int>> writers_;
  absl::flat_hash_map<ir::PrimRef, std::vector<int>> scalar_writers_;
};

}  // namespace

std::vector<StepFlow> FlowOfSteps(const ir::Program& program, const EmittedKernels& kernels,
                                  const ir::Routine& routine) {
  FlowBuilder builder(program, kernels);
  builder.Visit(routine.steps, false);
  return builder.Take();
}

}  // namespace lathe::driver
