#include "generator/emit/print_packed.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_c_expr.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;
using ir::TensorId;

// The two numbers that say a dtype: "LATHE_DT_FLOAT, 32".
absl::StatusOr<std::string> DTypeArgs(ir::DType t) {
  const bool known = !CType(t).empty();
  const char* code = t.is_bool()                       ? "BOOL"
                     : t.code == ir::TypeCode::kBFloat ? "BFLOAT"
                     : t.is_floating()                 ? "FLOAT"
                     : t.code == ir::TypeCode::kUInt   ? "UINT"
                                                       : "INT";
  if (!known) return CannotPrint(absl::StrCat("an argument of ", ToString(t)));
  return absl::StrCat("LATHE_DT_", code, ", ", int{t.bits}, "u");
}

// As C and C++ read it back, whatever comes behind it.
std::string CString(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '?') {
      absl::StrAppend(&out, "\\", std::string(1, c));
    } else if (c == '\n' || c == '\t') {
      absl::StrAppend(&out, c == '\n' ? "\\n" : "\\t");
    } else if (absl::ascii_isprint(static_cast<unsigned char>(c))) {
      out.push_back(c);
    } else {
      absl::StrAppendFormat(&out, "\\%03o", static_cast<unsigned char>(c));
    }
  }
  return out + "\"";
}

class PackedPrinter {
 public:
  PackedPrinter(CScope& scope, const ir::Program& program, SpellTensor spell, LineWriter& out)
      : scope_(scope), program_(program), spell_(spell), out_(out) {}

  absl::Status Print(const ir::PackedStep& step, const std::string& callee,
                     const std::string& memory_size) {
    const std::string result = scope_.names.Unique("result");
    std::string args = "NULL";
    if (!step.args.empty()) {
      LATHE_ASSIGN_OR_RETURN(args, Array("args", step.args));
    }
    out_.Line("lathe_value ", result, ";");
    LATHE_ASSIGN_OR_RETURN(const std::string memory, spell_(step.memory));
    Checked(absl::StrCat("lathe_call_packed(", callee, ", ", args, ", ", step.args.size(), "u, ",
                         memory, ", ", memory_size, ", &", result, ")"));
    return Take(absl::StrCat("&", result), step.result);
  }

 private:
  void Checked(const std::string& call) {
    out_.Line("status = ", call, ";");
    out_.Line("if (status != LATHE_OK) {");
    out_.Line("  return status;");
    out_.Line("}");
  }

  // An array of these values; its name.
  absl::StatusOr<std::string> Array(absl::string_view hint, const std::vector<ir::Form>& values) {
    std::vector<std::string> texts;
    for (const ir::Form& value : values) {
      LATHE_ASSIGN_OR_RETURN(std::string text, ValueOf(value));
      texts.push_back(std::move(text));
    }
    const std::string name = scope_.names.Unique(hint);
    out_.Line("lathe_value ", name, "[", values.size(), "];");
    for (size_t i = 0; i < texts.size(); ++i) out_.Line(name, "[", i, "] = ", texts[i], ";");
    return name;
  }

  // An array of these sizes, "NULL" when there are none.
  absl::StatusOr<std::string> Sizes(const std::vector<PrimRef>& dims) {
    if (dims.empty()) return std::string("NULL");
    const std::string name = scope_.names.Unique("sizes");
    out_.Line("int64_t ", name, "[", dims.size(), "];");
    for (size_t i = 0; i < dims.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(const std::string dim, PrintCExpr(scope_, dims[i]));
      out_.Line(name, "[", i, "] = ", dim, ";");
    }
    return name;
  }

