#include "generator/emit/cuda/print_host_kernel.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

constexpr int64_t kMaxBytesOfParam = 8;

std::string InBraces(const std::string& head, const std::string& lines) {
  std::string text = absl::StrCat(head, " {\n");
  for (absl::string_view line : absl::StrSplit(lines, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, "  ", line, "\n");
  }
  return text + "}";
}

}  // namespace

absl::StatusOr<PrintedHostKernel> PrintHostKernel(ir::Context& context, const ir::Kernel& kernel,
                                                  CNames& file_names, CNeeds& needs) {
  const CName name = file_names.Unique(absl::StrCat(needs.prefix, "_", kernel.name));
  const std::string given = file_names.Unique(absl::StrCat(name, "_given"));
  const std::string now = file_names.Unique(absl::StrCat(name, "_now"));
  // The scalar arguments may have any value.
  const std::vector<analysis::Interval> ranges(kernel.scalars.size());
  LATHE_ASSIGN_OR_RETURN(PrintedKernel loops, PrintKernel(context, kernel, ranges, name, needs));
  PrintedHostKernel printed;
  if (!loops.functions.empty()) printed.functions.push_back(loops.functions);
  printed.functions.push_back(InBraces(loops.signature, loops.body));

  // Names that end with '_' are local to the printed code: parameters have no such names.
  LineWriter members(2);
  std::vector<std::string> args, values = loops.names;
  for (const std::string& declaration : loops.declarations) {
    members.Line(declaration, ";");
  }
  for (const std::string& param : loops.names) args.push_back(absl::StrCat("given->", param));
  if (loops.fails) {
    members.Line("int32_t *failed_;");
    values.emplace_back("place_->failed");
  }
  printed.functions.push_back(InBraces("struct " + given, members.Take()) + ";");
  const std::string call = absl::StrCat(name, "(", absl::StrJoin(args, ", "), ")");
  LineWriter body(2);
  body.Line("const ", given, " *const given = (const ", given, " *)memory;");
  body.Line(loops.fails ? absl::StrCat("lathe_note(given->failed_, ", call, ");") : call + ";");
  printed.functions.push_back(
      InBraces(absl::StrCat("static void CUDART_CB ", now, "(void *memory)"), body.Take()));

  printed.kernel = std::move(loops);
  printed.kernel.functions.clear();
  printed.kernel.name = file_names.Unique(absl::StrCat(needs.prefix, "_launch_", kernel.name));
  std::vector<std::string> params = printed.kernel.declarations;
  params.emplace_back("const lathe_place *place_");
  printed.kernel.signature =
      absl::StrCat("int ", printed.kernel.name, "(", absl::StrJoin(params, ", "), ")");
  LineWriter enqueues(2);
  enqueues.Line("LATHE_RANGE(\"", name, "\");");
  enqueues.Line("const ", given, " given_ = {", absl::StrJoin(values, ", "), "};");
  enqueues.Line("return lathe_on_host(place_, ", now, ", given_);");
  printed.kernel.body = enqueues.Take();
  printed.given_bytes = kMaxBytesOfParam * static_cast<int64_t>(values.size());
  return printed;
}

absl::StatusOr<std::vector<HostCallee>> PrintHostCallees(ir::Context& context, std::string text,
                                                         CNeeds& needs) {
  std::vector<HostCallee> callees;
  std::set<std::string> done;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, callee] : needs.callees) {
      if (!MentionsName(text, callee.name) || !done.insert(name).second) continue;
      LATHE_ASSIGN_OR_RETURN(PrintedCallee function, PrintCallee(context, callee, needs));
      text += function.body;
      callees.push_back({name, std::move(function)});
      more = true;
    }
  }
  return callees;
}

}  // namespace lathe::emit
