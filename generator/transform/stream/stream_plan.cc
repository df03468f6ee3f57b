#include "generator/transform/stream/stream_plan.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ir/op.h"
#include "generator/ir/packed_elements.h"
#include "generator/ops/args/reshape_like.h"
#include "generator/transform/stream/stream_rules.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

// Operators of one tensor and constants that are repeated for older frames if their operand is
// narrower than their result.
constexpr absl::string_view kWidening[] = {"relax.add", "relax.astype", "relax.dequantize",
                                           "relax.multiply", "relax.subtract"};

class StreamPlanner {
 public:
  StreamPlanner(ir::Context& context, ir::Module& module, const TimeAxes& inputs,
                bool pads_at_start, Diagnostics& diags)
      : context_(context), module_(module), pads_at_start_(pads_at_start), diags_(diags) {
    plan_.times = inputs;
  }

  StreamPlan Run(const ir::Function& f) {
    for (ValueId param : f.params) {
      if (!plan_.times.contains(param)) varying_.insert(param);
    }
    for (const ir::Block& block : f.body.blocks) {
      for (const ir::Binding& binding : block.bindings) Visit(binding);
    }
    if (diags_.has_errors()) return std::move(plan_);
    for (const ir::Block& block : f.body.blocks) {
      for (const ir::Binding& binding : block.bindings) RequireOperands(binding);
    }
    ir::ForEachLeaf(f.body.result, [&](const Operand& leaf) { RequireNew(leaf); });
    return std::move(plan_);
  }

 private:
  bool IsMoving(const Operand& leaf) const {
    const auto* id = leaf.As<ValueId>();
    return id != nullptr && (plan_.times.contains(*id) || fields_.contains(*id));
  }

  template <typename Test>
  static bool AnyLeaf(const ir::Rhs& rhs, Test test) {
    bool found = false;
    ir::ForEachOperand(rhs, [&](const Operand& operand) {
      ir::ForEachLeaf(operand, [&](const Operand& leaf) { found = found || test(leaf); });
    });
    return found;
  }

  bool IsIn(const absl::flat_hash_set<ValueId>& set, const Operand& leaf) const {
    const auto* id = leaf.As<ValueId>();
    return id != nullptr && set.contains(*id);
  }

  void Refuse(const ir::Binding& binding, absl::string_view op, absl::string_view why,
              absl::string_view help = "") {
    failed_.insert(binding.var);
    DiagnosticBuilder error = diags_.Unsupported(binding.loc, "cannot-stream");
    error << "'" << module_.values[binding.var].name << "' (" << op << ") " << why;
    if (!help.empty()) std::move(error).Help(help);
  }

  // Sets the time axis of the result of each binding.
  void Visit(const ir::Binding& binding) {
    if (AnyLeaf(binding.rhs, [&](const Operand& leaf) { return IsIn(failed_, leaf); })) {
      failed_.insert(binding.var);
      return;
    }
    if (!AnyLeaf(binding.rhs, [&](const Operand& leaf) { return IsMoving(leaf); })) {
      // A body of its own may use any value.
      const bool has_body = std::holds_alternative<ir::If>(binding.rhs) ||
                            std::holds_alternative<ir::Function>(binding.rhs);
      if (has_body) {
        Refuse(binding, "a branch or a local function",
               "is not streamed; supported: calls of operators");
      } else if (AnyLeaf(binding.rhs, [&](const Operand& leaf) { return IsIn(varying_, leaf); })) {
        varying_.insert(binding.var);
      }
      return;
    }
    Match(
        binding.rhs, [&](const Operand& operand) { VisitOperand(binding, operand); },
        [&](const ir::Call& call) { VisitCall(binding, call); },
        [&](const ir::GetField& get) { VisitField(binding, get); },
        [&](const auto&) {
          Refuse(binding, "a branch or a cast", "is not streamed; supported: calls of operators");
        });
  }

