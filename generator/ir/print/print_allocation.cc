#include "generator/ir/print/print_allocation.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_stmt.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {
namespace {

std::string Element(const TirText& text, PrimRef e) {
  const auto* whole = e->As<IntImm>();
  const auto* real = e->As<FloatImm>();
  if (whole != nullptr && e->dtype().is_int()) return absl::StrCat(whole->value);
  if (real != nullptr && std::isfinite(real->value)) return FloatLiteral(real->value);
  return text.Scalar(e);
}

std::string Annotations(const TirText& text, const AllocStmt& s) {
  if (s.annotations.empty()) return "";
  return absl::StrCat(", annotations=", text.Attrs(s.annotations));
}

// Returns whether a bare pointer can express the buffer.
bool IsPlain(const Buffer& b) {
  return b.strides.empty() && b.elem_offset == nullptr && b.align == 0 && b.offset_factor == 0 &&
         b.axis_separators.empty() && !b.auto_broadcast && b.layout == nullptr &&
         b.allocated_addr.empty();
}

// T.allocate and T.allocate_const yield a pointer without a buffer.
void PrintPointer(TirText& text, const AllocStmt& s) {
  const Buffer& b = *s.buffer;
  const std::string extents = absl::StrCat("[", text.List(b.shape), "]");
  const std::string dtype = absl::StrCat("\"", ToString(b.dtype), "\"");
  std::string call;
  if (s.constant) {
    const auto add = [&](std::string* out, PrimRef e) { *out += Element(text, e); };
    call = absl::StrCat("T.allocate_const([", absl::StrJoin(*s.constant, ", ", add), "], ", dtype,
                        ", ", extents, Annotations(text, s), ")");
  } else {
    const std::string condition =
        s.condition == nullptr ? "" : absl::StrCat(", condition=", text.Scalar(s.condition));
    call = absl::StrCat("T.allocate(", extents, ", ", dtype, ", ", StringLiteral(b.scope),
                        condition, Annotations(text, s), ")");
  }
  PrintScoped(text, text.names().Of(b.data), call, s.body);
}

}  // namespace

void PrintAllocation(TirText& text, const AllocStmt& s) {
  std::optional<PrintNames::Scope> scope;
  if (s.body != nullptr) scope.emplace(text.names());
  const bool classic = text.dialect() == Dialect::kClassic;
  const bool accessed = text.mentions().accessed.contains(s.buffer);
  if (s.constant || s.condition != nullptr || (classic && !accessed && IsPlain(*s.buffer))) {
    return PrintPointer(text, s);
  }
  const std::string description = text.Description(s.buffer, false);
  // Until 0.23 T.alloc_buffer allocates in the enclosing block; allocations at this point have
  // other functions, only one of which takes annotations, with another default scope.
  std::string call;
  if (!classic) {
    call = absl::StrCat("T.alloc_buffer(", description, Annotations(text, s), ")");
  } else if (s.annotations.empty()) {
    call = absl::StrCat("T.decl_buffer(", description, ")");
  } else {
    const bool global = s.buffer->scope == "global";
    call = absl::StrCat("T.alloc_local(", description, global ? ", scope=\"global\"" : "",
                        Annotations(text, s), ")");
  }
  PrintScoped(text, text.NameWithData(s.buffer), call, s.body);
}

void PrintDeclaration(TirText& text, const DeclBufferStmt& s) {
  std::optional<PrintNames::Scope> scope;
  if (s.body != nullptr) scope.emplace(text.names());
  // External memory: T.Buffer(...) declares a pointer of its own.
  const bool view = text.names().Has(s.buffer->data);
  const std::string call =
      absl::StrCat(view ? "T.decl_buffer(" : "T.Buffer(", text.Description(s.buffer, view), ")");
  PrintScoped(text, text.NameWithData(s.buffer), call, s.body);
}

}  // namespace lathe::ir
