#include "generator/emit/c/print_value.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/emit/text/c_string.h"
#include "generator/support/match.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::PrimRef;
using ir::TensorId;

absl::StatusOr<std::string> DTypeArgs(ir::DType t) {
  const bool known = !CType(t).empty();
  std::string code = t.is_bool()                       ? "BOOL"
                     : t.code == ir::TypeCode::kBFloat ? "BFLOAT"
                     : t.is_floating()                 ? "FLOAT"
                     : t.code == ir::TypeCode::kUInt   ? "UINT"
                                                       : "INT";
  if (t.is_floating() && t.bits <= 8) {
    code = absl::StrCat("FLOAT", int{t.bits}, "_", absl::AsciiStrToUpper(SmallFloatName(t)));
  }
  if (!known) return CannotPrint(absl::StrCat("an argument of ", ToString(t)));
  return absl::StrCat("LATHE_DT_", code, ", ", int{t.bits}, "u");
}

// Prints the definition of an array of `values`. Returns its name.
absl::StatusOr<std::string> ValuePrinter::Array(absl::string_view hint,
                                                const std::vector<ir::Form>& values) {
  std::vector<std::string> texts;
  for (const ir::Form& value : values) {
    LATHE_ASSIGN_OR_RETURN(std::string text, ValueOf(value));
    texts.push_back(std::move(text));
  }
  const std::string name = scope_.names.Unique(hint);
  out_.Line("lathe_value ", name, "[", values.size(), "];");
  for (size_t i = 0; i < texts.size(); ++i) {
    out_.Line(name, "[", i, "] = ", texts[i], ";");
    Keep(values[i], absl::StrCat("&", name, "[", i, "]"));
  }
  return name;
}

// Prints the definition of an array of `dims`. Returns its name, or "NULL" if `dims` is empty.
absl::StatusOr<std::string> ValuePrinter::Sizes(const std::vector<PrimRef>& dims) {
  if (dims.empty()) return std::string("NULL");
  const std::string name = scope_.names.Unique("sizes");
  out_.Line("int64_t ", name, "[", dims.size(), "];");
  for (size_t i = 0; i < dims.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(const std::string dim, PrintCExpr(scope_, dims[i]));
    out_.Line(name, "[", i, "] = ", dim, ";");
  }
  return name;
}

// Prints `form` as an expression of type lathe_value. Appends the lines that it needs to the
// output.
absl::StatusOr<std::string> ValuePrinter::ValueOf(const ir::Form& form) {
  using Text = absl::StatusOr<std::string>;
  return Match(
      form.node, [&](const ir::Nothing&) -> Text { return std::string("lathe_from_null()"); },
      [&](TensorId id) -> Text {
        const ir::Tensor& tensor = program_.tensors[id];
        if (tensor.is_value()) {
          LATHE_ASSIGN_OR_RETURN(const std::string value, spell_(id));
          return absl::StrCat("*", value);
        }
        LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(tensor.dtype));
        LATHE_ASSIGN_OR_RETURN(const std::string data, spell_(id));
        LATHE_ASSIGN_OR_RETURN(const std::string sizes, Sizes(tensor.shape));
        return Lent(absl::StrCat("lathe_from_tensor(", data, ", ", dtype, ", ", sizes, ", ",
                                 tensor.shape.size(), ")"));
      },
      [&](PrimRef scalar) -> Text {
        LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(scalar->dtype()));
        LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope_, scalar));
        const bool is_float = scalar->dtype().is_floating();
        return absl::StrCat(is_float ? "lathe_from_float((double)(" : "lathe_from_int((int64_t)(",
                            value, "), ", dtype, ")");
      },
      [&](const ir::ShapeForm& shape) -> Text {
        LATHE_ASSIGN_OR_RETURN(const std::string sizes, Sizes(shape.dims));
        return Lent(absl::StrCat("lathe_from_shape(", sizes, ", ", shape.dims.size(), ")"));
      },
      [&](const ir::TupleForm& tuple) -> Text {
        std::string fields = "NULL";
        if (!tuple.fields.empty()) {
          LATHE_ASSIGN_OR_RETURN(fields, Array("fields", tuple.fields));
        }
        return Lent(absl::StrCat("lathe_from_tuple(", fields, ", ", tuple.fields.size(), "u)"));
      },
      [&](const ir::StringImm& s) -> Text {
        return absl::StrCat("lathe_from_string(", CString(s.value), ", ", s.value.size(), "u)");
      },
      [&](const ir::DTypeImm& d) -> Text {
        LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(d.dtype));
        return absl::StrCat("lathe_from_dtype(", dtype, ")");
      },
      [&](ir::GlobalId) -> Text { return FunctionOf(form, {}); },
      [&](const ir::ExternFunc&) -> Text { return FunctionOf(form, {}); },
      [&](const ir::ClosureForm& c) -> Text {
        return FunctionOf(ir::Form{c.function}, c.captured);
      },
      [&](const ir::ChoiceForm&) -> Text {
        return CannotPrint("a value with several possible forms as an argument");
      });
}

