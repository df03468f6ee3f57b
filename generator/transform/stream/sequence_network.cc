#include "generator/transform/stream/sequence_network.h"

#include <utility>
#include <vector>

#include "generator/support/check.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/stream/stream_plan.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

class SequenceWriter {
 public:
  SequenceWriter(ir::Context& context, ir::Module& module, const StreamPlan& plan, int64_t steps)
      : context_(context), module_(module), plan_(plan), steps_(steps) {}

  void Write(ir::Function& f) {
    for (ir::Block& block : f.body.blocks) {
      std::vector<ir::Binding> bindings = std::move(block.bindings);
      block.bindings = {};
      for (ir::Binding& binding : bindings) {
        const auto planned = plan_.calls.find(binding.var);
        if (planned != plan_.calls.end()) {
          EmitOps emit(module_, block.bindings, block.dataflow, binding.loc);
          binding.rhs = CallOn(planned->second.streamed, emit);
        }
        if (planned != plan_.calls.end() || plan_.times.contains(binding.var)) {
          module_.values[binding.var].annotation = nullptr;
        }
        block.bindings.push_back(std::move(binding));
      }
    }
    f.ret = nullptr;
  }

 private:
  int64_t LengthOf(const TimeAxis& time) const { return time.length + steps_ * time.step; }

  ir::Call CallOn(const StreamedCall& streamed, EmitOps& emit) {
    const int64_t frames = streamed.time ? LengthOf(*streamed.time) : streamed.frames;
    ir::Call call = streamed.make(frames);
    for (Operand& arg : call.args) {
      if (auto* tuple = arg.As<ir::TupleExpr>()) {
        for (Operand& field : tuple->fields) field = Read(streamed, frames, field, emit);
      } else {
        arg = Read(streamed, frames, arg, emit);
      }
    }
    return call;
  }

  // Returns the frames of `leaf` that a call for `frames` frames of its result reads.
  Operand Read(const StreamedCall& streamed, int64_t frames, const Operand& leaf, EmitOps& emit) {
    const auto* id = leaf.As<ValueId>();
    const auto found = id == nullptr ? plan_.times.end() : plan_.times.find(*id);
    if (found == plan_.times.end()) return leaf;
    const TimeAxis& time = found->second;
    ReadFrames read = FramesRead(streamed, time);
    if (streamed.time) {
      read.window += (frames - streamed.frames) * time.step / streamed.time->step;
      read.before = streamed.before;
    }
    const int64_t missing = read.window + read.tail - LengthOf(time);
    if (missing <= 0) return Slice(leaf, time, -missing, -missing + read.window, emit);
    LATHE_CHECK(read.before.has_value(), "only padding reads before a sequence");
    const auto* tensor = module_.values[*id].info->As<ir::TensorInfo>();
    std::vector<int64_t> widths(2 * tensor->dims()->size(), 0);
    widths[2 * static_cast<size_t>(time.axis)] = missing;
    const Operand padded =
        emit.Op("relax.nn.pad", {leaf},
                {{"pad_width", IntList(widths)}, {"pad_value", ir::AttrValue(*read.before)}});
    return read.tail == 0 ? padded : Slice(padded, time, 0, read.window, emit);
  }

  Operand Slice(const Operand& of, const TimeAxis& time, int64_t begin, int64_t end,
                EmitOps& emit) {
    if (begin == 0 && end == LengthOf(time)) return of;
    const auto tuple = [&](int64_t number) {
      return Operand{ir::TupleExpr{{{ir::PrimValue{context_.Int(number)}}}}};
    };
    return emit.Op("relax.strided_slice",
                   {of, tuple(time.axis), tuple(begin), tuple(end), tuple(1)});
  }

  ir::Context& context_;
  ir::Module& module_;
  const StreamPlan& plan_;
  const int64_t steps_;
};

}  // namespace

ir::Module SequenceNetwork(ir::Context& context, const ir::Module& window, ir::GlobalId function,
                           const StreamOptions& options, int64_t steps, Diagnostics& diags) {
  ir::Module module = window;
  const StreamPlan plan =
      PlanStream(context, module, function, InputTimes(module, function, options),
                 options.pads_at_start, diags);
  if (diags.has_errors()) return module;
  ir::Function f = *module.globals[function].function();
  SequenceWriter(context, module, plan, steps).Write(f);
  for (const StreamedInput& input : options.inputs) {
    SetFrames(context, module, f.params[input.param], input.time.axis,
              input.time.length + steps * input.time.step);
  }
  module.globals[function].def = std::move(f);
  MarkDataflowVars(module);
  RederiveInfo(context, module, diags);
  return module;
}

}  // namespace lathe::transform
