#include "generator/emit/c/print_value_steps.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/emit/c/print_value.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;
using ir::TensorId;

constexpr char kHeader[] = "\"lathe/value.h\"";

}  // namespace

void ValueStepPrinter::Define(PrimRef var, const std::string& value, LineWriter& out) {
  const std::string name = scope_.names.Unique(ir::ToString(var));
  scope_.vars[var] = {name, var->dtype()};
  out.Line("const ", CScalarType(var->dtype()), " ", name, " = ", value, ";");
  defined_.push_back(name);
}

absl::Status ValueStepPrinter::Keep(const ir::BoxStep& step, LineWriter& out) {
  scope_.needs.headers.insert(kHeader);
  LATHE_ASSIGN_OR_RETURN(const std::string to, moves_.Spell(step.to));
  out.Line("{ /* ", to, ", kept */");
  {
    LineWriter::Indent in(out);
    const auto spell = [&](TensorId id) { return moves_.Spell(id); };
    ValuePrinter values(scope_, program_, spell, floor_, out);
    if (step.function.valid()) {
      LATHE_ASSIGN_OR_RETURN(const std::string function, moves_.Spell(step.function));
      const std::vector<ir::Form>& bound = step.from.As<ir::TupleForm>()->fields;
      std::string array = "NULL";
      if (!bound.empty()) {
        LATHE_ASSIGN_OR_RETURN(array, values.Array("bound", bound));
      }
      PrintCheckedCall(absl::StrCat("lathe_bind(region, ", floor_, ", ", function, ", ", array,
                                    ", ", bound.size(), "u, ", to, ")"),
                       out);
    } else {
      LATHE_ASSIGN_OR_RETURN(const std::string value, values.ValueOf(step.from));
      out.Line("*", to, " = ", value, ";");
      values.Keep(step.from, to);
    }
  }
  out.Line("}");
  return absl::OkStatus();
}

absl::Status ValueStepPrinter::Open(const ir::UnboxStep& step, LineWriter& out) {
  scope_.needs.headers.insert(kHeader);
  LATHE_ASSIGN_OR_RETURN(const std::string value, moves_.Spell(step.value));
  const std::string& hint = program_.tensors[step.value].name;
  return Part({value, absl::StrCat(value, "->")}, step.to, hint, out);
}

absl::Status ValueStepPrinter::Rank(const ir::RankStep& step, LineWriter& out) {
  scope_.needs.headers.insert(kHeader);
  LATHE_ASSIGN_OR_RETURN(const std::string value, moves_.Spell(step.value));
  if (step.dtype.is_void()) {
    Define(step.var, absl::StrCat("lathe_shape_rank(", value, ")"), out);
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(step.dtype));
  Define(step.var, absl::StrCat("lathe_rank(", value, ", ", dtype, ")"), out);
  return absl::OkStatus();
}

absl::Status ValueStepPrinter::Function(const ir::FunctionStep& step, LineWriter& out) {
  scope_.needs.headers.insert(kHeader);
  LATHE_ASSIGN_OR_RETURN(const std::string value, moves_.Spell(step.value));
  Define(step.var, absl::StrCat("lathe_function_number(", value, ")"), out);
  return absl::OkStatus();
}

absl::Status ValueStepPrinter::Part(const Place& value, const ir::Form& form,
                                    const std::string& hint, LineWriter& out) {
  if (const auto* id = form.As<TensorId>()) return Tensor(value, *id, out);
  if (const auto* scalar = form.As<PrimRef>()) return Scalar(value, *scalar, out);
  if (const auto* shape = form.As<ir::ShapeForm>()) return Shape(value, *shape, hint, out);
  if (const auto* tuple = form.As<ir::TupleForm>()) {
    return Fields(value, tuple->fields, "lathe_take_tuple", hint, out);
  }
  if (const auto* closure = form.As<ir::ClosureForm>()) {
    return Fields(value, closure->captured, "lathe_take_function", hint, out);
  }
  return absl::OkStatus();
}

