// What the templates of C and of CUDA read alike of a member of an exported function's structs.
#ifndef LATHE_EMIT_C_PORT_VIEW_H_
#define LATHE_EMIT_C_PORT_VIEW_H_

#include <string>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/c/ports.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

struct Member {
  const Port* port = nullptr;
  CName name;
  std::string place;       // where the function reads it: "in->x"
  std::string macro = {};  // of a tensor: "NET_IN_X"; of a scalar: "NET_N"
};

// Of the variables that come in, those that are no sizes are signed.
bool IsSize(const ir::Context& context, ir::PrimRef var);

// The range that the program declares for `var`; null where it declares none.
const ir::Range* DeclaredRange(const ir::Routine& routine, ir::PrimRef var);

// The condition that `place`, which gives `var`, is no size that a run takes; empty for a number.
std::string UnfitSize(const Model& model, const ir::Routine& routine, ir::PrimRef var,
                      absl::string_view place);

// "a size, 1 to 8: n of the program".
std::string ScalarComment(const Model& model, const ir::Routine& routine, const Member& member,
                          ir::PrimRef var);

ApiPort ApiPortOf(const Model& model, const Member& member);

// Its declaration, how large it is, and a comment; a scalar's is up to the caller.
TemplateValue::Dict MemberView(const Model& model, const Member& member, bool output);

// Gives the member its macro: `side` is "_IN_" or "_OUT_".
void NameMacros(Model& model, const CName& prefix, absl::string_view side, Member& member);

// What an exported function checks before it runs: pointers that are missing, sizes that differ
// and are one, and what is not in its range.
void AddChecks(const Model& model, const ir::Routine& routine, const std::vector<Member>& inputs,
               const std::vector<Member>& outputs, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PORT_VIEW_H_
