// The lowered form: kernels in TIR, and routines that call them over tensors, first order and with
// every size either a number or an expression of the routine's own scalars.
//
//   main(n; x, y) -> out
//     t = add(x, y; n)
//     out = exp(t; n)
#ifndef LATHE_IR_PROGRAM_H_
#define LATHE_IR_PROGRAM_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/form.h"
#include "generator/ir/kernel_form.h"
#include "generator/ir/module.h"
#include "generator/ir/tir.h"
#include "generator/support/ids.h"
#include "generator/support/match.h"

namespace lathe::ir {

using KernelId = Id<struct KernelTag>;
using RoutineId = Id<struct RoutineTag>;

// The scope of a buffer without dimensions that is a variable of the kernel.
inline constexpr char kRegisterScope[] = "register";

// What a tensor is made of whose one element is a value of any structure, a lathe_value in C: which
// tensor, tuple or function it is only the run knows.
inline constexpr DType kValueDType = DType::Make(TypeCode::kHandle, 0, 1);
// Room for one, on every target.
inline constexpr int64_t kValueBytes = 40;

// Where the bytes of a tensor are.
enum class Home {
  kInput,     // the caller's, read
  kOutput,    // the caller's, written
  kConstant,  // in the generated source
  kArena,     // planned
  kView,      // those of another tensor
  kKept,      // at the far end of the arena, until the run ends
  kPointer,   // those of one of several tensors, whichever a PointStep said last
};

struct Tensor {
  std::string name;
  DType dtype;
  std::vector<PrimRef> shape;  // int64, over the scalars of the routine
  Home home = Home::kArena;
  ConstantId constant;                        // for kConstant
  TensorId base;                              // for kView
  PrimRef byte_offset = nullptr;              // for a view that a ViewStep makes: where it starts
  std::optional<int64_t> most_elements = {};  // however large the sizes are, where that is known
  // Where sizes are known only in the middle of a run: the largest, over the scalars that it begins
  // with. Empty where there is no such bound.
  std::vector<PrimRef> most_shape = {};
  TensorId sizes = {};     // for kOutput: an output that its sizes become, where the data says them
  bool written = false;    // for kPointer: what it points to may be written into
  bool returned = false;   // for kArena: a call leaves it behind all that there is
  std::string scope = {};  // for kArena: the memory that the program wants it in; empty: any
  VDeviceRef vdevice = nullptr;  // where the program says that it lies; null: it does not
  int device = 0;                // among Program::devices, where there are several

