#include "generator/transform/stream/stream_network.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/state.h"
#include "generator/support/status.h"
#include "generator/transform/dead_code_elimination.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/result_fields.h"
#include "generator/transform/stream/first_frames.h"
#include "generator/transform/stream/stream_plan.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

// Replaces the body of a planned function by that of a step.
class StepWriter {
 public:
  StepWriter(ir::Context& context, ir::Module& module, const StreamPlan& plan)
      : context_(context), module_(module), plan_(plan) {}

  // Adds a parameter for each history, and its next frames to the results.
  void Write(ir::Function& f) {
    for (const auto& [key, frames] : plan_.histories) AddParameter(key, frames, f);
    if (f.body.blocks.empty()) f.body.blocks.push_back({.dataflow = true, .bindings = {}});
    for (ir::Block& block : f.body.blocks) {
      std::vector<ir::Binding> bindings = std::move(block.bindings);
      block.bindings = {};
      block_ = &block;
      for (ir::Binding& binding : bindings) WriteBinding(std::move(binding));
    }
    std::vector<Operand> results = ResultFields(f.body);
    for (Operand& result : results) result = NewFrames(result);
    for (const auto& [key, frames] : plan_.histories) {
      const TimeAxis& time = plan_.times.at(key.first);
      results.push_back(SliceFrames(WithPast(key), time.axis, time.step, time.step + frames));
    }
    const bool single = results.size() == 1;
    f.body.result = single ? results[0] : Operand{ir::TupleExpr{std::move(results)}};
    f.ret = nullptr;
  }

 private:
  void AddParameter(const HistoryKey& key, int64_t frames, ir::Function& f) {
    const ir::Value& of = module_.values[key.first];
    const auto* tensor = of.info->As<ir::TensorInfo>();
    std::vector<ir::PrimRef> dims = *tensor->dims();
    dims[plan_.times.at(key.first).axis] = context_.Int(frames);
    ir::Value value;
    value.name = absl::StrCat(of.name, "_past");
    value.info = value.annotation = context_.Tensor(std::move(dims), tensor->dtype);
    value.loc = of.loc;
    f.params.push_back(module_.values.Add(std::move(value)));
    past_[key] = f.params.back();
  }

  void WriteBinding(ir::Binding binding) {
    loc_ = binding.loc;
    const auto planned = plan_.calls.find(binding.var);
    if (planned == plan_.calls.end()) {
      if (IsMoving(binding.rhs)) {
        module_.values[binding.var].annotation = nullptr;
        MapLeaves(binding.rhs, [&](const Operand& leaf) { return NewFrames(leaf); });
      }
      block_->bindings.push_back(std::move(binding));
      return;
    }
    if (planned->second.narrower) return;  // where it is read
    const StreamedCall& streamed = planned->second.streamed;
    binding.rhs = CallOn(streamed, streamed.frames, [&](ValueId id) {
      const ReadFrames read = FramesRead(streamed, plan_.times.at(id));
      return Window(id, read);
    });
    module_.values[binding.var].annotation = nullptr;
    block_->bindings.push_back(std::move(binding));
  }

  bool IsMoving(const ir::Rhs& rhs) const {
    bool moving = false;
    ir::ForEachOperand(rhs, [&](const Operand& operand) {
      ir::ForEachLeaf(operand, [&](const Operand& leaf) {
        const auto* id = leaf.As<ValueId>();
        moving = moving || (id != nullptr && plan_.times.contains(*id));
      });
    });
    return moving;
  }

  template <typename F>
  static void MapLeaf(Operand& operand, const F& map) {
    if (auto* tuple = operand.As<ir::TupleExpr>()) {
      for (Operand& field : tuple->fields) MapLeaf(field, map);
    } else {
      operand = map(operand);
    }
  }

  template <typename F>
  static void MapLeaves(ir::Rhs& rhs, const F& map) {
    if (auto* operand = std::get_if<Operand>(&rhs)) MapLeaf(*operand, map);
  }

  // Returns the call with its operands that move replaced by windows of them.
  template <typename F>
  ir::Call CallOn(const StreamedCall& streamed, int64_t frames, const F& window_of) {
    ir::Call call = streamed.make(frames);
    for (Operand& arg : call.args) {
      MapLeaf(arg, [&](const Operand& leaf) {
        const auto* id = leaf.As<ValueId>();
        return id != nullptr && plan_.times.contains(*id) ? window_of(*id) : leaf;
      });
    }
    return call;
  }

  Operand NewFrames(const Operand& leaf) {
    const auto* id = leaf.As<ValueId>();
    const auto time = id == nullptr ? plan_.times.end() : plan_.times.find(*id);
    if (time == plan_.times.end()) return leaf;
    return Window(*id, {time->second.step, 0, std::nullopt});
  }

  // Returns `window` frames of a value, `tail` frames before its newest.
  Operand Window(ValueId id, const ReadFrames& read) {
    const auto key = std::make_tuple(id, read.window, read.tail, read.before);
    const auto known = windows_.find(key);
    if (known != windows_.end()) return known->second;
    const Operand window = NewWindow(id, read);
    windows_.emplace(key, window);
    return window;
  }

