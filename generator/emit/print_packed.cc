#include "generator/emit/print_packed.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/print_checked_call.h"
#include "generator/lower/keeps_result.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

absl::Status Print(CScope& scope, const ir::Program& program, const ir::PackedStep& step,
                   const std::string& callee, const std::string& room, SpellTensor spell,
                   LineWriter& out) {
  const bool keeps = lower::KeepsResult(program, step);
  ValuePrinter values(scope, program, spell, "", out);
  if (keeps) values.Lend();
  const std::string result = scope.names.Unique("result");
  std::string args = "NULL";
  if (!step.args.empty()) {
    LATHE_ASSIGN_OR_RETURN(args, values.Array("args", step.args));
  }
  out.Line("lathe_value ", result, ";");
  PrintCheckedCall(absl::StrCat(keeps ? "lathe_call_keeping(" : "lathe_call_packed(", callee, ", ",
                                args, ", ", step.args.size(), "u, ", room, ", &", result, ")"),
                   out);
  return values.Take(absl::StrCat("&", result), step.result);
}

}  // namespace

absl::Status PrintPackedStep(CScope& scope, const ir::Program& program, const ir::PackedStep& step,
                             const std::string& callee, const std::string& room, SpellTensor spell,
                             LineWriter& out) {
  scope.needs.headers.insert("\"lathe/packed.h\"");
  out.Line("{ /* ", step.function, " */");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(Print(scope, program, step, callee, room, spell, out));
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