  // The number of elements; nothing when a dimension is not known before it runs.
  std::optional<int64_t> elements() const;
  std::optional<int64_t> bytes() const;
  bool is_value() const { return dtype == kValueDType; }
  // What it takes at most; nothing when there is no bound.
  std::optional<int64_t> most_bytes() const;
};

// A loop nest that is called with a tensor for each buffer parameter, in order, and a value for
// each scalar one. What it allocates for itself are its last buffers.
struct Kernel {
  std::string name;
  PrimFunc func;
  std::vector<BufferRef> buffers;  // the parameters that are tensors, and its own after them
  std::vector<PrimRef> scalars;    // declared before they are used: sizes of buffers, parameters
  std::string origin;              // what it comes from, for the comment above it
  std::optional<KernelForm> form = {};  // nothing: the loops of `func` as they stand
  bool on_host = false;                 // its steps are the host's, among devices
};

struct Step;
using Steps = std::vector<Step>;

struct KernelStep {
  KernelId kernel;
  std::vector<TensorId> tensors;
  std::vector<PrimRef> scalars;
};
// From one device to another where they are on different ones: the device of `to` copies.
struct CopyStep {
  TensorId from;
  TensorId to;
};
// What device `waits` does from here on comes after all that `on` was to do before.
struct WaitStep {
  int waits = 0;
  int on = 0;
  std::vector<TensorId> read = {};  // by copies that are done then: they may be written again
};
// A scalar of the routine that the branches behind it assign.
struct DefineStep {
  PrimRef var = nullptr;
};
struct AssignStep {
  PrimRef var = nullptr;
  PrimRef value = nullptr;
};
// A pointer of the routine that the branches behind it set.
struct DefinePointerStep {
  TensorId pointer;
};
struct PointStep {
  TensorId pointer;
  TensorId to;
};
// From here on the sizes of a tensor are known: one of the arena finds its place, one that is an
// output of any size gives them to the caller, who may have no room for it: LATHE_E_MEMORY then.
struct ReserveStep {
  TensorId tensor;
};
// The same for such an output whose elements are somewhere else.
struct GiveStep {
  TensorId from;
  TensorId to;
};
// The tensor becomes another name for a part of the bytes of its base.
struct ViewStep {
  TensorId view;
};
// Memory that a program asks for: all ones, as the interpreter has it, whatever was there.
struct FillStep {
  TensorId tensor;
};
// var = tensor[index], where a program looks at data.
struct ReadStep {
  PrimRef var = nullptr;
  TensorId tensor;
  int64_t index = 0;
};
// Ends the run with LATHE_E_SHAPE unless `cond` holds.
struct CheckStep {
  PrimRef cond = nullptr;
  std::string what;  // for the comment: "match_cast of y: m == n"
};
// Ends the run with LATHE_E_FAILED unless the scalar, or the tensor's element, is true.
struct AssertStep {
  Part cond;
  std::string message;
};
struct BranchStep {
  Part cond;  // a scalar, or a tensor of one element
  Steps then_steps;
  Steps else_steps;
};
struct CallStep {
  RoutineId routine;
  std::vector<Part> inputs;   // in the order of the routine's
  std::vector<Part> outputs;  // tensors that are written, variables that are assigned
  std::vector<PrimRef> sizes;
  std::vector<TensorId> returned = {};  // what the routine's ReturnStep leaves, in that order
};
// Leaves tensors, whose sizes only this routine knows, where its part of the arena begins, one
// behind the other: its caller's from here on.
struct ReturnStep {
  std::vector<TensorId> tensors;
};
// A call of a function from outside, with the signature of lathe_packed_fn
// (include/lathe/extern.h).
struct PackedStep {
  std::string function;  // its name in the program: "lathe.ccl.allreduce"
  std::vector<Form> args;
  Form result;      // what it gives is copied to these tensors and assigned to these variables
  TensorId memory;  // bytes for what the function makes
  bool writes_args = false;           // it may write into the tensors it is given
  std::vector<TensorId> writes = {};  // those among them that it writes in any case
};
// Starts the routine over, at its end, with these inputs: a call of itself in its place.
struct AgainStep {
  std::vector<Part> inputs;  // in the order of the routine's
};
// `to` becomes the value that `from` is. What it consists of is copied to where it stays until the
// run ends; values among it are there already.
struct KeepStep {
  Form from;
  TensorId to;
  // Where it is one, a function that only the run knows: `to` becomes a function that is given the
  // fields of `from`, a tuple, behind its arguments and before what `function` keeps itself.
  TensorId function = {};
};
// Ends the run with LATHE_E_SHAPE unless `value` is of the structure of `to`, whose pointers and
// variables begin here: they are its parts. Of a tensor of no dtype only the sizes begin.
struct OpenStep {
  TensorId value;
  Form to;
};
// var = the rank of the tensor that `value` is, or of the shape where `dtype` is none; -1 where it
// is something else, or of another dtype.
struct RankStep {
  PrimRef var = nullptr;
  TensorId value;
  DType dtype;
};
// var = the number, among Program::functions, of the function that `value` is; -1 where it is none.
struct FunctionStep {
  PrimRef var = nullptr;
  TensorId value;
};
struct Step {
  using Node = std::variant<KernelStep, CopyStep, DefineStep, AssignStep, DefinePointerStep,
                            PointStep, ReserveStep, GiveStep, ViewStep, FillStep, ReadStep,
                            CheckStep, AssertStep, BranchStep, CallStep, ReturnStep, PackedStep,
                            AgainStep, KeepStep, OpenStep, RankStep, FunctionStep, WaitStep>;
  Node node;
  Location loc;
};

// low <= var <= high, where high may be the largest int64.
struct Range {
  PrimRef var = nullptr;
  int64_t low = 0;
  int64_t high = 0;
};

// var <= most, which is over the scalars that the routine begins with.
struct AtMost {
  PrimRef var = nullptr;
  PrimRef most = nullptr;
};

// A function of the module. What it gives back is written where its caller says.
struct Routine {
  std::string name;
  bool exported = false;
  bool recursive = false;
  std::vector<Part> inputs;    // variables of shapes and scalars stand for themselves
  std::vector<PrimRef> sizes;  // the shape variables of its tensors that are no inputs
  std::vector<Part> outputs;
  std::vector<Form> params;  // what the inputs and the outputs are together
  Form result;
  std::vector<std::string> input_names;  // parallel to inputs
  std::vector<std::string> output_names;
  Steps steps;
  std::vector<Range> ranges;      // of inputs and sizes, what the function declares
  std::vector<AtMost> at_most;    // of sizes that the data says
  bool loops = false;             // it has an AgainStep
  std::vector<TensorId> carried;  // of a loop, for each input: where it lies in later rounds, if
                                  // it is a tensor that changes
};

// Where tensors lie and steps run, each in an order of its own.
struct Device {
  std::string name;  // "cuda:1", or "host"
  bool is_host = false;
  int index = 0;  // that the program gives it among those of its kind
};

struct Program {
  IdVector<ConstantId, Constant> constants;  // those of the module, and others made of them
  IdVector<TensorId, Tensor> tensors;
  IdVector<KernelId, Kernel> kernels;
  std::map<std::string, PrimFunc> callees;  // that kernels call, by the names they call them by
  IdVector<RoutineId, Routine> routines;
  // Those that values may be, by number: GlobalIds and ExternFuncs.
  std::vector<Form> functions;
  std::vector<Device> devices = {};  // where it runs on more than one; else none

