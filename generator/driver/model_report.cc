#include "generator/driver/model_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/analysis/called_functions.h"
#include "generator/analysis/callees_first.h"
#include "generator/analysis/count_stores.h"
#include "generator/analysis/program_macs.h"
#include "generator/driver/float_arithmetic.h"
#include "generator/plan/draw_packing.h"
#include "generator/plan/peak.h"
#include "generator/schedule/vectors/describe_form.h"
#include "generator/support/match.h"

namespace lathe::driver {
namespace {

// Returns "relax.matmul + relax.add" for "lv = relax.matmul\nlv1 = relax.add".
std::string Operators(absl::string_view origin) {
  std::vector<absl::string_view> names;
  for (absl::string_view line : absl::StrSplit(origin, '\n')) {
    // Lists equal bindings of other steps (schedule/fuse/kernel_of_nest.cc).
    if (absl::StartsWith(line, "and so ")) continue;
    const size_t equals = line.find(" = ");
    names.push_back(equals == line.npos ? line : line.substr(equals + 3));
  }
  return absl::StrJoin(names, " + ");
}

// Names the place of a step without the path of the file.
std::string PlaceOf(const Location& loc) {
  return Match(
      loc, [](std::monostate) { return std::string(); },
      [](const TextSpan& s) {
        return s.file == nullptr ? std::string() : absl::StrCat("line ", s.file->LineAt(s.begin));
      },
      [](const std::shared_ptr<const ModelNode>& n) {
        if (n->name.empty()) return absl::StrCat("node #", n->index, " (", n->op, ")");
        return absl::StrCat("node '", n->name, "' (", n->op, ", #", n->index, ")");
      });
}

std::vector<ir::TensorId> TensorsOf(const std::vector<ir::Part>& parts) {
  std::vector<ir::TensorId> ids;
  for (const ir::Part& part : parts) {
    if (const auto* id = std::get_if<ir::TensorId>(&part)) ids.push_back(*id);
  }
  return ids;
}

size_t StepsIn(const ir::Steps& steps) {
  size_t count = 0;
  ir::ForEachStep(steps, [&](const ir::Step&) { ++count; });
  return count;
}

class Reporter {
 public:
  Reporter(const GeneratedModel& model, const Target& target, ModelReport& report)
      : program_(model.program),
        model_(model),
        target_(target),
        report_(report),
        macs_(model.program) {}

  void Run() {
    report_.ram.arena = model_.plan.arena_size;
    report_.lower_bound = model_.plan.lower_bound;
    if (model_.plan.pools.size() > 1 || model_.plan.has_pools()) report_.pools = model_.plan.pools;
    report_.on_gpus = !model_.reserved_bytes.empty();
    report_.launches = model_.launches;
    for (size_t i = 0; i < model_.reserved_bytes.size(); ++i) {
      report_.ram.arena += model_.reserved_bytes[i];
      report_.lower_bound += model_.reserved_bytes[i];
      if (i >= report_.pools.size()) continue;
      report_.pools[i].size += model_.reserved_bytes[i];
      report_.pools[i].lower_bound += model_.reserved_bytes[i];
    }
    report_.ram.state = model_.plan.state.size;
    CountPorts();
    for (int32_t i = 0; i < std::ssize(program_.tensors); ++i) {
      report_.tensors.Add(Tensor(program_.tensors[ir::TensorId{i}]));
    }
    // The name of an output is that of its member in the generated header.
    for (const emit::ApiFunction& function : model_.functions) {
      for (const emit::ApiPort& port : function.outputs) {
        const auto* id = std::get_if<ir::TensorId>(&port.part);
        if (id != nullptr && port.capacity.empty()) report_.tensors[*id].name = port.name.str();
      }
    }
    for (ir::TensorId id : program_.ConstantsInUse()) {
      report_.weights += Bytes(program_.tensors[id].constant);
    }
    std::optional<int64_t> macs = 0;
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::RoutineId id{i};
      report_.routines.push_back(Routine(id));
      if (!program_.routines[id].exported) continue;
      report_.open = report_.open || model_.plan.frames[id].open;
      const std::optional<int64_t> own = macs_.OfRoutine(id);
      if (!macs || !own || __builtin_add_overflow(*macs, *own, &*macs)) macs.reset();
    }
    report_.macs = macs;
    report_.callees_first = analysis::CalleesFirst(program_);
    for (ir::KernelId id : model_.serial_kernels) report_.serial.push_back(model_.kernels[id].name);
  }