  void VisitOperand(const ir::Binding& binding, const Operand& operand) {
    if (const auto* id = operand.As<ValueId>()) {
      if (const auto time = plan_.times.find(*id); time != plan_.times.end()) {
        plan_.times.emplace(binding.var, TimeAxis(time->second));
      } else {
        fields_[binding.var] = std::vector(fields_.at(*id));
      }
      return;
    }
    std::vector<std::optional<TimeAxis>> fields;
    for (const Operand& field : operand.As<ir::TupleExpr>()->fields) {
      const auto* id = field.As<ValueId>();
      const auto time = id == nullptr ? plan_.times.end() : plan_.times.find(*id);
      fields.push_back(time == plan_.times.end() ? std::nullopt
                                                 : std::optional<TimeAxis>(time->second));
    }
    fields_[binding.var] = std::move(fields);
  }

  void VisitField(const ir::Binding& binding, const ir::GetField& get) {
    const auto* id = get.tuple.As<ValueId>();
    const auto fields = id == nullptr ? fields_.end() : fields_.find(*id);
    if (fields == fields_.end() || get.index >= std::ssize(fields->second)) {
      Refuse(binding, "a field", "of an unknown tuple");
    } else if (const auto& time = fields->second[get.index]) {
      plan_.times[binding.var] = *time;
    } else {
      varying_.insert(binding.var);
    }
  }

  void VisitCall(const ir::Binding& binding, const ir::Call& call) {
    const ir::Op* op = call.op();
    if (op == nullptr) {
      Refuse(binding, "a call of a function", "is not streamed; supported: calls of operators");
      return;
    }
    const std::string name = absl::StrCat("R.", absl::StripPrefix(op->name, "relax."));
    const StreamRule rule = FindStreamRule(op->name);
    if (rule == nullptr) {
      Refuse(binding, name, "has no rule for frames that move along time",
             absl::StrCat("operators with a rule: ", StreamedOperators()));
      return;
    }
    const ir::StructInfoRef info = module_.values[binding.var].info;
    const bool is_tuple = info != nullptr && info->As<ir::TupleInfo>() != nullptr;
    const auto dims = StaticDims(info);
    if (!is_tuple && !dims) {
      Refuse(binding, name, "has no constant sizes; supported: sizes that -D or the model sets");
      return;
    }
    if (dims && absl::c_linear_search(*dims, 0)) {
      Refuse(binding, name, "has no elements; supported: frames with elements");
      return;
    }
    if (dims && ir::IsPacked(info->As<ir::TensorInfo>()->dtype)) {
      Refuse(binding, name, "has elements smaller than a byte; supported: whole bytes");
      return;
    }
    auto streamed = rule({context_, module_, call, info, plan_.times, pads_at_start_});
    if (!streamed.ok()) {
      Refuse(binding, name, streamed.status().message());
      if (pads_at_start_) return;
      // Other calls are checked as if this one padded at the start.
      streamed = rule({context_, module_, call, info, plan_.times, /*pads_at_start=*/true});
      if (!streamed.ok()) return;
      failed_.erase(binding.var);
    }
    if (!streamed->time) {
      varying_.insert(binding.var);
      plan_.from_windows.push_back(binding.var);
    } else if (const Operand* fixed = FirstVarying(call)) {
      Refuse(binding, name,
             absl::StrCat("combines frames with '", module_.values[*fixed->As<ValueId>()].name,
                          "', which is another one in each step; supported: constants and values "
                          "that move along time"));
      return;
    } else if (is_tuple) {
      std::vector<std::optional<TimeAxis>> fields(info->As<ir::TupleInfo>()->fields.size(),
                                                  streamed->time);
      for (size_t k = 1; k < fields.size() && streamed->first_field; ++k) fields[k].reset();
      fields_[binding.var] = std::move(fields);
    } else {
      plan_.times[binding.var] = *streamed->time;
    }
    PlannedCall planned{*std::move(streamed), std::nullopt};
    planned.narrower = NarrowerOf(binding.var, call, planned.streamed);
    plan_.calls.emplace(binding.var, std::move(planned));
  }

  const Operand* FirstVarying(const ir::Call& call) const {
    const Operand* found = nullptr;
    for (const Operand& arg : call.args) {
      ir::ForEachLeaf(arg, [&](const Operand& leaf) {
        if (found == nullptr && IsIn(varying_, leaf)) found = &leaf;
      });
    }
    return found;
  }