  // An expression of type lathe_value; lines it needs come before.
  absl::StatusOr<std::string> ValueOf(const ir::Form& form) {
    using Text = absl::StatusOr<std::string>;
    return Match(
        form.node, [&](const ir::Nothing&) -> Text { return std::string("lathe_from_null()"); },
        [&](TensorId id) -> Text {
          const ir::Tensor& tensor = program_.tensors[id];
          LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(tensor.dtype));
          LATHE_ASSIGN_OR_RETURN(const std::string data, spell_(id));
          LATHE_ASSIGN_OR_RETURN(const std::string sizes, Sizes(tensor.shape));
          return absl::StrCat("lathe_from_tensor(", data, ", ", dtype, ", ", sizes, ", ",
                              tensor.shape.size(), ")");
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
          return absl::StrCat("lathe_from_shape(", sizes, ", ", shape.dims.size(), ")");
        },
        [&](const ir::TupleForm& tuple) -> Text {
          std::string fields = "NULL";
          if (!tuple.fields.empty()) {
            LATHE_ASSIGN_OR_RETURN(fields, Array("fields", tuple.fields));
          }
          return absl::StrCat("lathe_from_tuple(", fields, ", ", tuple.fields.size(), "u)");
        },
        [&](const ir::StringImm& s) -> Text {
          return absl::StrCat("lathe_from_string(", CString(s.value), ", ", s.value.size(), "u)");
        },
        [&](const ir::DTypeImm& d) -> Text {
          LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(d.dtype));
          return absl::StrCat("lathe_from_dtype(", dtype, ")");
        },
        [&](ir::GlobalId) -> Text { return CannotPrint("a function as an argument"); },
        [&](const ir::ExternFunc&) -> Text { return CannotPrint("a function as an argument"); },
        [&](const ir::ClosureForm&) -> Text { return CannotPrint("a closure as an argument"); },
        [&](const ir::ChoiceForm&) -> Text { return CannotPrint("a closure as an argument"); });
  }

  // `value` is an expression of type const lathe_value *.
  absl::Status Take(const std::string& value, const ir::Form& form) {
    if (const auto* id = form.As<TensorId>()) {
      const ir::Tensor& tensor = program_.tensors[*id];
      LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(tensor.dtype));
      LATHE_ASSIGN_OR_RETURN(const std::string data, spell_(*id));
      LATHE_ASSIGN_OR_RETURN(const std::string sizes, Sizes(tensor.shape));
      Checked(absl::StrCat("lathe_take_tensor(", value, ", ", data, ", ", dtype, ", ", sizes, ", ",
                           tensor.shape.size(), ")"));
    } else if (const auto* scalar = form.As<PrimRef>()) {
      LATHE_RETURN_IF_ERROR(TakeScalar(value, *scalar));
    } else if (const auto* shape = form.As<ir::ShapeForm>()) {
      if (shape->dims.empty()) return absl::OkStatus();
      const std::string dims = scope_.names.Unique("dims");
      out_.Line("int64_t ", dims, "[", shape->dims.size(), "];");
      Checked(absl::StrCat("lathe_take_shape(", value, ", ", dims, ", ", shape->dims.size(), ")"));
      for (size_t i = 0; i < shape->dims.size(); ++i) {
        out_.Line(scope_.vars.at(shape->dims[i]).name, " = ", dims, "[", i, "];");
      }
    } else if (const auto* tuple = form.As<ir::TupleForm>()) {
      const std::string fields = scope_.names.Unique("given");
      out_.Line("const lathe_value *", fields, ";");
      Checked(absl::StrCat("lathe_take_tuple(", value, ", &", fields, ", ", tuple->fields.size(),
                           "u)"));
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        LATHE_RETURN_IF_ERROR(Take(absl::StrCat("&", fields, "[", i, "]"), tuple->fields[i]));
      }
      if (tuple->fields.empty()) out_.Line("(void)", fields, ";");
    }
    return absl::OkStatus();
  }

  absl::Status TakeScalar(const std::string& value, PrimRef var) {
    const ir::DType t = var->dtype();
    LATHE_ASSIGN_OR_RETURN(const std::string dtype, DTypeArgs(t));
    const std::string number = scope_.names.Unique("number");
    out_.Line(t.is_floating() ? "double " : "int64_t ", number, " = 0;");
    Checked(absl::StrCat(t.is_floating() ? "lathe_take_float(" : "lathe_take_int(", value, ", ",
                         dtype, ", &", number, ")"));
    out_.Line(scope_.vars.at(var).name, " = (", CScalarType(t), ")", number, ";");
    return absl::OkStatus();
  }

  CScope& scope_;
  const ir::Program& program_;
  SpellTensor spell_;
  LineWriter& out_;
};

}  // namespace

absl::Status PrintPackedStep(CScope& scope, const ir::Program& program, const ir::PackedStep& step,
                             const std::string& callee, const std::string& memory_size,
                             SpellTensor spell, LineWriter& out) {
  scope.needs.headers.insert("\"lathe/packed.h\"");
  out.Line("{ /* ", step.function, " */");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(
        PackedPrinter(scope, program, spell, out).Print(step, callee, memory_size));
  }
  out.Line("}");
  return absl::OkStatus();
}

std::string PackedPrototype(const std::string& symbol) {
  return absl::StrCat("int ", symbol,
                      "(const lathe_host *host, lathe_call *call, const lathe_value *args,\n"
                      "    size_t num_args, lathe_value *result);");
}

}  // namespace lathe::emit
