// Defines the lowered program: kernels in TIR, and first-order routines that call them on tensors.
// Every size is a constant or an expression over the routine's scalars.
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

// The scope of a zero-dimensional buffer that is a local variable of the kernel.
inline constexpr char kRegisterScope[] = "register";

// The dtype of boxed values: a tensor of one element holds a value of dynamic structure,
// lathe_value in C: a tensor, tuple or function known only at run time.
inline constexpr DType kValueDType = DType::Make(TypeCode::kHandle, 0, 1);
// The size of a boxed value, sufficient on every target.
inline constexpr int64_t kValueBytes = 40;

// The memory that holds a tensor.
enum class Home {
  kInput,     // the caller's, read
  kOutput,    // the caller's, written
  kConstant,  // in generated source code
  kArena,     // planned
  kView,      // shares the bytes of another tensor
  kKept,      // at the far end of the arena, live until the run ends
  kPointer,   // the bytes of one of several tensors, selected by the last PointStep
};

// real = (integer - zero) * factor, for a whole tensor.
struct Scale {
  double factor = 1;
  int64_t zero = 0;
};

// The labels of the positions of the last axis of a tensor, or of its values.
struct Labels {
  bool of_values = false;
  AttrList items;  // strings or integers
};

struct Tensor {
  std::string name;
  DType dtype;
  std::vector<PrimRef> shape;  // int64, over the scalars of the routine
  Home home = Home::kArena;
  ConstantId constant;                       // for kConstant
  TensorId base;                             // for kView
  PrimRef byte_offset = nullptr;             // for a view made by a ViewStep: its start
  std::optional<int64_t> max_elements = {};  // upper bound for all sizes, if known
  // Upper bounds of sizes that are known only in the middle of a run, over the scalars available at
  // its start. Empty if there is no bound.
  std::vector<PrimRef> max_shape = {};
  TensorId sizes = {};    // for kOutput: an output that receives its sizes, if they depend on data
  bool written = false;   // for kPointer: its target may be written
  bool returned = false;  // for kArena: returned by a call, after all tensors of the caller's frame
  std::string scope = {};  // for kArena: the memory scope requested by the program; empty: any
  VDeviceRef vdevice = nullptr;  // the declared device; null: none
  int device = 0;                // index in Program::devices, if there are several
  // What the program declares of a value that callers of exported functions see; null: nothing.
  StructInfoRef declared = nullptr;
  // Of an input or output, for users of the generated code.
  std::optional<Scale> scale = {};
  Labels labels = {};  // of an output

  // Returns the number of elements; nothing if a dimension is symbolic.
  std::optional<int64_t> elements() const;
  std::optional<int64_t> bytes() const;
  bool is_value() const { return dtype == kValueDType; }
  // Returns the maximum number of bytes; nothing without a bound.
  std::optional<int64_t> max_bytes() const;
};

// A loop nest called with a tensor for each buffer parameter and a value for each scalar parameter,
// in order. Buffers that it allocates come last.
struct Kernel {
  std::string name;
  PrimFunc func;
  std::vector<BufferRef> buffers;  // tensor parameters, then local buffers
  std::vector<PrimRef> scalars;    // each declared before its use: sizes of buffers, parameters
  std::string origin;              // its origin, for the comment above it
  std::optional<KernelForm> form = {};  // nothing: the plain loops of `func`
  bool on_host = false;                 // in a program with several devices, it runs on the host
  // If the kernel joins several layers: of each buffer, the name of the kernel that it comes from.
  std::vector<std::string> layers = {};
};

struct Step;
using Steps = std::vector<Step>;