 private:
  int64_t Bytes(ir::ConstantId id) const {
    return static_cast<int64_t>(program_.constants[id].bytes->size());
  }

  // Counts the memory of inputs, outputs and the instance.
  void CountPorts() {
    RamReport& ram = report_.ram;
    for (const emit::ApiFunction& function : model_.functions) {
      const int64_t inputs = BytesOf(function.inputs), outputs = BytesOf(function.outputs);
      if (inputs + outputs <= ram.inputs + ram.outputs) continue;
      ram.inputs = inputs;
      ram.outputs = outputs;
    }
    if (report_.on_gpus) return;  // the instance is in host memory
    // Pointers and sizes, which have the width of pointers.
    size_t words = model_.plan.has_pools() ? model_.plan.pools.size() + 1 : 2;
    if (model_.external_weights) ++words;
    if (model_.in_parts) ++words;
    if (!program_.state.empty()) ++words;
    if (model_.takes_table) words += model_.externs.size();
    ram.instance = static_cast<int64_t>(words) * target_.pointer_bits / 8;
  }

  int64_t BytesOf(const std::vector<emit::ApiPort>& ports) {
    int64_t bytes = 0;
    for (const emit::ApiPort& port : ports) {
      const auto* id = std::get_if<ir::TensorId>(&port.part);
      if (id == nullptr) continue;  // a scalar is in the struct, on the caller's stack
      const ir::Tensor& tensor = program_.tensors[*id];
      const std::optional<int64_t> most = tensor.is_value() ? std::nullopt : tensor.max_bytes();
      if (most) {
        bytes += *most;
      } else {
        report_.ram.open = true;
      }
    }
    return bytes;
  }

  static TensorReport Tensor(const ir::Tensor& tensor) {
    TensorReport report;
    report.name = tensor.name;
    report.dtype = tensor.is_value() ? "value" : ir::ToString(tensor.dtype);
    for (ir::PrimRef dim : tensor.shape) report.shape.push_back(ir::ToString(dim));
    if (!tensor.is_value()) report.bytes = tensor.max_bytes();
    report.scale = tensor.scale;
    return report;
  }

  RoutineReport Routine(ir::RoutineId id) {
    const ir::Routine& routine = program_.routines[id];
    const plan::Frame& frame = model_.plan.frames[id];
    RoutineReport report;
    report.name = routine.name;
    report.open = frame.open;
    report.exported = routine.exported;
    report.repeats = routine.loops || routine.recursive;
    report.inputs = TensorsOf(routine.inputs);
    report.outputs = TensorsOf(routine.outputs);
    ir::ForEachStep(routine.steps,
                    [&](const ir::Step& step) { report.steps.push_back(Step(step)); });
    std::vector<StepFlow> flows = FlowOfSteps(program_, model_.kernels, routine);
    for (size_t i = 0; i < flows.size(); ++i) report.steps[i].flow = std::move(flows[i]);
    for (size_t pool = 0; pool < frame.shares.size(); ++pool) {
      const plan::Share& share = frame.shares[pool];
      report.ram += share.fixed_size;
      report.lower_bound += share.lower_bound;
      const std::vector<int64_t> in_use = BytesInUse(share, report.steps.size());
      for (size_t i = 0; i < in_use.size() && !frame.open; ++i) {
        if (in_use[i] > 0) report.steps[i].live = report.steps[i].live.value_or(0) + in_use[i];
      }
      for (size_t i = 0; i < share.buffers.size(); ++i) {
        const plan::Buffer& b = share.buffers[i];
        report.buffers.push_back({NameOf(b), pool, share.offsets[i], b.size, b.first, b.last});
      }
      report.peaks.push_back(PeakOf(share, in_use, model_.plan.pools[pool].name));
    }
    return report;
  }

