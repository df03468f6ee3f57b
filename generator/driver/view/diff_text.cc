#include "generator/driver/view/diff_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/driver/view/group_digits.h"
#include "generator/emit/text/html_text.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

// Entries of a list of changes in the text.
constexpr size_t kShownChanges = 40;

std::string FigureText(const FigureChange& figure, const std::optional<int64_t>& number) {
  if (!number) return "?";
  return absl::StrCat(GroupDigits(*number), figure.unit.empty() ? "" : " ", figure.unit);
}

int64_t CountOf(const std::vector<OperatorChange>& changes, ChangeKind kind) {
  return std::count_if(changes.begin(), changes.end(),
                       [&](const OperatorChange& c) { return c.kind == kind; });
}
int64_t CountOf(const std::vector<StepChange>& changes, ChangeKind kind) {
  return std::count_if(changes.begin(), changes.end(),
                       [&](const StepChange& c) { return c.kind == kind; });
}

template <typename Changes>
std::string CountsText(const char* what, int64_t same, const Changes& changes) {
  return absl::StrFormat("%-10s %d same, %d added, %d removed, %d changed\n", what, same,
                         CountOf(changes, ChangeKind::kAdded),
                         CountOf(changes, ChangeKind::kRemoved),
                         CountOf(changes, ChangeKind::kChanged));
}

char MarkOf(ChangeKind kind) {
  return kind == ChangeKind::kAdded ? '+' : kind == ChangeKind::kRemoved ? '-' : '~';
}

void AppendDetails(const std::vector<std::string>& details, std::string& out) {
  for (const std::string& detail : details) {
    absl::StrAppend(&out, "      ", emit::VisibleText(detail), "\n");
  }
}

void AppendOmitted(size_t count, std::string& out) {
  if (count <= kShownChanges) return;
  absl::StrAppend(&out, "  and ", count - kShownChanges, " more; --json lists all\n");
}

void AppendOperators(const OperatorsDiff& diff, std::string& out) {
  absl::StrAppend(&out, CountsText("operators", diff.same, diff.changes));
  for (size_t i = 0; i < std::min(diff.changes.size(), kShownChanges); ++i) {
    const OperatorChange& change = diff.changes[i];
    const ListedOperator& op = change.a >= 0 ? diff.a[static_cast<size_t>(change.a)]
                                             : diff.b[static_cast<size_t>(change.b)];
    absl::StrAppend(&out, "  ", std::string(1, MarkOf(change.kind)), " ", emit::VisibleText(op.op),
                    op.name.empty() ? "" : absl::StrCat(" '", emit::VisibleText(op.name), "'"),
                    " in ", emit::VisibleText(op.function),
                    change.kind == ChangeKind::kChanged || op.type.empty()
                        ? ""
                        : absl::StrCat(": ", emit::VisibleText(op.type)),
                    "\n");
    AppendDetails(change.details, out);
  }
  AppendOmitted(diff.changes.size(), out);
}

void AppendStepChanges(const ModelsDiff& diff, std::string& out) {
  absl::StrAppend(&out, CountsText("steps", diff.same_steps, diff.steps));
  for (size_t i = 0; i < std::min(diff.steps.size(), kShownChanges); ++i) {
    const StepChange& change = diff.steps[i];
    const std::string number = change.a < 0   ? absl::StrCat("#", change.b)
                               : change.b < 0 ? absl::StrCat("#", change.a)
                                              : absl::StrCat("#", change.a, ", #", change.b);
    absl::StrAppend(&out, "  ", std::string(1, MarkOf(change.kind)), " ", number, " ",
                    emit::VisibleText(change.op), " in ", emit::VisibleText(change.function), "\n");
    AppendDetails(change.details, out);
  }
  AppendOmitted(diff.steps.size(), out);
}

Json FigureAsJson(const std::optional<int64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json IndexOrNull(int index) { return index < 0 ? Json(nullptr) : Json(index); }

Json OperatorChangesAsJson(const OperatorsDiff& diff) {
  Json changes = Json::array();
  for (const OperatorChange& change : diff.changes) {
    const ListedOperator& op = change.a >= 0 ? diff.a[static_cast<size_t>(change.a)]
                                             : diff.b[static_cast<size_t>(change.b)];
    changes.push_back(Json{{"kind", NameOf(change.kind)},
                           {"function", op.function},
                           {"op", op.op},
                           {"name", op.name},
                           {"type", op.type},
                           {"details", change.details}});
  }
  return {{"same", diff.same}, {"changes", std::move(changes)}};
}

Json StepChangesAsJson(const ModelsDiff& diff) {
  Json changes = Json::array();
  for (const StepChange& change : diff.steps) {
    changes.push_back(Json{{"kind", NameOf(change.kind)},
                           {"function", change.function},
                           {"op", change.op},
                           {"a", IndexOrNull(change.a)},
                           {"b", IndexOrNull(change.b)},
                           {"details", change.details}});
  }
  return {{"same", diff.same_steps}, {"changes", std::move(changes)}};
}

Json NumbersAsJson(const ModelsDiff& diff) {
  Json functions = Json::array();
  for (const FunctionNumbers& numbers : diff.numbers) {
    Json outputs = Json::array();
    for (const OutputDifference& output : numbers.outputs) {
      outputs.push_back(Json{{"dtype", output.dtype},
                             {"shape", output.shape},
                             {"max_difference", output.largest},
                             {"differing", output.differs},
                             {"elements", output.elements}});
    }
    functions.push_back(Json{
        {"function", numbers.function},
        {"not_compared", numbers.not_compared.empty() ? Json(nullptr) : Json(numbers.not_compared)},
        {"sizes", Json(numbers.sizes)},
        {"outputs", std::move(outputs)}});
  }
  return functions;
}

}  // namespace

