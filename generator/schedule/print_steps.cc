#include "generator/schedule/print_steps.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/support/line_writer.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

class StepPrinter {
 public:
  explicit StepPrinter(const ir::Program& program) : program_(program), out_(2) {}

  std::string Print() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::Routine& routine = program_.routines[ir::RoutineId{i}];
      out_.Line(routine.name, "(", Call(routine.inputs, routine.sizes), ") -> (",
                Call(routine.outputs, {}), ")");
      Steps(routine.steps);
    }
    return out_.Take();
  }

 private:
  std::string Name(ir::TensorId id) const { return program_.tensors[id].name; }
  std::string Name(const ir::Part& part) const {
    return Match(
        part, [&](ir::TensorId id) { return Name(id); },
        [&](PrimRef scalar) { return ir::ToString(scalar); });
  }
  std::string Call(const std::vector<ir::Part>& parts, const std::vector<PrimRef>& scalars) const {
    std::vector<std::string> names;
    for (const ir::Part& part : parts) names.push_back(Name(part));
    std::string text = absl::StrJoin(names, ", ");
    names.clear();
    for (PrimRef scalar : scalars) names.push_back(ir::ToString(scalar));
    if (!names.empty()) absl::StrAppend(&text, "; ", absl::StrJoin(names, ", "));
    return text;
  }

  void Steps(const ir::Steps& steps) {
    LineWriter::Indent in(out_);
    for (const ir::Step& step : steps) Step(step);
  }

  void Step(const ir::Step& step) {
    Match(
        step.node,
        [&](const ir::KernelStep& s) {
          const ir::Kernel& kernel = program_.kernels[s.kernel];
          const std::vector<ir::Part> parts(s.tensors.begin(), s.tensors.end());
          out_.Line(kernel.name, "(", Call(parts, s.scalars), ")  # ",
                    absl::StrReplaceAll(kernel.origin, {{"\n", ", "}}));
        },
        [&](const ir::CopyStep& s) { out_.Line(Name(s.to), " = ", Name(s.from)); },
        [&](const ir::DefineStep& s) { out_.Line("let ", ir::ToString(s.var)); },
        [&](const ir::AssignStep& s) {
          out_.Line(ir::ToString(s.var), " = ", ir::ToString(s.value));
        },
        [&](const ir::DefinePointerStep& s) { out_.Line("let ", Name(s.pointer)); },
        [&](const ir::PointStep& s) { out_.Line(Name(s.pointer), " is ", Name(s.to)); },
        [&](const ir::ReserveStep& s) {
          std::vector<std::string> dims;
          for (PrimRef dim : program_.tensors[s.tensor].shape) dims.push_back(ir::ToString(dim));
          out_.Line("reserve ", Name(s.tensor), "[", absl::StrJoin(dims, ", "), "]");
        },
        [&](const ir::BindOutputStep& s) { out_.Line("give ", Name(s.to), " = ", Name(s.from)); },
        [&](const ir::ViewStep& s) {
          const ir::Tensor& view = program_.tensors[s.view];
          out_.Line(view.name, " = ", Name(view.base), " from byte ",
                    ir::ToString(view.byte_offset));
        },
        [&](const ir::FillStep& s) { out_.Line("fill ", Name(s.tensor)); },
        [&](const ir::ReadStep& s) {
          out_.Line(ir::ToString(s.var), " = ", Name(s.tensor), "[", absl::StrCat(s.index), "]");
        },
        [&](const ir::CheckStep& s) { out_.Line("check ", ir::ToString(s.cond)); },
        [&](const ir::AssertStep& s) { out_.Line("assert ", Name(s.cond)); },
        [&](const ir::BranchStep& s) {
          out_.Line("if ", Name(s.cond));
          Steps(s.then_steps);
          out_.Line("else");
          Steps(s.else_steps);
        },
        [&](const ir::CallStep& s) {
          out_.Line(program_.routines[s.routine].name, "(", Call(s.inputs, s.sizes), ") -> (",
                    Call(s.outputs, {}), ")");
        },
        [&](const ir::ReturnStep& s) {
          const std::vector<ir::Part> parts(s.tensors.begin(), s.tensors.end());
          out_.Line("return ", Call(parts, {}));
        },
        [&](const ir::PackedStep& s) {
          std::vector<ir::Part> args;
          for (const ir::Form& arg : s.args) ir::AppendParts(arg, args);
          out_.Line("packed ", s.function, "(", Call(args, {}), ") -> (",
                    Call(ir::PartsOf(s.result), {}), ")");
        },
        [&](const ir::TailCallStep& s) { out_.Line("again(", Call(s.inputs, {}), ")"); },
        [&](const ir::BoxStep& s) {
          out_.Line(Name(s.to), " keeps (", Call(ir::PartsOf(s.from), {}), ")",
                    s.function.valid() ? absl::StrCat(" for ", Name(s.function)) : "");
        },
        [&](const ir::UnboxStep& s) {
          out_.Line("open ", Name(s.value), " -> (", Call(ir::PartsOf(s.to), {}), ")");
        },
        [&](const ir::RankStep& s) {
          const std::string what = s.dtype.is_void() ? "shape" : ToString(s.dtype);
          out_.Line(ir::ToString(s.var), " = rank of ", Name(s.value), ", ", what);
        },
        [&](const ir::FunctionStep& s) {
          out_.Line(ir::ToString(s.var), " = function ", Name(s.value));
        },
        [&](const ir::WaitStep& s) {
          const std::vector<ir::Part> read(s.read.begin(), s.read.end());
          out_.Line(program_.devices[static_cast<size_t>(s.waits)].name, " waits for ",
                    program_.devices[static_cast<size_t>(s.on)].name,
                    read.empty() ? "" : absl::StrCat(", which has copied ", Call(read, {})));
        });
  }

  const ir::Program& program_;
  LineWriter out_;
};

}  // namespace

std::string PrintSteps(const ir::Program& program) { return StepPrinter(program).Print(); }

}  // namespace lathe::schedule