  Operand NewWindow(ValueId id, const ReadFrames& read) {
    const TimeAxis& time = plan_.times.at(id);
    const auto call = plan_.calls.find(id);
    if (call != plan_.calls.end() && call->second.narrower && !read.before) {
      ir::Call repeated = CallOn(call->second.streamed, read.window,
                                 [&](ValueId source) { return Window(source, read); });
      return Emit().Bind(std::move(repeated), module_.values[id].name);
    }
    const int64_t older = OlderFrames(time, read.window, read.tail);
    if (older <= 0) {
      const int64_t end = time.step - read.tail;
      return SliceFrames(Own(id), time.axis, end - read.window, end, time.step);
    }
    const int64_t kept = plan_.histories.at({id, read.before});
    const int64_t begin = kept - older, end = kept + time.step - read.tail;
    return SliceFrames(WithPast({id, read.before}), time.axis, begin, end, kept + time.step);
  }

  // Returns the new frames of a value: its variable, or the repeated call.
  Operand Own(ValueId id) {
    const auto call = plan_.calls.find(id);
    if (call == plan_.calls.end() || !call->second.narrower) return {id};
    return Window(id, {plan_.times.at(id).step, 0, std::nullopt});
  }

  // Returns the frames that are kept, and the new ones after them.
  Operand WithPast(const HistoryKey& key) {
    const auto known = with_past_.find(key);
    if (known != with_past_.end()) return known->second;
    const Operand both{ir::TupleExpr{{Operand{past_.at(key)}, Own(key.first)}}};
    ir::AttrMap attrs = {{"axis", int64_t{plan_.times.at(key.first).axis}}};
    const Operand joined = Emit().Op("relax.concat", {both}, std::move(attrs));
    with_past_.emplace(key, joined);
    return joined;
  }

  // Returns frames [begin, end) of `length` frames.
  Operand SliceFrames(const Operand& of, int axis, int64_t begin, int64_t end,
                      int64_t length = -1) {
    if (begin == 0 && end == length) return of;
    const auto tuple = [&](int64_t number) {
      return Operand{ir::TupleExpr{{{ir::PrimValue{context_.Int(number)}}}}};
    };
    return Emit().Op("relax.strided_slice", {of, tuple(axis), tuple(begin), tuple(end), tuple(1)});
  }

  EmitOps Emit() { return {module_, block_->bindings, block_->dataflow, loc_}; }

  ir::Context& context_;
  ir::Module& module_;
  const StreamPlan& plan_;
  ir::Block* block_ = nullptr;
  Location loc_;
  std::map<HistoryKey, ValueId> past_;
  std::map<HistoryKey, Operand> with_past_;
  std::map<std::tuple<ValueId, int64_t, int64_t, std::optional<double>>, Operand> windows_;
};

// Moves the padding along time to the start of the window. Returns true if there is any.
bool PadAtStart(const StreamPlan& plan, ir::Function& f) {
  bool pads = false;
  for (ir::Block& block : f.body.blocks) {
    for (ir::Binding& binding : block.bindings) {
      const auto planned = plan.calls.find(binding.var);
      if (planned == plan.calls.end() || !planned->second.streamed.at_start) continue;
      binding.rhs = *planned->second.streamed.at_start;
      pads = true;
    }
  }
  return pads;
}

}  // namespace

TimeAxes InputTimes(const ir::Module& module, ir::GlobalId function, const StreamOptions& options) {
  TimeAxes times;
  for (const StreamedInput& input : options.inputs) {
    times[module.globals[function].function()->params[input.param]] = input.time;
  }
  return times;
}

void SetFrames(ir::Context& context, ir::Module& module, ir::ValueId param, int axis,
               int64_t frames) {
  ir::Value& value = module.values[param];
  const auto* tensor = value.info->As<ir::TensorInfo>();
  std::vector<ir::PrimRef> dims = *tensor->dims();
  dims[static_cast<size_t>(axis)] = context.Int(frames);
  value.info = value.annotation = context.Tensor(std::move(dims), tensor->dtype);
}

absl::StatusOr<StreamedFunction> StreamNetwork(ir::Context& context, ir::Module& module,
                                               ir::GlobalId function, const StreamOptions& options,
                                               Diagnostics& diags) {
  const StreamPlan plan =
      PlanStream(context, module, function, InputTimes(module, function, options),
                 options.pads_at_start, diags);
  StreamedFunction streamed;
  if (diags.has_errors()) return streamed;
  for (ValueId value : plan.from_windows) {
    streamed.from_windows.push_back(module.values[value].name);
  }
  streamed.window = module;
  ir::Module padded = module;
  streamed.pads = PadAtStart(plan, *padded.globals[function].function());
  LATHE_ASSIGN_OR_RETURN(ir::AttrList first,
                         FirstFrames(context, padded, function, plan, options.arithmetic, diags));
  // A copy, since the writer adds functions. The infos of values are still those of the window.
  ir::Function f = *module.globals[function].function();
  StepWriter(context, module, plan).Write(f);
  for (const StreamedInput& input : options.inputs) {
    SetFrames(context, module, f.params[input.param], input.time.axis, input.time.step);
  }
  if (!first.empty()) f.attrs[ir::kState] = std::move(first);
  module.globals[function].def = std::move(f);
  RederiveInfo(context, module, diags);
  if (diags.has_errors()) return streamed;
  MarkDataflowVars(module);
  DeadCodeElimination(context, module);
  RederiveInfo(context, module, diags);
  return streamed;
}

}  // namespace lathe::transform