std::string ChangeText(const FigureChange& figure) {
  if (!figure.a || !figure.b) return figure.differs() ? "?" : "0";
  const int64_t change = *figure.b - *figure.a;
  if (change == 0) return "0";
  std::string text = absl::StrCat(change > 0 ? "+" : "", GroupDigits(change));
  if (*figure.a != 0) {
    absl::StrAppendFormat(&text, " (%+.1f %%)",
                          100.0 * static_cast<double>(change) / static_cast<double>(*figure.a));
  }
  return text;
}

std::string OutputText(const OutputDifference& output) {
  if (output.differs == 0) return "equal";
  return absl::StrFormat("max |d| %.3g, %d of %d elements differ", output.largest, output.differs,
                         output.elements);
}

std::string DiffText(const DiffTitle& a, const DiffTitle& b, const ModelsDiff& diff) {
  std::string out = absl::StrCat("A  ", emit::VisibleText(a.file), " for ", a.target, "\nB  ",
                                 emit::VisibleText(b.file), " for ", b.target, "\n\n");
  absl::StrAppendFormat(&out, "%-13s %18s %18s   %s\n", "", "A", "B", "change");
  for (const FigureChange& figure : diff.figures) {
    absl::StrAppendFormat(&out, "%-13s %18s %18s   %s\n", figure.name, FigureText(figure, figure.a),
                          FigureText(figure, figure.b), ChangeText(figure));
  }
  out += "\n";
  AppendOperators(diff.operators, out);
  AppendStepChanges(diff, out);
  const WeightsChange& w = diff.operators.weights;
  absl::StrAppendFormat(&out, "%-10s %d equal, %d changed", "weights", w.equal, w.changed);
  if (w.changed > 0) absl::StrAppendFormat(&out, " (max |d| %.3g)", w.largest);
  absl::StrAppendFormat(&out, ", %d added, %d removed\n", w.added, w.removed);
  for (const FunctionNumbers& numbers : diff.numbers) {
    const std::string name = emit::VisibleText(numbers.function);
    if (!numbers.not_compared.empty()) {
      absl::StrAppendFormat(&out, "%-10s %s is not compared: %s\n", "results", name,
                            emit::VisibleText(numbers.not_compared));
    }
    for (size_t i = 0; i < numbers.outputs.size(); ++i) {
      const OutputDifference& output = numbers.outputs[i];
      absl::StrAppendFormat(&out, "%-10s %s %d: %s (%s): %s\n", "results", name, i, output.dtype,
                            absl::StrJoin(output.shape, ", "), OutputText(output));
    }
  }
  absl::StrAppend(&out, diff.differs() ? "the models differ\n" : "the models are equal\n");
  return out;
}

nlohmann::ordered_json DiffAsJson(const DiffTitle& a, const DiffTitle& b, const ModelsDiff& diff) {
  Json figures = Json::array();
  for (const FigureChange& figure : diff.figures) {
    figures.push_back(Json{{"name", figure.name},
                           {"unit", figure.unit.empty() ? Json(nullptr) : Json(figure.unit)},
                           {"a", FigureAsJson(figure.a)},
                           {"b", FigureAsJson(figure.b)}});
  }
  const WeightsChange& w = diff.operators.weights;
  return {{"schema_version", 1},
          {"equal", !diff.differs()},
          {"a", Json{{"file", a.file}, {"target", a.target}}},
          {"b", Json{{"file", b.file}, {"target", b.target}}},
          {"figures", std::move(figures)},
          {"operators", OperatorChangesAsJson(diff.operators)},
          {"steps", StepChangesAsJson(diff)},
          {"weights", Json{{"equal", w.equal},
                           {"changed", w.changed},
                           {"added", w.added},
                           {"removed", w.removed},
                           {"max_difference", w.largest}}},
          {"results", NumbersAsJson(diff)}};
}

}  // namespace lathe::driver
