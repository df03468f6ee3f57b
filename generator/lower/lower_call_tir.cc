#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/packed_elements.h"
#include "generator/lower/contiguous_part.h"
#include "generator/lower/copy_constants.h"
#include "generator/lower/lower_call.h"
#include "generator/lower/lower_operator.h"
#include "generator/lower/scalar_kernel.h"
#include "generator/lower/state_part.h"
#include "generator/lower/stored_params.h"
#include "generator/ops/args/reshape_like.h"
#include "generator/ops/call_tir.h"
#include "generator/support/count_of.h"
#include "generator/transform/legalize.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

class KernelCall {
 public:
  KernelCall(RoutineBuilder& b, const ir::Binding& binding, ir::GlobalId callee)
      : b_(b), binding_(binding), callee_(callee), match_(b.lowering.ir) {}

  const ir::Global& global() const { return b_.lowering.module.globals[callee_]; }
  const ir::PrimFunc& func() const { return *global().prim_func(); }

  std::nullopt_t Refuse(absl::string_view why) {
    b_.lowering.Unsupported(binding_.loc)
        << "the call of '" << global().name << "' cannot be lowered "
        << "to C: " << why << "; " << kSupported;
    return std::nullopt;
  }

  // Passes the argument for parameter `index`. Returns false after a report.
  bool Give(size_t index, const ir::Part& part) {
    const ir::PrimParam& param = func().params[index];
    const auto* id = std::get_if<TensorId>(&part);
    if (param.buffer == nullptr || id == nullptr) {
      if (param.buffer != nullptr || id != nullptr) {
        Refuse("a tensor is passed for a scalar parameter, or a scalar for a buffer");
        return false;
      }
      match_.Set(param.var, b_.lowering.ir.MakeCast(param.var->dtype(), std::get<PrimRef>(part)));
      return true;
    }
    const ir::Tensor& tensor = b_.lowering.program.tensors[*id];
    const ir::Buffer& buffer = *param.buffer;
    if (buffer.shape.size() != tensor.shape.size() || buffer.dtype != tensor.dtype) {
      Refuse(absl::StrCat("'", buffer.name, "' is passed a tensor whose rank or dtype differs"));
      return false;
    }
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      match_.Add(buffer.shape[i],
                 b_.lowering.ir.MakeCast(buffer.shape[i]->dtype(), tensor.shape[i]),
                 absl::StrCat("dimension ", i, " of ", tensor.name));
    }
    Strides(buffer, tensor);
    tensors_.push_back(*id);
    return true;
  }

  // Returns the kernel's result in terms of the routine's scalars if it computes one element from
  // scalars alone, else null.
  PrimRef Scalar() {
    const PrimRef value = ScalarOfKernel(func());
    if (value == nullptr) return nullptr;
    return b_.Resolve(analysis::Substitute(b_.lowering.ir, value, match_.mapping()));
  }

  bool Emit() {
    const auto kernel = b_.lowering.KernelOf(callee_, binding_.loc);
    if (!kernel) return false;
    const ir::Kernel k = b_.lowering.program.kernels[*kernel];
    ir::KernelStep step{*kernel, tensors_, {}};
    for (PrimRef scalar : k.scalars) {
      const auto it = match_.mapping().find(scalar);
      if (it == match_.mapping().end()) {
        Refuse(absl::StrCat("the size '", ir::ToString(scalar),
                            "' is not determined by the arguments"));
        return false;
      }
      step.scalars.push_back(b_.Resolve(it->second));
    }
    for (size_t i = step.tensors.size(); i < k.buffers.size(); ++i) {
      ir::Tensor scratch{k.buffers[i]->name, k.buffers[i]->dtype, {}, ir::Home::kArena, {}, {}};
      std::vector<PrimRef> shape = k.buffers[i]->shape;
      if (!k.buffers[i]->strides.empty()) shape = {Extent(*k.buffers[i])};
      for (PrimRef dim : shape) {
        const PrimRef size = analysis::Substitute(b_.lowering.ir, dim, match_.mapping());
        scratch.shape.push_back(b_.Resolve(b_.lowering.ir.MakeCast(ir::DType::Int(64), size)));
      }
      step.tensors.push_back(b_.lowering.program.tensors.Add(std::move(scratch)));
    }
    b_.EmitChecks(match_, binding_.loc);
    b_.Emit(std::move(step), binding_.loc);
    return true;
  }

 private:
  // Tensors are compact: stride variables get the compact strides, offset variables get 0.
  void Strides(const ir::Buffer& buffer, const ir::Tensor& tensor) {
    ir::Context& ir = b_.lowering.ir;
    PrimRef stride = ir.Int(1);
    for (size_t i = buffer.strides.size(); i-- > 0;) {
      const PrimRef wanted = buffer.strides[i];
      const bool binds = wanted->As<ir::SymVar>() != nullptr;
      match_.Add(binds ? wanted : ir.MakeCast(stride->dtype(), wanted),
                 binds ? ir.MakeCast(wanted->dtype(), stride) : stride,
                 absl::StrCat("stride ", i, " of ", tensor.name));
      stride = analysis::Simplify(ir, ir.Make(ir::BinaryOp::kMul, stride, tensor.shape[i]));
    }
    if (buffer.elem_offset != nullptr) {
      match_.Add(buffer.elem_offset, ir.Int(0, buffer.elem_offset->dtype()),
                 absl::StrCat("the offset of ", tensor.name));
    }
  }

  // A buffer with explicit strides extends to its last element.
  PrimRef Extent(const ir::Buffer& buffer) {
    ir::Context& ir = b_.lowering.ir;
    if (const std::optional<int64_t> extent = ir::ExtentOf(buffer)) return ir.Int(*extent);
    const ir::DType wide = ir::DType::Int(64);
    PrimRef last = ir.Int(0);
    for (size_t i = 0; i < buffer.shape.size(); ++i) {
      const PrimRef steps =
          ir.Make(ir::BinaryOp::kSub, ir.MakeCast(wide, buffer.shape[i]), ir.Int(1));
      const PrimRef stride = ir.MakeCast(wide, buffer.strides[i]);
      last = ir.Make(ir::BinaryOp::kAdd, last, ir.Make(ir::BinaryOp::kMul, steps, stride));
    }
    const PrimRef reach = ir.Make(ir::BinaryOp::kAdd, last, ir.Int(1));
    return ir.Make(ir::BinaryOp::kMax, reach, ir.Int(0));
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const ir::GlobalId callee_;
  SizeMatch match_;
  std::vector<TensorId> tensors_;
};