  int BitsOf(ValueId id) const {
    const auto* tensor = module_.values[id].info->As<ir::TensorInfo>();
    return tensor == nullptr ? 0 : tensor->dtype.bits;
  }

  std::optional<ValueId> NarrowerOf(ValueId var, const ir::Call& call,
                                    const StreamedCall& streamed) const {
    if (!streamed.each_frame || !streamed.time) return std::nullopt;
    const auto* source = call.args[0].As<ValueId>();
    const auto moving = [&](const Operand& arg) { return IsMoving(arg); };
    if (source == nullptr || !plan_.times.contains(*source)) return std::nullopt;
    if (std::count_if(call.args.begin(), call.args.end(), moving) != 1) return std::nullopt;
    // Reshapes are repeated for older frames.
    if (ops::IsReshapeLike(call.op()->name)) return *source;
    if (!absl::c_linear_search(kWidening, call.op()->name)) return std::nullopt;
    ValueId root = *source;
    for (auto at = plan_.calls.find(root); at != plan_.calls.end() && at->second.narrower;
         at = plan_.calls.find(root)) {
      root = *at->second.narrower;
    }
    return BitsOf(root) < BitsOf(var) ? std::optional<ValueId>(*source) : std::nullopt;
  }

  // Records the frames that each call needs.
  void RequireOperands(const ir::Binding& binding) {
    const auto planned = plan_.calls.find(binding.var);
    const bool repeats = planned != plan_.calls.end() && planned->second.narrower;
    if (repeats) return;  // where it is read
    ir::ForEachOperand(binding.rhs, [&](const Operand& operand) {
      ir::ForEachLeaf(operand, [&](const Operand& leaf) {
        const auto* id = leaf.As<ValueId>();
        const auto time = id == nullptr ? plan_.times.end() : plan_.times.find(*id);
        if (time == plan_.times.end()) return;
        if (planned == plan_.calls.end()) {
          RequireNew(leaf);
        } else {
          Require(*id, FramesRead(planned->second.streamed, time->second));
        }
      });
    });
  }

  void RequireNew(const Operand& leaf) {
    const auto* id = leaf.As<ValueId>();
    const auto time = id == nullptr ? plan_.times.end() : plan_.times.find(*id);
    if (time != plan_.times.end()) Require(*id, {time->second.step, 0, std::nullopt});
  }

  void Require(ValueId id, const ReadFrames& read) {
    const auto call = plan_.calls.find(id);
    if (call != plan_.calls.end() && call->second.narrower && !read.before) {
      Require(*call->second.narrower, read);
      return;
    }
    const int64_t older = OlderFrames(plan_.times.at(id), read.window, read.tail);
    if (older <= 0) return;
    int64_t& kept = plan_.histories[{id, read.before}];
    kept = std::max(kept, older);
  }

  ir::Context& context_;
  ir::Module& module_;
  const bool pads_at_start_;
  Diagnostics& diags_;
  StreamPlan plan_;
  absl::flat_hash_map<ValueId, std::vector<std::optional<TimeAxis>>> fields_;  // of tuples
  // Values of another kind than constants, which do not move along time.
  absl::flat_hash_set<ValueId> varying_;
  absl::flat_hash_set<ValueId> failed_;
};

}  // namespace

ReadFrames FramesRead(const StreamedCall& streamed, const TimeAxis& operand) {
  if (streamed.window == kAllFrames) return {operand.length, 0, std::nullopt};
  const bool beyond = streamed.window + streamed.tail > operand.length;
  return {streamed.window, streamed.tail, beyond ? streamed.before : std::nullopt};
}

StreamPlan PlanStream(ir::Context& context, ir::Module& module, ir::GlobalId function,
                      const TimeAxes& inputs, bool pads_at_start, Diagnostics& diags) {
  const ir::Function f = *module.globals[function].function();
  return StreamPlanner(context, module, inputs, pads_at_start, diags).Run(f);
}

}  // namespace lathe::transform
