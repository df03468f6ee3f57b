#include "generator/emit/c/print_routine.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/emit/c/current_device.h"
#include "generator/emit/c/kernel/drop_unread.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/pool_view.h"
#include "generator/emit/c/print_blocks.h"
#include "generator/emit/c/print_call_step.h"
#include "generator/emit/c/print_frame.h"
#include "generator/emit/c/print_guards.h"
#include "generator/emit/c/print_moves.h"
#include "generator/emit/c/print_packed.h"
#include "generator/emit/c/print_shared_memory.h"
#include "generator/emit/c/print_state.h"
#include "generator/emit/c/print_step_condition.h"
#include "generator/emit/c/print_tail_call_step.h"
#include "generator/emit/c/print_value_steps.h"
#include "generator/emit/text/comment_text.h"
#include "generator/schedule/finish/divide_run.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;
using ir::TensorId;

class RoutinePrinter {
 public:
  RoutinePrinter(Model& model, ir::RoutineId id, bool via_structs)
      : model_(model),
        dialect_(model.dialect),
        program_(model.program),
        routine_(model.program.routines[id]),
        frame_(model.plan.frames[id]),
        id_(id),
        via_structs_(via_structs),
        names_(model.name),
        scope_{model.context, model.needs, names_},
        frame_text_(model, id, scope_),
        moves_(model, scope_, frame_text_, current_),
        values_(model, scope_, moves_, AddressOf(model.arena(), frame_text_.free_offset())),
        guards_(model, id, frame_text_, moves_) {
    scope_.wide = true;
    for (const std::string& taken : NamesOfRoutines(model.plan)) (void)names_.Unique(taken);
    if (model_.HasState()) (void)names_.Unique(kStateMember);
    if (InParts()) (void)names_.Unique("part");  // a parameter
    for (const std::string& taken : dialect_.ReservedNames(model)) (void)names_.Unique(taken);
    for (const std::string& function : model_.externs) (void)names_.Unique(function);
  }

  absl::StatusOr<RoutineText> Print() {
    LATHE_ASSIGN_OR_RETURN(ports_, NamePorts(model_, id_, via_structs_, scope_, moves_));
    const std::vector<StatePointer> state = NameState(model_, routine_, scope_, moves_);
    text_.inputs = ports_.inputs;
    text_.outputs = ports_.outputs;
    LineWriter steps(2);
    LATHE_RETURN_IF_ERROR(InParts() ? Parts(steps) : Steps(routine_.steps, steps));
    for (const std::vector<std::string>* more : {&moves_.pointers(), &values_.defined()}) {
      locals_defined_.insert(locals_defined_.end(), more->begin(), more->end());
    }
    const std::string body = DropUnread(steps.Take(), locals_defined_);
    LATHE_ASSIGN_OR_RETURN(const std::string slots, frame_text_.CheckedSlots(body));
    LATHE_ASSIGN_OR_RETURN(std::string guards, guards_.OfFrame());
    if (InParts()) guards = InFirstPart(guards);
    const std::string round =
        absl::StrCat(StatePointers(state, body), slots, guards, frame_text_.pointers(), body);
    LineWriter head(2);
    Head(round, head);
    text_.body = head.Take() + (routine_.loops ? InLoop(round) : round);
    Signature();
    return std::move(text_);
  }

 private:
  bool InParts() const { return via_structs_ && !model_.PartsOf(id_).empty(); }

  static constexpr char kRegion[] = "region";
  // Returns the parameters for the remaining size of each pool. Returns none if the routine does
  // not check it.
  std::vector<std::string> RestsOfArena() const {
    if (model_.keeps.contains(id_)) return {kRegion};
    std::vector<std::string> rests;
    for (size_t i = 0; i < frame_.shares.size(); ++i) {
      if (frame_.shares[i].open) rests.push_back(model_.plan.pools[i].name + "_size");
    }
    return rests;
  }