// Returns the view that a reshape amounts to, or nothing if it must copy.
std::optional<Form> AsView(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call,
                           const ir::PrimFunc& func, const std::vector<ir::Part>& args) {
  const auto* op = ir::FindAttr<std::string>(func.attrs, transform::kOperatorName);
  // A view cannot carry assertions about sizes.
  const auto* body = func.body->As<ir::SeqStmt>();
  if (body != nullptr && body->stmts[0]->As<ir::AssertStmt>() != nullptr) return std::nullopt;
  if (op == nullptr || !ops::IsReshapeLike(*op) || args.size() != 1) return std::nullopt;
  if (!b.IsUnwritten(ir::Operand{binding.var}) || !b.IsUnwritten(call.args[1])) {
    return std::nullopt;
  }
  const ir::Value& value = b.lowering.module.values[binding.var];
  const auto* info = value.info->As<ir::TensorInfo>();
  const auto* from = std::get_if<TensorId>(&args[0]);
  if (info == nullptr || info->dims() == nullptr || from == nullptr) return std::nullopt;
  if (b.lowering.program.tensors[*from].dtype != info->dtype) return std::nullopt;
  return Form{b.NewView(*from, *info, value.name, binding.loc)};
}

// Returns a view of a larger tensor that starts at an element given by the scalars.
ir::TensorId PartOf(RoutineBuilder& b, const ContiguousPart& part, ir::TensorId whole,
                    const std::vector<PrimRef>& shape, const analysis::ShapeVarMap& scalars,
                    const Location& loc) {
  ir::Context& ir = b.lowering.ir;
  const ir::Tensor base = b.lowering.program.tensors[whole];
  PrimRef offset = ir.Int(0);
  for (size_t i = 0; i < base.shape.size(); ++i) {
    const PrimRef begin = analysis::Substitute(ir, part.begin[i], scalars);
    offset = ir.Make(ir::BinaryOp::kMul, offset, base.shape[i]);
    offset = ir.Make(ir::BinaryOp::kAdd, offset, ir.MakeCast(ir::DType::Int(64), begin));
  }
  ir::Tensor view{absl::StrCat(base.name, "_part"), base.dtype, shape, ir::Home::kView, {}, whole};
  const auto size = static_cast<int64_t>(ir::StorageBytes(base.dtype, 1));
  view.byte_offset = b.Resolve(ir.Make(ir::BinaryOp::kMul, offset, ir.Int(size)));
  view.vdevice = base.vdevice;
  const ir::TensorId id = b.lowering.program.tensors.Add(std::move(view));
  b.Emit(ir::ViewStep{id}, loc);
  return id;
}