  // The tensor whose bytes `id` is made of: itself, unless it is a view.
  TensorId Whole(TensorId id) const {
    while (tensors[id].home == Home::kView) id = tensors[id].base;
    return id;
  }
  // A tensor for each constant that steps mention, in order.
  std::vector<TensorId> ConstantsInUse() const;
  // Where a kernel runs: where its tensors lie.
  int DeviceOf(const KernelStep& step) const {
    return step.tensors.empty() ? 0 : tensors[step.tensors.front()].device;
  }
};

// Calls `visit(PrimFunc&)` for those of the kernels, and those that they call.
template <typename F>
void ForEachPrimFunc(Program& program, F visit) {
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    visit(program.kernels[KernelId{i}].func);
  }
  for (auto& [name, func] : program.callees) visit(func);
}

// Calls `visit(const Step&)` for all steps, those of branches after the branch itself.
template <typename F>
void ForEachStep(const Steps& steps, F visit) {
  for (const Step& step : steps) {
    visit(step);
    if (const auto* branch = std::get_if<BranchStep>(&step.node)) {
      ForEachStep(branch->then_steps, visit);
      ForEachStep(branch->else_steps, visit);
    }
  }
}

// Calls `visit(TensorId)` for the tensors that the step itself uses, not those of its branches.
template <typename F>
void ForEachTensor(const Step& step, F visit) {
  const auto part = [&](const Part& p) {
    if (const auto* id = std::get_if<TensorId>(&p)) visit(*id);
  };
  const auto parts = [&](const std::vector<Part>& all) {
    for (const Part& p : all) part(p);
  };
  Match(
      step.node,
      [&](const KernelStep& s) {
        for (TensorId id : s.tensors) visit(id);
      },
      [&](const CopyStep& s) {
        visit(s.from);
        visit(s.to);
      },
      [](const DefineStep&) {}, [](const AssignStep&) {}, [](const DefinePointerStep&) {},
      [&](const PointStep& s) { visit(s.to); }, [](const ReserveStep&) {},
      [&](const GiveStep& s) {
        visit(s.from);
        visit(s.to);
      },
      [&](const ViewStep& s) { visit(s.view); }, [&](const FillStep& s) { visit(s.tensor); },
      [&](const ReadStep& s) { visit(s.tensor); }, [](const CheckStep&) {},
      [&](const AssertStep& s) { part(s.cond); }, [&](const BranchStep& s) { part(s.cond); },
      [&](const CallStep& s) {
        parts(s.inputs);
        parts(s.outputs);
        for (TensorId id : s.returned) visit(id);
      },
      [&](const ReturnStep& s) {
        for (TensorId id : s.tensors) visit(id);
      },
      [&](const PackedStep& s) {
        for (const Form& arg : s.args) parts(PartsOf(arg));
        parts(PartsOf(s.result));
        visit(s.memory);
      },
      [&](const AgainStep& s) { parts(s.inputs); },
      [&](const KeepStep& s) {
        parts(PartsOf(s.from));
        visit(s.to);
        if (s.function.valid()) visit(s.function);
      },
      [&](const OpenStep& s) { visit(s.value); }, [&](const RankStep& s) { visit(s.value); },
      [&](const FunctionStep& s) { visit(s.value); },
      [&](const WaitStep& s) {
        for (TensorId id : s.read) visit(id);
      });
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PROGRAM_H_