  // Prints the variables of the function, and statements that mention unused parameters.
  void Head(const std::string& body, LineWriter& head) {
    const auto used = [&](const std::string& name) { return MentionsName(body, name); };
    if (via_structs_) {
      if (used("externs")) head.Line("const lathe_packed_fn *const externs = m->externs;");
      if (used("weights")) head.Line("const uint8_t *const weights = m->weights;");
      for (const plan::PoolUse& pool : model_.plan.pools) {
        if (used(pool.name)) head.Line("uint8_t *const ", pool.name, " = m->", pool.name, ";");
      }
      if (model_.HasState() && used(kStateMember)) head.Line("uint8_t *const state = m->state;");
      const std::string size = model_.arena_size();
      if (model_.makes_objects.contains(id_)) {  // another function begins and ends the run
        UseParameters({"m", "in", "out", "region"}, body, head);
      } else if (model_.keeps.contains(id_) && used("region")) {
        head.Line("lathe_region kept = lathe_region_of(m->", model_.arena(), ", m->", size, ");");
        head.Line("lathe_region *const region = &kept;");
      } else if (frame_.open && used(size)) {
        head.Line("const size_t ", size, " = m->", size, ";");
      }
    } else {
      for (const std::vector<Port>* ports : {&text_.inputs, &text_.outputs}) {
        for (const Port& port : *ports) {
          if (!port.local.empty()) continue;
          if (!used(port.name)) head.Line("(void)", port.name, ";");
        }
      }
      for (const std::string& pool : model_.PoolsOf(id_)) {
        if (!used(pool)) head.Line("(void)", pool, ";");
      }
      for (const std::string& rest : RestsOfArena()) {
        if (!used(rest)) head.Line("(void)", rest, ";");
      }
      if (model_.HasExternalWeights() && !used("weights")) head.Line("(void)weights;");
      for (const std::string& name : dialect_.LastArgs(model_)) {
        if (!used(name)) head.Line("(void)", name, ";");
      }
    }
    if (used("status")) head.Line("int status = LATHE_OK;");
    for (const Port& port : text_.inputs) {
      if (port.local.empty()) continue;
      head.Line(port.type, port.local, " = ", via_structs_ ? "in->" : "", port.name, ";");
      if (!used(port.local)) head.Line("(void)", port.local, ";");
    }
    if (InParts()) UseParameters({"m", "in", "out"}, body, head);
  }

  // Mentions parameters of a static function that nothing else mentions.
  static void UseParameters(std::vector<std::string> names, const std::string& body,
                            LineWriter& head) {
    const std::string all = head.text() + body;
    for (const std::string& name : names) {
      if (!MentionsName(all, name)) head.Line("(void)", name, ";");
    }
  }

  void Signature() {
    std::vector<std::string> params;
    if (model_.TakesExterns(id_)) params.push_back("const lathe_packed_fn *externs");
    if (model_.HasExternalWeights()) params.push_back("const uint8_t *weights");
    for (const std::string& pool : model_.PoolsOf(id_)) {
      params.push_back(absl::StrCat("uint8_t *", pool));
    }
    for (const std::string& rest : RestsOfArena()) {
      params.push_back(absl::StrCat(rest == kRegion ? "lathe_region *" : "size_t ", rest));
    }
    for (const std::vector<Port>* ports : {&text_.inputs, &text_.outputs}) {
      for (const Port& port : *ports) params.push_back(absl::StrCat(port.type, port.name));
    }
    for (std::string& param : dialect_.LastParams(model_, text_.outputs)) {
      params.push_back(std::move(param));
    }
    text_.signature = absl::StrCat("static int ", model_.routines[id_], "(",
                                   params.empty() ? "void" : absl::StrJoin(params, ", "), ")");
  }

  absl::Status Steps(absl::Span<const ir::Step> steps, LineWriter& out) {
    ++depth_;
    for (const ir::Step& step : steps) {
      const int number = number_++;
      const bool hooked =
          via_structs_ && depth_ == 1 && model_.steps.hooked() && schedule::Computes(step);
      if (hooked) out.Line("LATHE_ON_STEP(", number, "u);");
      guards_.Before(step, out);
      LATHE_RETURN_IF_ERROR(Step(step, out));
      LATHE_RETURN_IF_ERROR(guards_.After(step, out));
      if (hooked) out.Line("LATHE_AFTER_STEP(", number, "u);");
    }
    --depth_;
    return absl::OkStatus();
  }

  // Prints the parts of a run as cases.
  absl::Status Parts(LineWriter& out) {
    const absl::Span<const schedule::RunPart> parts = model_.PartsOf(id_);
    out.Line("switch (part) {");
    for (size_t i = 0; i < parts.size(); ++i) {
      out.Line("case ", i, "u: {");
      {
        LineWriter::Indent in(out);
        LATHE_RETURN_IF_ERROR(Steps(absl::MakeConstSpan(routine_.steps)
                                        .subspan(parts[i].begin, parts[i].end - parts[i].begin),
                                    out));
        out.Line("break;");
      }
      out.Line("}");
    }
    for (const char* line : {"default:", "  break;", "}"}) out.Line(line);
    return absl::OkStatus();
  }