// Slices up to this many elements are copied before they are read. C compilers vectorize reads of a
// separate array, but not reads of an array at a variable offset that kernels also store to.
constexpr int64_t kMaxCopied = 1024;

// Lowers the kernels of the ONNX reader that read or write one element of a sequence: to a view, or
// to a copy into a view. Returns nothing if the call must be a kernel.
std::optional<Form> AsElement(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call,
                              const ir::PrimFunc& func, const std::vector<ir::Part>& args,
                              const std::vector<PrimRef>& sizes) {
  const auto* name = ir::FindAttr<std::string>(func.attrs, transform::kOperatorName);
  if (name == nullptr || (*name != "element" && *name != "store_element")) return std::nullopt;
  const auto part = ContiguousPartOf(b.lowering.ir, func);
  if (!part || args.size() != (part->is_stored ? 2 : 1)) return std::nullopt;
  if (ir::IsPacked(part->whole->dtype)) return std::nullopt;
  analysis::ShapeVarMap scalars;
  for (size_t i = 0; i < sizes.size(); ++i) {
    scalars[func.params[func.params.size() - sizes.size() + i].var] = sizes[i];
  }
  const auto* whole = std::get_if<TensorId>(&args[0]);
  if (whole == nullptr) return std::nullopt;
  for (size_t i = 0; i < part->begin.size(); ++i) {
    scalars.try_emplace(part->whole->shape[i], b.lowering.program.tensors[*whole].shape[i]);
  }
  for (PrimRef begin : part->begin) {
    for (PrimRef var : analysis::VarsIn(begin)) {
      if (!scalars.contains(var)) return std::nullopt;
    }
  }
  if (part->is_stored) {
    const auto* from = std::get_if<TensorId>(&args[1]);
    if (from == nullptr) return std::nullopt;
    const std::vector<PrimRef> shape = b.lowering.program.tensors[*from].shape;
    const bool is_all = shape == b.lowering.program.tensors[*whole].shape;
    const TensorId to = is_all ? *whole : PartOf(b, *part, *whole, shape, scalars, binding.loc);
    b.Emit(ir::CopyStep{*from, to}, binding.loc);
    return Form{*whole};
  }
  const ir::Value& value = b.lowering.module.values[binding.var];
  const auto* info = value.info->As<ir::TensorInfo>();
  if (info == nullptr || info->dims() == nullptr || !b.IsUnwritten(ir::Operand{binding.var}) ||
      !b.IsUnwritten(call.args[1])) {
    return std::nullopt;
  }
  std::vector<PrimRef> shape;
  for (PrimRef dim : *info->dims()) shape.push_back(b.Resolve(dim));
  const TensorId view = PartOf(b, *part, *whole, shape, scalars, binding.loc);
  const auto count = b.lowering.program.tensors[view].elements();
  if (!count || *count > kMaxCopied) return Form{view};
  ir::Tensor row = b.lowering.program.tensors[view];
  row.home = ir::Home::kArena;
  row.base = {};
  row.byte_offset = nullptr;
  const TensorId copy = b.NewTensor(std::move(row), binding.loc);
  b.Emit(ir::CopyStep{view, copy}, binding.loc);
  return Form{copy};
}

}  // namespace