  std::string NameOf(const plan::Buffer& buffer) const {
    return buffer.tensor.valid() ? program_.tensors[buffer.tensor].name : "call";
  }

  PeakReport PeakOf(const plan::Share& share, const std::vector<int64_t>& in_use,
                    const std::string& pool) const {
    std::vector<plan::Block> blocks;
    std::vector<std::string> names;
    for (const plan::Buffer& b : share.buffers) {
      blocks.push_back({b.size, b.first, b.last});
      names.push_back(NameOf(b));
    }
    const auto most = std::max_element(in_use.begin(), in_use.end());
    PeakReport report{pool, 0, 0, {}, 0, ""};
    if (most != in_use.end()) {
      report.bytes = *most;
      report.step = static_cast<int>(most - in_use.begin());
    }
    std::vector<size_t> owners;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const bool alive = blocks[i].first <= report.step && report.step <= blocks[i].last;
      if (alive && blocks[i].size > 0) owners.push_back(i);
    }
    std::stable_sort(owners.begin(), owners.end(),
                     [&](size_t a, size_t b) { return blocks[a].size > blocks[b].size; });
    for (size_t i : owners) {
      report.owners.push_back(absl::StrCat(names[i], " ", blocks[i].size));
      report.shared += blocks[i].size;
    }
    report.shared -= report.bytes;
    report.timeline = plan::DrawPacking(blocks, share.offsets, names);
    return report;
  }

  StepReport Step(const ir::Step& step) {
    StepReport report;
    const bool is_branch = std::holds_alternative<ir::BranchStep>(step.node);
    report.macs = is_branch ? 0 : macs_.OfStep(step);
    report.place = PlaceOf(step.loc);
    const auto* node = std::get_if<std::shared_ptr<const ModelNode>>(&step.loc);
    if (node != nullptr) report.node = (*node)->name;
    std::set<ir::ConstantId> constants;
    const auto reads = [&](ir::TensorId id) {
      const ir::Tensor& tensor = program_.tensors[program_.Whole(id)];
      if (tensor.home == ir::Home::kConstant) constants.insert(tensor.constant);
    };
    const auto named = [&](const char* op, ir::TensorId id) {
      report.op = op;
      report.name = program_.tensors[id].name;
    };
    Match(
        step.node,
        [&](const ir::KernelStep& s) {
          const ir::Kernel& kernel = program_.kernels[s.kernel];
          report.op = Operators(kernel.origin);
          report.origin = kernel.origin;
          report.kernel_id = s.kernel;
          report.kernel = model_.kernels[s.kernel].name;
          if (kernel.form) report.form = schedule::DescribeForm(*kernel.form);
          const auto& serial = model_.serial_kernels;
          if (std::find(serial.begin(), serial.end(), s.kernel) != serial.end()) {
            report.form = "one thread";
          }
          report.calls_external = !analysis::CalledFunctions(kernel.func).empty();
          report.stores = analysis::CountStores(kernel.func);
          if (const auto floats = FloatArithmeticOf(kernel)) report.floats = ir::ToString(*floats);
          for (ir::TensorId id : s.tensors) reads(id);
          if (!s.tensors.empty()) report.name = program_.tensors[Written(kernel, s)].name;
          if (report_.measures) {
            report.code = report_.measures->CodeOf(report.kernel);
            report.inlined = !report.code;
          }
        },
        [&](const ir::CopyStep& s) {
          report.op = "copy";
          report.name = program_.tensors[s.to].name;
          reads(s.from);
        },
        [&](const ir::DefineStep& s) {
          report.op = "scalar";
          report.name = ir::ToString(s.var);
        },
        [&](const ir::AssignStep& s) {
          report.op = "scalar";
          report.name = ir::ToString(s.var);
        },
        [&](const ir::ReadStep& s) {
          report.op = "read";
          report.name = ir::ToString(s.var);
          reads(s.tensor);
        },
        [&](const ir::CheckStep& s) {
          report.op = "check";
          report.name = s.what;
        },
        [&](const ir::AssertStep& s) {
          report.op = "assert";
          report.name = s.message;
        },
        [&](const ir::BranchStep& s) {
          report.op = "branch";
          report.then_steps = StepsIn(s.then_steps);
          report.else_steps = StepsIn(s.else_steps);
        },
        [&](const ir::CallStep& s) {
          report.op = absl::StrCat("call of ", program_.routines[s.routine].name);
          report.callee = s.routine;
        },
        [&](const ir::DefinePointerStep& s) { named("pointer", s.pointer); },
        [&](const ir::PointStep& s) { named("pointer", s.pointer); },
        [&](const ir::ReserveStep& s) { named("sizes", s.tensor); },
        [&](const ir::BindOutputStep& s) { named("copy", s.to); },
        [&](const ir::ViewStep& s) { named("view", s.view); },
        [&](const ir::FillStep& s) { named("fill", s.tensor); },
        [&](const ir::ReturnStep&) { report.op = "result"; },
        [&](const ir::PackedStep&) {
          report.op = "external call";
          report.calls_external = true;
        },
        [&](const ir::TailCallStep&) { report.op = "next iteration"; },
        [&](const ir::BoxStep& s) { named("kept value", s.to); },
        [&](const ir::UnboxStep& s) { named("parts", s.value); },
        [&](const ir::RankStep& s) { named("rank", s.value); },
        [&](const ir::FunctionStep& s) { named("function", s.value); },
        [&](const ir::WaitStep& s) {
          report.op = absl::StrCat("wait for ", program_.devices[static_cast<size_t>(s.on)].name);
          report.name = program_.devices[static_cast<size_t>(s.waits)].name;
        });
    for (ir::ConstantId id : constants) report.weights += Bytes(id);
    return report;
  }

