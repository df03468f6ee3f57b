#include "generator/interp/kernel/compile_prim_func.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_stmt.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/view_steps.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::PrimRef;

// A dimension, stride or offset of a parameter buffer, which the argument supplies.
struct Field {
  uint32_t param;
  ParamField field;
  uint32_t dim;
  PrimRef wanted;
};

std::string DescribeField(const Field& f, const ir::Buffer& buffer) {
  switch (f.field) {
    case ParamField::kDim:
      return absl::StrCat("dimension ", f.dim, " of buffer '", buffer.name, "'");
    case ParamField::kStride:
      return absl::StrCat("stride ", f.dim, " of buffer '", buffer.name, "'");
    case ParamField::kOffset:
      break;
  }
  return absl::StrCat("the element offset of buffer '", buffer.name, "'");
}

std::vector<Field> FieldsOf(const ir::PrimFunc& func) {
  std::vector<Field> fields;
  for (uint32_t p = 0; p < func.params.size(); ++p) {
    const ir::BufferRef buffer = func.params[p].buffer;
    if (buffer == nullptr) continue;
    for (uint32_t d = 0; d < buffer->shape.size(); ++d) {
      fields.push_back({p, ParamField::kDim, d, buffer->shape[d]});
    }
    for (uint32_t d = 0; d < buffer->strides.size(); ++d) {
      fields.push_back({p, ParamField::kStride, d, buffer->strides[d]});
    }
    if (buffer->elem_offset != nullptr) {
      fields.push_back({p, ParamField::kOffset, 0, buffer->elem_offset});
    }
  }
  return fields;
}

// Reads the field into a new register. A bare pointer has no fields; then the step skips the next
// instruction, which must use the register.
Reg EmitField(CodeBuilder& b, const Field& f) {
  TrapsOnDType(b, f.wanted->dtype());
  Instr get{ParamFieldStep, b.NewReg(), f.param, static_cast<uint32_t>(f.field), f.dim};
  get.type = f.wanted->dtype();
  b.Emit(get);
  return get.dst;
}

void BindParams(CodeBuilder& b, const ir::PrimFunc& func) {
  for (uint32_t p = 0; p < func.params.size(); ++p) {
    const ir::PrimParam& param = func.params[p];
    const DType t = param.var->dtype();
    const bool pointer = param.buffer != nullptr || t.is_handle();
    const auto* var = param.var->As<ir::SymVar>();
    const std::string name = param.buffer != nullptr ? param.buffer->name
                             : var != nullptr        ? var->name
                                                     : absl::StrCat("parameter ", p + 1);
    b.code().params.push_back({name, param.buffer != nullptr ? param.buffer->dtype : t,
                               param.buffer, pointer, param.loc});
    if (!pointer) TrapsOnDType(b, t);
    Instr get{ParamStep, b.NewReg(), p};
    get.b = param.buffer != nullptr && param.buffer->elem_offset != nullptr ? 1 : 0;
    get.type = t;
    b.Emit(get);
    b.Bind(param.var, {get.dst});
    if (param.buffer != nullptr && param.buffer->data != param.var) {
      b.Bind(param.buffer->data, {get.dst});
    }
  }
}

void BindFields(CodeBuilder& b, const ir::PrimFunc& func) {
  std::vector<Field> to_check;
  for (const Field& f : FieldsOf(func)) {
    if (f.wanted->As<ir::SymVar>() == nullptr || b.Find(f.wanted) != nullptr) {
      to_check.push_back(f);
      continue;
    }
    const Reg value = EmitField(b, f);
    const uint32_t skip = b.Emit({JumpStep});
    const auto* var = f.wanted->As<ir::SymVar>();
    b.Error("run-unbound-variable", absl::StrCat("'", var->name, "' is unbound: it is ",
                                                 DescribeField(f, *func.params[f.param].buffer),
                                                 ", which was passed as a pointer"));
    b.at(skip).a = b.here();
    b.Bind(f.wanted, {value});
  }
  for (const Field& f : to_check) {
    const ir::Buffer& buffer = *func.params[f.param].buffer;
    const Reg wanted = CompileScalarExpr(b, f.wanted);
    const uint32_t trap = b.AddTrap(
        Blame::kMalformed, "run-buffer-mismatch",
        absl::StrCat("argument ", f.param + 1, " of '", b.code().name,
                     "': ", DescribeField(f, buffer), " must be ", ir::ToString(f.wanted)),
        {func.params[f.param].loc, absl::StrCat("buffer '", buffer.name, "' is declared here")});
    const Reg value = EmitField(b, f);
    b.Emit({CheckEqualStep, 0, wanted, value, trap});
  }
}

absl::StatusOr<Code> Finished(CodeBuilder& b) {
  if (b.too_large()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the function compiles to more than ", kMaxInstructions,
                     " steps; use loops instead of long lists or wide vectors"));
  }
  return std::move(b.code());
}

}  // namespace

absl::StatusOr<Code> CompilePrimFunc(const ir::PrimFunc& func, absl::string_view name) {
  CodeBuilder b;
  b.code().name = std::string(name);
  BindParams(b, func);
  BindFields(b, func);
  for (const ir::PrimParam& param : func.params) {
    if (param.buffer == nullptr || TrapsOnDType(b, param.buffer->dtype)) continue;
    const uint32_t view = b.NewView(*param.buffer);
    EmitBindView(b, *param.buffer, view, CompileScalarExpr(b, param.buffer->data));
    b.BindBuffer(param.buffer, view);
  }
  StmtCompiler(b).CompileBody(func.body);
  return Finished(b);
}

absl::StatusOr<Code> CompileScalarCode(PrimRef e, absl::Span<const PrimRef> vars, bool is_size) {
  CodeBuilder b(is_size);
  for (uint32_t p = 0; p < vars.size(); ++p) {
    b.code().params.push_back(
        {vars[p]->As<ir::SymVar>()->name, vars[p]->dtype(), nullptr, false, {}});
    TrapsOnDType(b, vars[p]->dtype());
    Instr get{ParamStep, b.NewReg(), p};
    get.type = vars[p]->dtype();
    b.Emit(get);
    b.Bind(vars[p], {get.dst});
  }
  const Reg value = CompileScalarExpr(b, e);
  b.code().result = value;
  b.code().result_dtype = e->dtype();
  b.Emit({EndStep});
  return Finished(b);
}

}  // namespace lathe::interp
