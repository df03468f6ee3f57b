#include "generator/emit/c/print_moves.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::TensorId;

absl::StatusOr<std::string> MovePrinter::Spell(TensorId used) {
  TensorId id = used;
  for (;; id = program_.tensors[id].base) {
    if (const auto it = spelled_.find(id); it != spelled_.end()) return it->second;
    if (program_.tensors[id].home != ir::Home::kView) break;
  }
  const ir::Tensor& tensor = program_.tensors[id];
  if (tensor.home == ir::Home::kConstant) {
    return model_.constants.at({tensor.constant, tensor.device});
  }
  return frame_.Pointer(id);
}

bool MovePrinter::IsWritable(TensorId id) const {
  id = program_.Whole(id);
  const ir::Tensor& tensor = program_.tensors[id];
  if (tensor.home == ir::Home::kInput) return model_.written.contains(id);
  if (tensor.home == ir::Home::kPointer) return tensor.written;
  return tensor.home != ir::Home::kConstant;
}

absl::Status MovePrinter::DefinePointer(TensorId pointer, LineWriter& out) {
  const ir::Tensor& tensor = program_.tensors[pointer];
  const absl::string_view type = CType(tensor.dtype);
  if (type.empty()) {
    return CannotPrint(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)));
  }
  const std::string name = spelled_[pointer] = scope_.names.Unique(tensor.name);
  out.Line(tensor.written ? "" : "const ", type, " *", name, " = NULL;");
  pointers_.push_back(name);
  return absl::OkStatus();
}

absl::Status MovePrinter::Point(TensorId pointer, TensorId to, LineWriter& out) {
  LATHE_ASSIGN_OR_RETURN(const std::string value, Spell(to));
  out.Line(spelled_.at(pointer), " = ", value, ";");
  return absl::OkStatus();
}

absl::Status MovePrinter::View(TensorId view, LineWriter& out) {
  const ir::Tensor& tensor = program_.tensors[view];
  const std::string type(CType(tensor.dtype));
  if (type.empty()) {
    return CannotPrint(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string base, Spell(tensor.base));
  LATHE_ASSIGN_OR_RETURN(const std::string offset, PrintCIndex(scope_, tensor.byte_offset));
  const std::string written = IsWritable(view) ? "" : "const ";
  const std::string name = scope_.names.Unique(tensor.name);
  const std::string bytes =
      offset == "0" ? base
                    : AddressOf(absl::StrCat("((", written, "uint8_t *)", base, ")"), offset);
  out.Line(written, type, " *const ", name, " = (", written, type, " *)(", written, "void *)",
           bytes, ";");
  spelled_[view] = name;
  return absl::OkStatus();
}

absl::StatusOr<std::string> MovePrinter::BytesOf(TensorId id) {
  const ir::Tensor& tensor = program_.tensors[id];
  if (const auto bytes = tensor.bytes()) return absl::StrCat(*bytes, "u");
  const bool shares = ir::IsPacked(tensor.dtype);
  std::string text = absl::StrCat(shares ? 1 : ir::StorageBytes(tensor.dtype, 1), "u");
  for (ir::PrimRef dim : tensor.shape) {
    LATHE_ASSIGN_OR_RETURN(const std::string size, PrintCIndex(scope_, dim));
    const bool plain = size.find_first_of(" (") == std::string::npos;
    absl::StrAppend(&text, " * (size_t)", plain ? size : absl::StrCat("(", size, ")"));
  }
  if (!shares) return text;
  model_.needs.headers.insert("\"lathe/bits.h\"");
  return absl::StrCat("lathe_packed_bytes(", text, ", ", int{tensor.dtype.bits}, "u)");
}

absl::StatusOr<std::string> MovePrinter::ElementsOf(TensorId id) {
  const ir::Tensor& tensor = program_.tensors[id];
  if (const auto count = tensor.elements()) return absl::StrCat(*count, "u");
  std::string elements;
  for (ir::PrimRef dim : tensor.shape) {
    LATHE_ASSIGN_OR_RETURN(const CText size, PrintCIndexValue(scope_, dim));
    absl::StrAppend(&elements, elements.empty() ? "" : " * ", "(size_t)", size.In(kPrefix));
  }
  return elements;
}

absl::Status MovePrinter::ClearAfter(TensorId id, LineWriter& out) {
  const ir::Tensor& tensor = program_.tensors[id];
  if (!ir::IsPacked(tensor.dtype)) return absl::OkStatus();
  const std::optional<int64_t> count = tensor.elements();
  const int64_t width = tensor.dtype.bits;
  if (count && *count * width % 8 == 0) return absl::OkStatus();
  LATHE_ASSIGN_OR_RETURN(const std::string place, Spell(id));
  LATHE_ASSIGN_OR_RETURN(const std::string elements, ElementsOf(id));
  model_.needs.headers.insert("\"lathe/bits.h\"");
  out.Line("lathe_clear_after(", place, ", ", elements, ", ", width, "u);");
  return absl::OkStatus();
}

absl::Status MovePrinter::Copy(TensorId from, TensorId to, LineWriter& out) {
  LATHE_ASSIGN_OR_RETURN(const std::string source, Spell(from));
  LATHE_ASSIGN_OR_RETURN(const std::string place, Spell(to));
  if (program_.tensors[from].is_value()) {
    out.Line("*", place, " = *", source, ";");
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const std::string size, BytesOf(from));
  model_.dialect.Copy(model_, current_,
                      {program_.tensors[from], program_.tensors[to], source, place, size}, out);
  return absl::OkStatus();
}

absl::Status MovePrinter::Fill(TensorId tensor, LineWriter& out) {
  LATHE_ASSIGN_OR_RETURN(const std::string place, Spell(tensor));
  LATHE_ASSIGN_OR_RETURN(const std::string size, BytesOf(tensor));
  return model_.dialect.Fill(*this, tensor, place, size, out);
}

absl::Status MovePrinter::Return(const std::vector<TensorId>& tensors, LineWriter& out) {
  return model_.dialect.Return(*this, tensors, out);
}

absl::Status MovePrinter::GiveSizes(TensorId from, TensorId to, const std::string& capacity,
                                    LineWriter& out) {
  const ir::Tensor& tensor = program_.tensors[from];
  LATHE_ASSIGN_OR_RETURN(const std::string shape, Spell(program_.tensors[to].sizes));
  model_.needs.headers.insert("\"lathe/scalar.h\"");
  std::string elements = "1u";
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(const std::string dim, PrintCExpr(scope_, tensor.shape[i]));
    out.Line(shape, "[", i, "] = ", dim, ";");
    elements = absl::StrCat("lathe_scaled(", elements, ", ", dim, ")");
  }
  out.Line("if (", elements, " > lathe_scaled(1u, ", capacity, ")) {");
  out.Line("  return LATHE_E_MEMORY;");
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace lathe::emit