  // Returns the last result of a kernel. Tensors are ordered: arguments, results, workspaces.
  ir::TensorId Written(const ir::Kernel& kernel, const ir::KernelStep& s) const {
    const size_t params = static_cast<size_t>(
        std::count_if(kernel.func.params.begin(), kernel.func.params.end(),
                      [](const ir::PrimParam& p) { return p.buffer != nullptr; }));
    return s.tensors[std::min(std::max<size_t>(params, 1), s.tensors.size()) - 1];
  }

  const ir::Program& program_;
  const GeneratedModel& model_;
  const Target& target_;
  ModelReport& report_;
  const analysis::ProgramMacs macs_;
};

}  // namespace

std::vector<int64_t> BytesInUse(const plan::Share& share, size_t steps) {
  // Looks at the live buffers of each step only, because there may be many steps.
  std::vector<std::vector<size_t>> begins(steps);
  for (size_t i = 0; i < share.buffers.size(); ++i) {
    begins[static_cast<size_t>(share.buffers[i].first)].push_back(i);
  }
  std::vector<size_t> live;
  std::vector<int64_t> in_use;
  for (size_t step = 0; step < steps; ++step) {
    const int at = static_cast<int>(step);
    live.insert(live.end(), begins[step].begin(), begins[step].end());
    live.erase(std::remove_if(live.begin(), live.end(),
                              [&](size_t i) { return share.buffers[i].last < at; }),
               live.end());
    std::vector<plan::Block> blocks;
    std::vector<int64_t> offsets;
    for (size_t i : live) {
      const plan::Buffer& b = share.buffers[i];
      blocks.push_back({b.size, b.first, b.last});
      offsets.push_back(share.offsets[i]);
    }
    in_use.push_back(plan::BytesInUse(blocks, offsets, at));
  }
  return in_use;
}

std::string OwnersText(const PeakReport& peak) {
  return absl::StrCat(
      absl::StrJoin(peak.owners, ", "),
      peak.shared > 0 ? absl::StrCat("; overlapping by ", peak.shared, " bytes") : "");
}

ModelReport MakeModelReport(const GeneratedModel& model, const Target& target,
                            std::optional<CodeMeasures> measures) {
  ModelReport report;
  report.measures = std::move(measures);
  Reporter(model, target, report).Run();
  return report;
}

}  // namespace lathe::driver