std::string ValuePrinter::Lent(std::string value) const {
  return lends_ ? absl::StrCat("lathe_borrowed(", value, ")") : value;
}

// Fails without a floor: only models can call functions by number, so none is passed to an external
// function.
absl::StatusOr<std::string> ValuePrinter::FunctionOf(const ir::Form& function,
                                                     const std::vector<ir::Form>& kept) {
  if (floor_.empty()) return CannotPrint("a function as an argument");
  const auto same = [&](const ir::Form& other) {
    const auto* a = function.As<ir::GlobalId>();
    const auto* b = other.As<ir::GlobalId>();
    if (a != nullptr || b != nullptr) return a != nullptr && b != nullptr && *a == *b;
    return function.As<ir::ExternFunc>()->name == other.As<ir::ExternFunc>()->name;
  };
  const auto& all = program_.functions;
  const auto number = std::find_if(all.begin(), all.end(), same) - all.begin();
  std::string array = "NULL";
  if (!kept.empty()) {
    LATHE_ASSIGN_OR_RETURN(array, Array("kept", kept));
  }
  return absl::StrCat("lathe_from_function(", number, ", ", array, ", ", kept.size(), "u)");
}

void ValuePrinter::Keep(const ir::Form& form, const std::string& address) {
  const bool flat = form.As<ir::Nothing>() != nullptr || form.As<PrimRef>() != nullptr ||
                    form.As<ir::StringImm>() != nullptr || form.As<ir::DTypeImm>() != nullptr;
  const auto* id = form.As<TensorId>();
  const bool kept = id != nullptr && program_.tensors[*id].is_value();
  if (floor_.empty() || flat || kept) return;
  PrintCheckedCall(absl::StrCat("lathe_keep(region, ", floor_, ", ", address, ")"), out_);
}

// `value` is an expression of type const lathe_value *.
absl::Status ValuePrinter::Take(const std::string& value, const ir::Form& form,
                                TakeTensor take_tensor) {
  if (const auto* id = form.As<TensorId>()) {
    const ir::Tensor& tensor = program_.tensors[*id];
    LATHE_ASSIGN_OR_RETURN(const std::string data, spell_(*id));
    if (tensor.is_value()) {
      const bool is_address = absl::StartsWith(value, "&");
      out_.Line("*", data, " = ", is_address ? value.substr(1) : absl::StrCat("*", value), ";");
      return absl::OkStatus();
    }
    LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(tensor.dtype));
    LATHE_ASSIGN_OR_RETURN(const std::string sizes, Sizes(tensor.shape));
    PrintCheckedCall(take_tensor(absl::StrCat(value, ", ", data, ", ", dtype, ", ", sizes, ", ",
                                              tensor.shape.size())),
                     out_);
  } else if (const auto* scalar = form.As<PrimRef>()) {
    LATHE_RETURN_IF_ERROR(TakeScalar(value, *scalar));
  } else if (const auto* shape = form.As<ir::ShapeForm>()) {
    if (shape->dims.empty()) return absl::OkStatus();
    const std::string dims = scope_.names.Unique("dims");
    out_.Line("int64_t ", dims, "[", shape->dims.size(), "];");
    PrintCheckedCall(
        absl::StrCat("lathe_take_shape(", value, ", ", dims, ", ", shape->dims.size(), ")"), out_);
    for (size_t i = 0; i < shape->dims.size(); ++i) {
      out_.Line(scope_.vars.at(shape->dims[i]).name, " = ", dims, "[", i, "];");
    }
  } else if (const auto* tuple = form.As<ir::TupleForm>()) {
    const std::string fields = scope_.names.Unique("given");
    out_.Line("const lathe_value *", fields, ";");
    PrintCheckedCall(
        absl::StrCat("lathe_take_tuple(", value, ", &", fields, ", ", tuple->fields.size(), "u)"),
        out_);
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      LATHE_RETURN_IF_ERROR(
          Take(absl::StrCat("&", fields, "[", i, "]"), tuple->fields[i], take_tensor));
    }
    if (tuple->fields.empty()) out_.Line("(void)", fields, ";");
  }
  return absl::OkStatus();
}

absl::Status ValuePrinter::TakeScalar(const std::string& value, PrimRef var) {
  const ir::DType t = var->dtype();
  LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(t));
  const std::string number = scope_.names.Unique("number");
  out_.Line(t.is_floating() ? "double " : "int64_t ", number, " = 0;");
  PrintCheckedCall(absl::StrCat(t.is_floating() ? "lathe_take_float(" : "lathe_take_int(", value,
                                ", ", dtype, ", &", number, ")"),
                   out_);
  out_.Line(scope_.vars.at(var).name, " = (", CScalarType(t), ")", number, ";");
  return absl::OkStatus();
}

}  // namespace lathe::emit
