// Builds the part of the template dictionary for the struct members of an exported function that
// the C and CUDA templates share.
#ifndef LATHE_EMIT_C_PORT_VIEW_H_
#define LATHE_EMIT_C_PORT_VIEW_H_

#include <string>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/c/ports.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// A member of the struct of inputs or outputs.
struct Member {
  const Port* port = nullptr;
  CName name;
  // The C expression of the member in the exported function: "in->x".
  std::string place;
  // The prefix of its macros: "NET_IN_X" for a tensor, "NET_N" for a scalar.
  std::string macro = {};
};

// Returns true if the input variable `var` is a size, which is not negative: an int64 that the
// context does not mark as signed.
bool IsSize(const ir::Context& context, ir::PrimRef var);

// Returns the range that the program declares for `var`, or null if it declares none.
const ir::Range* DeclaredRange(const ir::Routine& routine, ir::PrimRef var);

// Prints the condition under which `place`, the C expression of `var`, is out of range. Returns an
// empty text if every value is valid.
std::string UnfitSize(const Model& model, const ir::Routine& routine, ir::PrimRef var,
                      absl::string_view place);

// Returns the comment of a scalar member: "a size, 1 to 8: n of the program".
std::string ScalarComment(const Model& model, const ir::Routine& routine, const Member& member,
                          ir::PrimRef var);

// Returns whether the header converts elements of the input or output from and to real numbers:
// those of 8 or 16 bits with a scale, and a zero point among their integers.
bool HasConversions(const ir::Tensor& t);

// Returns the description of `member` for the emitted API.
ApiPort ApiPortOf(const Model& model, const Member& member);

// Returns the dictionary of a member: its declaration, its size and a comment. The comment of a
// scalar is generic; the caller may replace it.
TemplateValue::Dict MemberView(const Model& model, const Member& member, bool output);

// Sets member.macro. `side` is "_IN_" or "_OUT_".
void NameMacros(Model& model, const CName& prefix, absl::string_view side, Member& member);

// Adds the checks of an exported function's arguments to `view`: no pointer is null, sizes that the
// program declares equal are equal, and all values are in range.
void AddChecks(const Model& model, const ir::Routine& routine, const std::vector<Member>& inputs,
               const std::vector<Member>& outputs, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PORT_VIEW_H_
