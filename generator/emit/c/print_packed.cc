#include "generator/emit/c/print_packed.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/text/c_string.h"
#include "generator/emit/text/comment_text.h"
#include "generator/lower/keeps_result.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// Returns the C expression of the function, of type lathe_packed_fn.
std::string Callee(const Model& model, ir::RoutineId id, const std::string& function) {
  if (!model.TakesExterns(id)) return model.extern_symbols.at(function);
  const auto at = std::find(model.externs.begin(), model.externs.end(), function);
  return absl::StrCat("externs[", at - model.externs.begin(), "]");
}

// Returns the arguments for the memory in which the function allocates: its address and size, or
// the region and its floor if the result is kept.
absl::StatusOr<std::string> RoomFor(const Model& model, FrameText& frame,
                                    const ir::PackedStep& step, SpellTensor spell) {
  if (lower::KeepsResult(model.program, step)) {
    return absl::StrCat("region, ", AddressOf(model.arena(), frame.free_offset()));
  }
  const ir::Tensor& memory = model.program.tensors[step.memory];
  const std::optional<int64_t> bytes = memory.bytes();
  std::string size = absl::StrCat(bytes.value_or(0), "u");
  if (!bytes) {
    LATHE_ASSIGN_OR_RETURN(size, frame.Bytes(memory.dtype, memory.shape));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string place, spell(step.memory));
  return absl::StrCat(place, ", ", size);
}

absl::Status Print(const Model& model, ir::RoutineId id, CScope& scope, FrameText& frame,
                   const ir::PackedStep& step, SpellTensor spell, LineWriter& out) {
  const bool keeps = lower::KeepsResult(model.program, step);
  LATHE_ASSIGN_OR_RETURN(const std::string room, RoomFor(model, frame, step, spell));
  ValuePrinter values(scope, model.program, spell, "", out);
  if (keeps) values.Lend();
  const std::string result = scope.names.Unique("result");
  std::string args = "NULL";
  if (!step.args.empty()) {
    LATHE_ASSIGN_OR_RETURN(args, values.Array("args", step.args));
  }
  out.Line("lathe_value ", result, ";");
  const int device = model.program.tensors[step.memory].device;
  model.dialect.CallPacked(
      scope.names,
      {Callee(model, id, step.function), args, step.args.size(), room, keeps, device, result}, out);
  return values.Take(absl::StrCat("&", result), step.result, [&](const std::string& tensor) {
    return model.dialect.TakeTensor(tensor, device);
  });
}

}  // namespace

absl::Status PrintPackedStep(Model& model, ir::RoutineId id, CScope& scope, FrameText& frame,
                             const ir::PackedStep& step, SpellTensor spell, LineWriter& out) {
  model.dialect.IncludePacked(scope.needs);
  out.Line("{ /* ", CommentText(step.function), " */");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(Print(model, id, scope, frame, step, spell, out));
  }
  out.Line("}");
  return absl::OkStatus();
}

TemplateValue::List PackedFunctions(const Model& model) {
  TemplateValue::List functions;
  for (const std::string& function : model.externs) {
    const auto symbol = model.extern_symbols.find(function);
    functions.push_back(TemplateValue::Dict{
        {"literal", CString(function)},
        {"comment", CommentText(absl::StrCat("\"", function, "\""))},
        {"prototype",
         symbol == model.extern_symbols.end()
             ? ""
             : absl::StrCat("int ", symbol->second,
                            "(const lathe_host *host, lathe_call *call, const lathe_value *args,\n"
                            "    size_t num_args, lathe_value *result);")}});
  }
  return functions;
}

}  // namespace lathe::emit