absl::Status ValueStepPrinter::Tensor(const Place& value, TensorId id, LineWriter& out) {
  const ir::Tensor& tensor = program_.tensors[id];
  if (tensor.dtype.is_void()) {
    PrintCheckedCall(
        absl::StrCat("lathe_check_rank(", value.address, ", ", tensor.shape.size(), ")"), out);
    DefineSizes(value, tensor, out);
    return absl::OkStatus();
  }
  const std::string type(CType(tensor.dtype));
  if (type.empty()) {
    return CannotPrint(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)));
  }
  const std::string name = scope_.names.Unique(tensor.name);
  moves_.Name(id, name);
  defined_.push_back(name);
  if (tensor.is_value()) {
    out.Line("const lathe_value *const ", name, " = ", value.address, ";");
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(tensor.dtype));
  PrintCheckedCall(absl::StrCat("lathe_check_tensor(", value.address, ", ", dtype, ", ",
                                tensor.shape.size(), ")"),
                   out);
  const std::string written = tensor.written ? "" : "const ";
  out.Line(written, type, " *const ", name, " = (", written, type, " *)", value.member,
           "as.tensor.data;");
  DefineSizes(value, tensor, out);
  return absl::OkStatus();
}

void ValueStepPrinter::DefineSizes(const Place& value, const ir::Tensor& tensor, LineWriter& out) {
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    Define(tensor.shape[i], absl::StrCat(value.member, "as.tensor.shape[", i, "]"), out);
  }
}

absl::Status ValueStepPrinter::Scalar(const Place& value, PrimRef var, LineWriter& out) {
  const ir::DType t = var->dtype();
  LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(t));
  const std::string number = scope_.names.Unique(absl::StrCat(ir::ToString(var), "_number"));
  out.Line(t.is_floating() ? "double " : "int64_t ", number, " = 0;");
  PrintCheckedCall(absl::StrCat(t.is_floating() ? "lathe_take_float(" : "lathe_take_int(",
                                value.address, ", ", dtype, ", &", number, ")"),
                   out);
  Define(var, absl::StrCat("(", CScalarType(t), ")", number), out);
  return absl::OkStatus();
}

absl::Status ValueStepPrinter::Shape(const Place& value, const ir::ShapeForm& shape,
                                     const std::string& hint, LineWriter& out) {
  const size_t rank = shape.dims.size();
  if (rank == 0) {
    PrintCheckedCall(absl::StrCat("lathe_take_shape(", value.address, ", NULL, 0)"), out);
    return absl::OkStatus();
  }
  const std::string dims = scope_.names.Unique(absl::StrCat(hint, "_dims"));
  out.Line("int64_t ", dims, "[", rank, "];");
  PrintCheckedCall(absl::StrCat("lathe_take_shape(", value.address, ", ", dims, ", ", rank, ")"),
                   out);
  for (size_t i = 0; i < rank; ++i) {
    Define(shape.dims[i], absl::StrCat(dims, "[", i, "]"), out);
  }
  return absl::OkStatus();
}

absl::Status ValueStepPrinter::Fields(const Place& value, const std::vector<ir::Form>& forms,
                                      const std::string& taker, const std::string& hint,
                                      LineWriter& out) {
  const std::string parts = scope_.names.Unique(absl::StrCat(hint, "_parts"));
  out.Line("const lathe_value *", parts, " = NULL;");
  PrintCheckedCall(absl::StrCat(taker, "(", value.address, ", &", parts, ", ", forms.size(), "u)"),
                   out);
  for (size_t i = 0; i < forms.size(); ++i) {
    const Place part = {absl::StrCat("&", parts, "[", i, "]"), absl::StrCat(parts, "[", i, "].")};
    LATHE_RETURN_IF_ERROR(Part(part, forms[i], absl::StrCat(hint, "_", i), out));
  }
  return absl::OkStatus();
}

}  // namespace lathe::emit