std::optional<Form> LowerCallTir(RoutineBuilder& b, const ir::Binding& binding,
                                 const ir::Call& call) {
  const auto* gv = call.args[0].As<ir::GlobalId>();
  if (gv == nullptr || b.lowering.module.globals[*gv].prim_func() == nullptr) {
    b.lowering.Unsupported(binding.loc)
        << "R.call_tir of a value that is not a PrimFunc of the module; " << kSupported;
    return std::nullopt;
  }
  KernelCall kernel(b, binding, *gv);
  const auto args_form = b.FormOf(call.args[1], binding.loc);
  if (!args_form) return std::nullopt;
  std::vector<Form> args = {*args_form};
  if (const auto* tuple = args_form->As<TupleForm>()) args = tuple->fields;
  std::vector<PrimRef> sizes;
  if (call.args.size() > 2) {
    const auto form = b.FormOf(call.args[2], binding.loc);
    const auto* shape = form ? form->As<ShapeForm>() : nullptr;
    if (shape == nullptr) return kernel.Refuse("its scalar arguments are not a shape");
    sizes = shape->dims;
  }
  const std::vector<ir::StructInfoRef> infos = ops::CallTirOutputs(call);
  const std::vector<int64_t> inplace = ops::InplaceIndices(call, infos.size());
  std::vector<ir::Part> parts;
  for (size_t i = 0; i < args.size(); ++i) {
    if (absl::c_linear_search(inplace, static_cast<int64_t>(i)))
      CopyConstants(b, args[i], binding.loc);
    AppendParts(args[i], parts);
  }
  if (parts.size() != args.size())
    return kernel.Refuse("an argument is neither a tensor nor a scalar");
  const auto slots = ops::CallTirSlots(kernel.func(), args.size(), sizes.size(), inplace);
  if (!slots) return kernel.Refuse("the number of arguments differs from the number of parameters");
  if (const auto view = AsView(b, binding, call, kernel.func(), parts)) return view;
  if (const auto part = AsElement(b, binding, call, kernel.func(), parts, sizes)) return part;
  if (const auto part = AsStatePart(b, binding, kernel.func(), parts)) return part;

  const std::string& name = b.lowering.module.values[binding.var].name;
  const bool single = infos.size() == 1 && call.sinfo_args.size() == 1 &&
                      call.sinfo_args[0]->As<ir::TupleInfo>() == nullptr;
  TupleForm outputs;
  for (size_t i = 0; i < infos.size(); ++i) {
    const int64_t index = i < inplace.size() ? inplace[i] : -1;
    if (index >= 0 && index < static_cast<int64_t>(args.size())) {
      outputs.fields.push_back(args[static_cast<size_t>(index)]);
      continue;
    }
    const auto form = b.NewResult(infos[i], single ? name : absl::StrCat(name, "_", i),
                                  ir::Home::kArena, binding.loc);
    if (!form) return std::nullopt;
    outputs.fields.push_back(*form);
  }
  for (size_t i = 0; i < slots->size(); ++i) {
    const size_t n = static_cast<size_t>((*slots)[i].index);
    bool given = true;
    switch ((*slots)[i].from) {
      case ops::CallTirSlot::From::kArg:
        given = kernel.Give(i, parts[n]);
        break;
      case ops::CallTirSlot::From::kTirVar:
        given = kernel.Give(i, sizes[n]);
        break;
      case ops::CallTirSlot::From::kOutput:
        given = kernel.Give(i, PartsOf(outputs.fields[n])[0]);
        break;
    }
    if (!given) return std::nullopt;
  }
  if (!kernel.Emit()) return std::nullopt;
  const auto* made = single ? outputs.fields[0].As<TensorId>() : nullptr;
  const PrimRef scalar =
      made != nullptr && b.IsUnwritten(ir::Operand{binding.var}) ? kernel.Scalar() : nullptr;
  if (scalar != nullptr) b.NoteScalar(*made, scalar, b.lowering.uses[binding.var] == 1);
  if (single) return std::move(outputs.fields[0]);
  return Form{std::move(outputs)};
}

std::optional<Form> LowerDirectCall(RoutineBuilder& b, const ir::Binding& binding,
                                    const std::vector<Form>& args, ir::GlobalId callee) {
  KernelCall kernel(b, binding, callee);
  std::vector<ir::Part> parts;
  const StoredParams stored(kernel.func());
  for (size_t i = 0; i < args.size(); ++i) {
    Form arg = args[i];
    const bool known = i < kernel.func().params.size();
    if (known && stored.Has(i)) CopyConstants(b, arg, binding.loc);
    AppendParts(arg, parts);
  }
  if (parts.size() != kernel.func().params.size()) {
    return kernel.Refuse(absl::StrCat(
        "it takes ", CountOf(kernel.func().params.size(), "parameter"), ", got ", parts.size()));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!kernel.Give(i, parts[i])) return std::nullopt;
  }
  if (!kernel.Emit()) return std::nullopt;
  return Form{Nothing{}};
}

}  // namespace lathe::lower