struct KernelStep {
  KernelId kernel;
  std::vector<TensorId> tensors;
  std::vector<PrimRef> scalars;
};
// If the tensors are on different devices, the device of `to` copies.
struct CopyStep {
  TensorId from;
  TensorId to;
};
// Orders the later work of device `waits` after all earlier work of device `on`.
struct WaitStep {
  int waits = 0;
  int on = 0;
  std::vector<TensorId> read =
      {};  // read by copies that are complete after the wait: may be overwritten
};
// Declares a scalar that the following branches assign.
struct DefineStep {
  PrimRef var = nullptr;
};
struct AssignStep {
  PrimRef var = nullptr;
  PrimRef value = nullptr;
};
// Declares a pointer that the following branches set.
struct DefinePointerStep {
  TensorId pointer;
};
struct PointStep {
  TensorId pointer;
  TensorId to;
};
// The sizes of a tensor are known from here on: a tensor of the arena gets its address; an output
// of dynamic size reports its sizes to the caller and fails with LATHE_E_MEMORY if the caller's
// memory is too small.
struct ReserveStep {
  TensorId tensor;
};
// Like ReserveStep for an output whose elements are in another tensor.
struct BindOutputStep {
  TensorId from;
  TensorId to;
};
// Makes the tensor a view of a part of its base.
struct ViewStep {
  TensorId view;
};
// Fills memory that the program allocates with one bits, as the interpreter does, so that results
// are deterministic.
struct FillStep {
  TensorId tensor;
};
// var = tensor[index], where control flow or sizes depend on data.
struct ReadStep {
  PrimRef var = nullptr;
  TensorId tensor;
  int64_t index = 0;
};
// Ends the run with LATHE_E_SHAPE unless `cond` holds.
struct CheckStep {
  PrimRef cond = nullptr;
  std::string what;  // for the comment in C: "match_cast of y: m == n"
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
  std::vector<Part> outputs;  // tensors to write, variables to assign
  std::vector<PrimRef> sizes;
  std::vector<TensorId> returned = {};  // tensors of the routine's ReturnStep, in order
};
// Returns tensors whose sizes are computed by this routine: moves them to the start of its frame,
// one after another, where they belong to the caller.
struct ReturnStep {
  std::vector<TensorId> tensors;
};
// A call of an external function with the signature of lathe_packed_fn (include/lathe/extern.h).
struct PackedStep {
  std::string function;  // its name in the program: "lathe.ccl.allreduce"
  std::vector<Form> args;
  Form result;      // the result is copied to these tensors and assigned to these variables
  TensorId memory;  // memory for tensors that the function allocates
  bool writes_args = false;           // it may write into its arguments
  std::vector<TensorId> writes = {};  // arguments that it always writes
};
// A tail call of the routine to itself, at its end: restarts the routine with these inputs.
struct TailCallStep {
  std::vector<Part> inputs;  // in the order of the routine's
};
// Boxes `from` into `to`. Its parts are copied to memory that lives until the run ends; boxed
// values among them are there already.
struct BoxStep {
  Form from;
  TensorId to;
  // If set, a function known only at run time: `to` becomes that function with the fields of the
  // tuple `from` as additional captured values, passed after its arguments and before its own
  // captured values.
  TensorId function = {};
};
// Unboxes `value`, or ends the run with LATHE_E_SHAPE if its structure is not that of `to`. Defines
// the pointers and variables of `to`. For a tensor of unknown dtype only the sizes are defined.
struct UnboxStep {
  TensorId value;
  Form to;
};
// var = the rank of the tensor `value`, or of the shape if `dtype` is void; -1 if it is something
// else or has another dtype.
struct RankStep {
  PrimRef var = nullptr;
  TensorId value;
  DType dtype;
};
// var = the index in Program::functions of the function `value`; -1 if it is not a function.
struct FunctionStep {
  PrimRef var = nullptr;
  TensorId value;
};
struct Step {
  using Node = std::variant<KernelStep, CopyStep, DefineStep, AssignStep, DefinePointerStep,
                            PointStep, ReserveStep, BindOutputStep, ViewStep, FillStep, ReadStep,
                            CheckStep, AssertStep, BranchStep, CallStep, ReturnStep, PackedStep,
                            TailCallStep, BoxStep, UnboxStep, RankStep, FunctionStep, WaitStep>;
  Node node;
  Location loc;
};