  absl::Status Step(const ir::Step& step, LineWriter& out) {
    absl::Status reserved;
    ir::ForEachTensor(step, [&](TensorId id) {
      id = program_.Whole(id);
      if (program_.tensors[id].returned) return;  // allocated after the call
      if (reserved.ok()) reserved = frame_text_.Reserve(id, out);
    });
    LATHE_RETURN_IF_ERROR(reserved);
    return Match(
        step.node, [&](const ir::KernelStep& s) { return Kernel(s, out); },
        [&](const ir::CopyStep& s) { return moves_.Copy(s.from, s.to, out); },
        [&](const ir::DefineStep& s) -> absl::Status {
          const std::string name = names_.Unique(ir::ToString(s.var));
          scope_.vars[s.var] = {name, s.var->dtype()};
          if (CScalarType(s.var->dtype()).empty()) return CannotPrint(ir::ToString(s.var));
          out.Line(CScalarType(s.var->dtype()), " ", name, " = ", CZero(s.var->dtype()), ";");
          locals_defined_.push_back(name);
          return absl::OkStatus();
        },
        [&](const ir::AssignStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope_, s.value));
          out.Line(scope_.vars.at(s.var).name, " = ", value, ";");
          return absl::OkStatus();
        },
        [&](const ir::DefinePointerStep& s) { return moves_.DefinePointer(s.pointer, out); },
        [&](const ir::PointStep& s) { return moves_.Point(s.pointer, s.to, out); },
        [&](const ir::ReserveStep& s) {
          const TensorId whole = program_.Whole(s.tensor);
          const auto output = ports_.capacities.find(whole);
          if (output == ports_.capacities.end()) return frame_text_.Reserve(s.tensor, out);
          return moves_.GiveSizes(s.tensor, whole, output->second, out);
        },
        [&](const ir::BindOutputStep& s) -> absl::Status {
          LATHE_RETURN_IF_ERROR(moves_.GiveSizes(s.from, s.to, ports_.capacities.at(s.to), out));
          return moves_.Copy(s.from, s.to, out);
        },
        [&](const ir::ViewStep& s) { return moves_.View(s.view, out); },
        [&](const ir::FillStep& s) { return moves_.Fill(s.tensor, out); },
        [&](const ir::ReadStep& s) -> absl::Status {
          const std::string name = names_.Unique(ir::ToString(s.var));
          scope_.vars[s.var] = {name, s.var->dtype()};
          LATHE_ASSIGN_OR_RETURN(std::string from, moves_.Spell(s.tensor));
          if (absl::StartsWith(from, "(")) from = absl::StrCat("(", from, ")");  // a cast
          const ElementRead element = {program_.tensors[s.tensor], from, s.index, name};
          const std::string read = dialect_.Read(model_, names_, element, out).text;
          if (read != name) {
            out.Line("const ", CScalarType(s.var->dtype()), " ", name, " = ", read, ";");
          }
          return absl::OkStatus();
        },
        [&](const ir::CheckStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string wrong, PrintCViolation(scope_, s.cond));
          out.Line("if (", wrong, ") { /* ", CommentText(s.what), " */");
          out.Line("  return LATHE_E_SHAPE;");
          out.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::AssertStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string wrong, Condition(s.cond, false, out));
          out.Line("if (", wrong, ") {");
          out.Line("  return LATHE_E_FAILED;");
          out.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::BranchStep& s) { return Branch(s, "if (", out); },
        [&](const ir::CallStep& s) { return Call(s, out); },
        [&](const ir::ReturnStep& s) { return moves_.Return(s.tensors, out); },
        [&](const ir::PackedStep& s) {
          const int device = program_.tensors[s.memory].device;
          current_.Forget();
          dialect_.UseDevice(current_, device, out);
          current_.Forget();  // the function may change the current device
          return PrintPackedStep(
              model_, id_, scope_, frame_text_, s, [this](TensorId t) { return moves_.Spell(t); },
              out);
        },
        [&](const ir::TailCallStep& s) {
          return PrintTailCallStep(
              routine_, scope_, moves_, names_, s,
              [this](const ir::Part& part) { return Argument(part); }, out);
        },
        [&](const ir::BoxStep& s) { return values_.Keep(s, out); },
        [&](const ir::UnboxStep& s) { return values_.Open(s, out); },
        [&](const ir::RankStep& s) { return values_.Rank(s, out); },
        [&](const ir::FunctionStep& s) { return values_.Function(s, out); },
        [&](const ir::WaitStep& s) -> absl::Status {
          dialect_.Wait(s, out);
          return absl::OkStatus();
        });
  }

  absl::Status Branch(const ir::BranchStep& s, absl::string_view opening, LineWriter& out) {
    LATHE_ASSIGN_OR_RETURN(const std::string cond, Condition(s.cond, true, out));
    out.Line(opening, cond, ") {");
    const int current = current_.known();
    {
      LineWriter::Indent in(out);
      LATHE_RETURN_IF_ERROR(Steps(s.then_steps, out));
    }
    current_.Set(current);
    const auto* next =
        s.else_steps.size() == 1 ? std::get_if<ir::BranchStep>(&s.else_steps[0].node) : nullptr;
    if (next != nullptr && std::holds_alternative<PrimRef>(next->cond)) {
      return Branch(*next, "} else if (", out);
    }
    out.Line("} else {");
    {
      LineWriter::Indent in(out);
      LATHE_RETURN_IF_ERROR(Steps(s.else_steps, out));
    }
    out.Line("}");
    current_.Forget();
    return absl::OkStatus();
  }

  // Prints the condition under which a branch is taken or, if `holds` is false, is not.
  absl::StatusOr<std::string> Condition(const ir::Part& part, bool holds, LineWriter& out) {
    return PrintStepCondition({model_, dialect_, names_, scope_, moves_}, part, holds, out);
  }

  absl::Status Kernel(const ir::KernelStep& s, LineWriter& out) {
    const PrintedKernel& kernel = model_.kernels[s.kernel];
    std::vector<std::string> args;
    for (size_t i = 0; i < s.tensors.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(args.emplace_back(), moves_.Spell(s.tensors[i]));
      if (kernel.writes[i]) {
        LATHE_RETURN_IF_ERROR(dialect_.BeforeWrite(moves_, s.tensors[i], out));
      }
    }
    PrintSharedMemory(program_, frame_, s, kernel.writes, args, out);
    for (size_t i = 0; i < s.scalars.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintScalarFor(kernel, i, scope_, s.scalars[i]));
    }
    const int device = program_.DeviceOf(s);
    dialect_.UseDevice(current_, device, out);
    dialect_.CallKernel(model_, {kernel, std::move(args), device}, out);
    return absl::OkStatus();
  }

  absl::Status Call(const ir::CallStep& s, LineWriter& out) {
    LATHE_RETURN_IF_ERROR(PrintCallStep(
        model_, id_, scope_, frame_text_, s, next_call_,
        [this](const ir::Part& part) { return Argument(part); }, out));
    guards_.AfterCall(s, next_call_++, out);
    current_.Forget();
    for (TensorId id : s.returned) LATHE_RETURN_IF_ERROR(frame_text_.Reserve(id, out));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Argument(const ir::Part& part) {
    if (const auto* id = std::get_if<TensorId>(&part)) return moves_.Spell(*id);
    return PrintCExpr(scope_, std::get<PrimRef>(part));
  }

  Model& model_;
  const RoutineDialect& dialect_;
  const ir::Program& program_;
  const ir::Routine& routine_;
  const plan::Frame& frame_;
  const ir::RoutineId id_;
  const bool via_structs_;
  CNames names_;  // of parameters and locals
  CScope scope_;
  FrameText frame_text_;
  CurrentDevice current_;
  MovePrinter moves_;
  ValueStepPrinter values_;
  GuardPrinter guards_;
  RoutineText text_;
  Ports ports_;
  std::vector<std::string> locals_defined_;  // by DefineSteps
  size_t next_call_ = 0;
  int number_ = 0, depth_ = 0;  // of the next step as ir::ForEachStep counts; of branches
};

}  // namespace

absl::StatusOr<RoutineText> PrintRoutine(Model& model, ir::RoutineId id, bool via_structs) {
  return RoutinePrinter(model, id, via_structs).Print();
}

}  // namespace lathe::emit
