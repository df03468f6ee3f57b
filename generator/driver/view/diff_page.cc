#include "generator/driver/view/diff_page.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/driver/report/version.h"
#include "generator/driver/view/group_digits.h"
#include "generator/emit/text/html_text.h"
#include "generator/emit/text/render_named.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

// Rows of a list of changes; a browser shows more of them slowly.
constexpr size_t kMaxChangeRows = 2000;

std::string PageNumber(const std::optional<int64_t>& number) {
  return number ? GroupDigits(*number) : std::string("?");
}

// The bars of a figure have the larger number as their full width.
std::string BarWidth(const std::optional<int64_t>& number, const FigureChange& figure) {
  const int64_t most = std::max({figure.a.value_or(0), figure.b.value_or(0), int64_t{1}});
  return absl::StrFormat(
      "%.1f", 100.0 * static_cast<double>(number.value_or(0)) / static_cast<double>(most));
}

List FiguresView(const ModelsDiff& diff) {
  List views;
  for (const FigureChange& f : diff.figures) {
    views.push_back(Dict{{"name", emit::EscapeHtml(f.name)},
                         {"unit", f.unit},
                         {"a", PageNumber(f.a)},
                         {"b", PageNumber(f.b)},
                         {"bar_a", BarWidth(f.a, f)},
                         {"bar_b", BarWidth(f.b, f)},
                         {"kind", !f.differs()                  ? "same"
                                  : !f.a || !f.b || *f.b > *f.a ? "more"
                                                                : "less"},
                         {"change", ChangeText(f)}});
  }
  return views;
}

List LinesOf(const std::vector<std::string>& details) {
  List lines;
  for (const std::string& detail : details) {
    lines.push_back(Dict{{"text", emit::EscapeHtml(detail)}});
  }
  return lines;
}

// A row of a list of changes.
Dict ChangeView(ChangeKind kind, const std::string& place, const std::string& op,
                const std::string& name, const std::string& type,
                const std::vector<std::string>& details) {
  return {{"kind", NameOf(kind)},           {"place", emit::EscapeHtml(place)},
          {"op", emit::EscapeHtml(op)},     {"name", emit::EscapeHtml(name)},
          {"type", emit::EscapeHtml(type)}, {"details", LinesOf(details)}};
}

List OperatorRows(const OperatorsDiff& diff) {
  List rows;
  for (const OperatorChange& c : diff.changes) {
    if (rows.size() == kMaxChangeRows) break;
    const ListedOperator& op =
        c.a >= 0 ? diff.a[static_cast<size_t>(c.a)] : diff.b[static_cast<size_t>(c.b)];
    rows.push_back(ChangeView(c.kind, op.function, op.op, op.name, op.type, c.details));
  }
  return rows;
}

List StepRows(const ModelsDiff& diff) {
  List rows;
  for (const StepChange& c : diff.steps) {
    if (rows.size() == kMaxChangeRows) break;
    const std::string number = c.a < 0   ? absl::StrCat("B ", c.b)
                               : c.b < 0 ? absl::StrCat("A ", c.a)
                                         : absl::StrCat("A ", c.a, ", B ", c.b);
    rows.push_back(ChangeView(c.kind, c.function, c.op, number, "", c.details));
  }
  return rows;
}

// The data of templates/report/changes.html.tmpl.
Dict ChangesView(int64_t same, size_t count, List rows) {
  const size_t omitted = count - rows.size();
  return {{"same", GroupDigits(same)},
          {"count", GroupDigits(static_cast<int64_t>(count))},
          {"any", count > 0},
          {"has_omitted", omitted > 0},
          {"omitted", GroupDigits(static_cast<int64_t>(omitted))},
          {"rows", std::move(rows)}};
}

List ResultsView(const ModelsDiff& diff) {
  List views;
  for (const FunctionNumbers& numbers : diff.numbers) {
    const auto add = [&](const std::string& which, const std::string& type, const std::string& text,
                         const char* kind) {
      views.push_back(Dict{{"function", emit::EscapeHtml(numbers.function)},
                           {"which", which},
                           {"type", emit::EscapeHtml(type)},
                           {"text", emit::EscapeHtml(text)},
                           {"kind", kind}});
    };
    if (!numbers.not_compared.empty()) {
      add("", "", absl::StrCat("not compared: ", numbers.not_compared), "unknown");
    }
    for (size_t i = 0; i < numbers.outputs.size(); ++i) {
      const OutputDifference& output = numbers.outputs[i];
      add(absl::StrCat(i), absl::StrCat(output.dtype, " (", absl::StrJoin(output.shape, ", "), ")"),
          OutputText(output), output.differs == 0 ? "same" : "more");
    }
  }
  return views;
}

Dict SideView(const DiffTitle& side) {
  return {{"file", emit::EscapeHtml(side.file)}, {"target", emit::EscapeHtml(side.target)}};
}

}  // namespace

absl::StatusOr<std::string> DiffPage(const DiffTitle& a, const DiffTitle& b,
                                     const ModelsDiff& diff) {
  const WeightsChange& w = diff.operators.weights;
  List results = ResultsView(diff);
  const bool has_results = !results.empty();
  const Dict page = {
      {"version", std::string(Version())},
      {"a", SideView(a)},
      {"b", SideView(b)},
      {"equal", !diff.differs()},
      {"figures", FiguresView(diff)},
      // Lists of one, because a template names the data of an included one by a loop.
      {"operator_changes", List{ChangesView(diff.operators.same, diff.operators.changes.size(),
                                            OperatorRows(diff.operators))}},
      {"step_changes", List{ChangesView(diff.same_steps, diff.steps.size(), StepRows(diff))}},
      {"weights_equal", GroupDigits(w.equal)},
      {"weights_changed", GroupDigits(w.changed)},
      {"weights_added", GroupDigits(w.added)},
      {"weights_removed", GroupDigits(w.removed)},
      {"weights_largest", w.changed > 0 ? absl::StrFormat("%.4g", w.largest) : "0"},
      {"has_results", has_results},
      {"results", std::move(results)}};
  return emit::RenderNamed("report/diff.html.tmpl", Dict{{"page", page}});
}

}  // namespace lathe::driver