// low <= var <= high; `high` may be the largest int64.
struct Range {
  PrimRef var = nullptr;
  int64_t low = 0;
  int64_t high = 0;
};

// var <= most, an expression over the scalars available at the start of the routine.
struct UpperBound {
  PrimRef var = nullptr;
  PrimRef most = nullptr;
};

// A lowered function of the module. It writes its results where its caller specifies.
struct Routine {
  std::string name;
  bool exported = false;
  bool recursive = false;
  std::vector<Part> inputs;    // shapes and scalars are passed as variables
  std::vector<PrimRef> sizes;  // shape variables of its tensors that are not inputs
  std::vector<Part> outputs;
  std::vector<Form> params;  // structures of the parameters, which `inputs` flattens
  Form result;
  std::vector<std::string> input_names;  // parallel to inputs
  std::vector<std::string> output_names;
  Steps steps;
  std::vector<Range> ranges;             // declared ranges of inputs and sizes
  std::vector<UpperBound> upper_bounds;  // bounds of data-dependent sizes
  // The variables of Program::state, for an exported function that has a state: its last inputs,
  // until schedule/finish/keep_state takes them and the last outputs out of the ports.
  std::vector<TensorId> state;
  bool loops = false;             // it has a TailCallStep
  std::vector<TensorId> carried;  // for a loop, per input: the tensor that holds it in later
                                  // iterations, if it is a tensor that changes
};

// A device holds tensors and executes its steps in order, independently of other devices.
struct Device {
  std::string name;  // "cuda:1", or "host"
  bool is_host = false;
  int index = 0;  // its index among devices of its kind
};

// A variable that lives between runs, in memory that the caller provides.
struct StateVariable {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
  std::vector<uint8_t> first_bytes = {0};  // repeated over it before the first run
};

struct Program {
  IdVector<ConstantId, Constant>
      constants;  // constants of the module, and others derived from them
  IdVector<TensorId, Tensor> tensors;
  IdVector<KernelId, Kernel> kernels;
  std::map<std::string, PrimFunc> callees;  // called by kernels, by the names used in calls
  IdVector<RoutineId, Routine> routines;
  // Functions that boxed values may hold, by number: GlobalIds and ExternFuncs.
  std::vector<Form> functions;
  std::vector<Device> devices = {};       // empty unless the program uses several devices
  std::vector<StateVariable> state = {};  // shared by all exported functions that have a state

  // Returns the tensor that owns the bytes of `id`: itself, unless it is a view.
  TensorId Whole(TensorId id) const {
    while (tensors[id].home == Home::kView) id = tensors[id].base;
    return id;
  }
  // Returns one tensor for each constant that steps use, in order.
  std::vector<TensorId> ConstantsInUse() const;
  // Returns the device of a kernel call: that of its tensors.
  int DeviceOf(const KernelStep& step) const {
    return step.tensors.empty() ? 0 : tensors[step.tensors.front()].device;
  }
};

// Calls `visit(PrimFunc&)` for the functions of all kernels and their callees.
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

// Calls `visit(TensorId)` for the tensors that the step itself uses, not those in its branches.
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
      [&](const BindOutputStep& s) {
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
      [&](const TailCallStep& s) { parts(s.inputs); },
      [&](const BoxStep& s) {
        parts(PartsOf(s.from));
        visit(s.to);
        if (s.function.valid()) visit(s.function);
      },
      [&](const UnboxStep& s) { visit(s.value); }, [&](const RankStep& s) { visit(s.value); },
      [&](const FunctionStep& s) { visit(s.value); },
      [&](const WaitStep& s) {
        for (TensorId id : s.read) visit(id);
      });
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PROGRAM_H_
