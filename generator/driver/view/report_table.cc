#include "generator/driver/view/report_table.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/view/group_digits.h"
#include "generator/emit/text/html_text.h"

namespace lathe::driver {
namespace {

using Row = std::vector<std::string>;

std::string NumberOrNothing(const std::optional<int64_t>& number) {
  return number ? absl::StrCat(*number) : std::string();
}

std::string TypeText(const TensorReport& tensor) {
  return absl::StrCat(tensor.dtype, "(", absl::StrJoin(tensor.shape, ","), ")");
}

std::string TypesText(const ModelReport& report, const std::vector<ir::TensorId>& ids) {
  std::vector<std::string> types;
  for (ir::TensorId id : ids) types.push_back(TypeText(report.tensors[id]));
  return absl::StrJoin(types, " ");
}

void AppendCsv(const Row& fields, std::string& out) {
  std::vector<std::string> written;
  for (const std::string& field : fields) written.push_back(CsvField(field));
  absl::StrAppend(&out, absl::StrJoin(written, ","), "\n");
}

const std::string& PoolOf(const ModelReport& report, const BufferReport& buffer) {
  static const std::string arena = "arena";
  return report.pools.empty() ? arena : report.pools[buffer.pool].name;
}

// A row of Markdown. Numbers are written as they are.
void AppendRow(const Row& cells, std::string& out) {
  absl::StrAppend(&out, "| ", absl::StrJoin(cells, " | "), " |\n");
}

void AppendLayers(const ModelReport& report, const RoutineReport& routine, std::string& out) {
  AppendRow({"#", "Operator", "Result", "Output", "MACs", "Weights", "Live", "Code", "Kernel"},
            out);
  AppendRow({"--:", "---", "---", "---", "--:", "--:", "--:", "--:", "---"}, out);
  const auto shown = [](const std::optional<int64_t>& number) {
    return number ? GroupDigits(*number) : std::string("?");
  };
  for (size_t i = 0; i < routine.steps.size(); ++i) {
    const StepReport& s = routine.steps[i];
    const std::string code = s.kernel.empty() ? "" : s.inlined ? "inlined" : shown(s.code);
    AppendRow({absl::StrCat(i), MarkdownCell(s.op), MarkdownCell(s.name),
               MarkdownCell(TypesText(report, s.flow.writes)), shown(s.macs),
               GroupDigits(s.weights), shown(s.live), code,
               MarkdownCell(s.form.empty() ? s.kernel : absl::StrCat(s.kernel, ": ", s.form))},
              out);
  }
}

void AppendBuffers(const ModelReport& report, const RoutineReport& routine, std::string& out) {
  AppendRow({"Tensor", "Pool", "Offset", "Bytes", "First step", "Last step"}, out);
  AppendRow({"---", "---", "--:", "--:", "--:", "--:"}, out);
  for (const BufferReport& b : routine.buffers) {
    AppendRow({MarkdownCell(b.name), MarkdownCell(PoolOf(report, b)), GroupDigits(b.offset),
               GroupDigits(b.bytes), absl::StrCat(b.first), absl::StrCat(b.last)},
              out);
  }
}

}  // namespace

std::string CsvField(absl::string_view text) {
  std::string visible = emit::VisibleLine(text);
  const bool computes =
      !visible.empty() && absl::string_view("=+-@").find(visible[0]) != absl::string_view::npos;
  if (computes) visible.insert(0, 1, '\'');
  if (visible.find_first_of(",\"") == visible.npos) return visible;
  return absl::StrCat("\"", absl::StrJoin(absl::StrSplit(visible, '"'), "\"\""), "\"");
}

std::string MarkdownCell(absl::string_view text) {
  std::string out;
  for (char c : emit::VisibleText(text)) {
    if (absl::string_view("\\`*_[]<>|~&#!").find(c) != absl::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string LayersAsCsv(const ModelReport& report) {
  std::string out;
  AppendCsv({"function", "step", "name", "op", "kernel", "form", "inputs", "outputs", "macs",
             "weights_bytes", "live_bytes", "text_bytes", "inlined", "floats", "place"},
            out);
  for (const RoutineReport& routine : report.routines) {
    for (size_t i = 0; i < routine.steps.size(); ++i) {
      const StepReport& s = routine.steps[i];
      AppendCsv({routine.name, absl::StrCat(i), s.name, s.op, s.kernel, s.form,
                 TypesText(report, s.flow.reads), TypesText(report, s.flow.writes),
                 NumberOrNothing(s.macs), absl::StrCat(s.weights), NumberOrNothing(s.live),
                 NumberOrNothing(s.code), s.inlined ? "true" : "false", s.floats, s.place},
                out);
    }
  }
  return out;
}

std::string BuffersAsCsv(const ModelReport& report) {
  std::string out;
  AppendCsv({"function", "name", "pool", "offset", "bytes", "first_step", "last_step"}, out);
  for (const RoutineReport& routine : report.routines) {
    for (const BufferReport& b : routine.buffers) {
      AppendCsv({routine.name, b.name, PoolOf(report, b), absl::StrCat(b.offset),
                 absl::StrCat(b.bytes), absl::StrCat(b.first), absl::StrCat(b.last)},
                out);
    }
  }
  return out;
}

std::string ReportAsMarkdown(const CompiledModel& compiled, const ModelReport& report,
                             const std::string& totals) {
  std::string out =
      absl::StrCat("# ", MarkdownCell(compiled.name), " for ", MarkdownCell(compiled.target->name),
                   "\n\n```text\n", totals, "```\n");
  for (const RoutineReport& routine : report.routines) {
    absl::StrAppend(&out, "\n## ", MarkdownCell(routine.name), "\n\n");
    AppendLayers(report, routine, out);
    if (routine.buffers.empty()) continue;
    absl::StrAppend(&out, "\n### Memory of ", MarkdownCell(routine.name), "\n\n");
    AppendBuffers(report, routine, out);
  }
  return out;
}

}  // namespace lathe::driver
