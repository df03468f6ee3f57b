#include "generator/driver/view/report_page.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generator/driver/report/version.h"
#include "generator/driver/view/find_blocks.h"
#include "generator/driver/view/group_digits.h"
#include "generator/driver/view/page_data.h"
#include "generator/driver/view/report_json.h"
#include "generator/driver/view/weight_histogram.h"
#include "generator/emit/text/html_text.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;
using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

Json BlocksAsJson(const std::vector<StepBlock>& blocks) {
  Json json = Json::array();
  for (const StepBlock& block : blocks) {
    json.push_back(Json{{"first", block.first},
                        {"last", block.last},
                        {"name", block.name},
                        {"group", block.group},
                        {"children", BlocksAsJson(block.children)}});
  }
  return json;
}

Json BlocksOf(const ir::Program& program, const RoutineReport& routine) {
  std::vector<BlockStep> steps;
  for (const StepReport& step : routine.steps) {
    const bool constant = absl::c_all_of(step.flow.reads, [&](ir::TensorId id) {
      return program.tensors[program.Whole(id)].home == ir::Home::kConstant;
    });
    steps.push_back({step.node.empty() ? step.name : step.node, step.flow.producers, constant});
  }
  return BlocksAsJson(FindBlocks(steps));
}

// Lists which inputs of the function a step reads, as [input, step], and which outputs it writes,
// as [step, output].
void AddPorts(const ir::Program& program, const RoutineReport& routine, Json& function) {
  std::map<int32_t, size_t> inputs, outputs;  // by the tensors that own the bytes
  const auto number = [&](const std::vector<ir::TensorId>& ids, std::map<int32_t, size_t>& into) {
    for (size_t i = 0; i < ids.size(); ++i) into[program.Whole(ids[i]).index] = i;
  };
  number(routine.inputs, inputs);
  number(routine.outputs, outputs);
  Json feeds = Json::array(), yields = Json::array();
  for (size_t i = 0; i < routine.steps.size(); ++i) {
    for (ir::TensorId id : routine.steps[i].flow.reads) {
      const auto it = inputs.find(program.Whole(id).index);
      if (it != inputs.end()) feeds.push_back(Json::array({it->second, i}));
    }
    for (ir::TensorId id : routine.steps[i].flow.writes) {
      const auto it = outputs.find(program.Whole(id).index);
      if (it != outputs.end()) yields.push_back(Json::array({i, it->second}));
    }
  }
  function["feeds"] = std::move(feeds);
  function["yields"] = std::move(yields);
}

// Lists the kernels with their text and the steps that call them, as [function, step].
Json KernelsAsJson(const GeneratedModel& model, const ModelReport& report) {
  std::map<int32_t, Json> calls;
  for (size_t f = 0; f < report.routines.size(); ++f) {
    const std::vector<StepReport>& steps = report.routines[f].steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kernel_id.valid())
        calls[steps[i].kernel_id.index].push_back(Json::array({f, i}));
    }
  }
  Json kernels = Json::array();
  for (const auto& [index, steps] : calls) {
    const ir::KernelId id{index};
    kernels.push_back(Json{{"name", model.kernels[id].name.str()},
                           {"calls", steps},
                           {"source", model.kernels[id].text}});
  }
  return kernels;
}

Json WeightsAsJson(const ir::Program& program, const ModelReport& report) {
  std::map<int32_t, Json> readers;  // of each constant
  for (size_t f = 0; f < report.routines.size(); ++f) {
    const std::vector<StepReport>& steps = report.routines[f].steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      for (ir::TensorId id : steps[i].flow.reads) {
        const ir::Tensor& whole = program.tensors[program.Whole(id)];
        if (whole.home != ir::Home::kConstant) continue;
        readers[whole.constant.index].push_back(Json::array({f, i}));
      }
    }
  }
  Json weights = Json::array();
  for (ir::TensorId id : program.ConstantsInUse()) {
    const ir::Tensor& tensor = program.tensors[id];
    const ir::Constant& constant = program.constants[tensor.constant];
    const WeightHistogram h = HistogramOf(constant);
    weights.push_back(Json{{"name", tensor.name},
                           {"dtype", ir::ToString(constant.dtype)},
                           {"shape", constant.shape},
                           {"bytes", constant.bytes->size()},
                           {"calls", readers[tensor.constant.index]},
                           {"elements", h.elements},
                           {"read", h.read},
                           {"zeros", h.zeros},
                           {"not_finite", h.not_finite},
                           {"least", h.least},
                           {"most", h.most},
                           {"mean", h.mean},
                           {"deviation", h.deviation},
                           {"bins", h.bins}});
  }
  return weights;
}

List PortsView(const ModelReport& report, const RoutineReport& routine) {
  List ports;
  for (const auto* ids : {&routine.inputs, &routine.outputs}) {
    for (ir::TensorId id : *ids) {
      const TensorReport& t = report.tensors[id];
      ports.push_back(Dict{
          {"function", emit::EscapeHtml(routine.name)},
          {"direction", ids == &routine.inputs ? "input" : "output"},
          {"name", emit::EscapeHtml(t.name)},
          {"type", emit::EscapeHtml(absl::StrCat(t.dtype, " (", absl::StrJoin(t.shape, ", "),
                                                 t.shape.size() == 1 ? ",)" : ")"))},
          {"bytes", t.bytes ? GroupDigits(*t.bytes) : "symbolic"},
          {"scale",
           t.scale ? absl::StrFormat("scale %.6g, zero point %d", t.scale->factor, t.scale->zero)
                   : std::string()}});
    }
  }
  return ports;
}

// Groups digits with spaces at which lines do not break.
std::string Grouped(int64_t number) {
  return absl::StrReplaceAll(GroupDigits(number), {{" ", "\u00a0"}});
}

// A number with its meaning, at the top of the page.
Dict FactView(absl::string_view name, const std::string& value, absl::string_view note) {
  return {{"name", std::string(name)}, {"value", value}, {"note", emit::EscapeHtml(note)}};
}

List FactsView(const ModelReport& report) {
  List facts;
  const RamReport& ram = report.ram;
  const auto bytes = [](int64_t count) { return absl::StrCat(Grouped(count), "\u00a0B"); };
  const char* more = report.open || ram.open ? " and more for dynamic sizes" : "";
  if (report.on_gpus) {
    facts.push_back(FactView("Workspace", bytes(ram.arena),
                             absl::StrCat("lower bound ", bytes(report.lower_bound), more)));
    facts.push_back(FactView("GPU launches", Grouped(report.launches), "in one run"));
  } else {
    facts.push_back(
        FactView("RAM", bytes(ram.total()),
                 absl::StrCat("arena ", Grouped(ram.arena), " + inputs ", Grouped(ram.inputs),
                              " + outputs ", Grouped(ram.outputs),
                              ram.state > 0 ? absl::StrCat(" + state ", Grouped(ram.state)) : "",
                              " + instance ", Grouped(ram.instance), more)));
    facts.push_back(FactView("Arena", bytes(ram.arena),
                             absl::StrCat("lower bound ", bytes(report.lower_bound), ", gap ",
                                          Grouped(ram.arena - report.lower_bound), more)));
  }
  facts.push_back(FactView("Weights", bytes(report.weights), "constants that the steps read"));
  facts.push_back(FactView("MACs", report.macs ? Grouped(*report.macs) : "unknown",
                           report.macs ? "multiply-accumulate operations of one run"
                                       : "depend on sizes or on the number of iterations"));
  if (const auto& m = report.measures) {
    facts.push_back(
        FactView("Flash", bytes(m->flash()),
                 absl::StrCat("weights ", Grouped(m->weights), " + code ", Grouped(m->sizes.text),
                              " + tables ", Grouped(m->flash() - m->weights - m->sizes.text))));
    facts.push_back(FactView("Stack", m->stack ? bytes(*m->stack) : "no bound",
                             m->stack ? m->stack_path : absl::StrJoin(m->stack_unbounded, ", ")));
  }
  return facts;
}

List BudgetsView(const std::vector<BudgetLine>& budgets) {
  List views;
  for (const BudgetLine& budget : budgets) {
    const bool over = !budget.used || *budget.used > budget.limit;
    const double part = !budget.used       ? 100
                        : budget.limit > 0 ? 100.0 * static_cast<double>(*budget.used) /
                                                 static_cast<double>(budget.limit)
                                           : (*budget.used > 0 ? 100 : 0);
    views.push_back(
        Dict{{"what", emit::EscapeHtml(budget.what)},
             {"used", budget.used ? absl::StrCat(GroupDigits(*budget.used), " B") : "no bound"},
             {"limit", absl::StrCat(GroupDigits(budget.limit), " B")},
             {"percent", budget.used ? absl::StrFormat("%.1f %%", part) : std::string("over")},
             {"width", absl::StrFormat("%.1f", std::min(part, 100.0))},
             {"over", over}});
  }
  return views;
}

}  // namespace

absl::StatusOr<std::string> ReportPage(const CompiledModel& compiled, const ModelReport& report,
                                       const std::string& measured_with,
                                       const std::vector<BudgetLine>& budgets) {
  Json data = ReportAsJson(compiled, report, measured_with);
  for (size_t f = 0; f < report.routines.size(); ++f) {
    data["functions"][f]["blocks"] = BlocksOf(compiled.model.program, report.routines[f]);
    AddPorts(compiled.model.program, report.routines[f], data["functions"][f]);
  }
  data["kernels"] = KernelsAsJson(compiled.model, report);
  data["weights"] = WeightsAsJson(compiled.model.program, report);
  List ports;
  size_t steps = 0;
  for (const RoutineReport& routine : report.routines) {
    steps += routine.steps.size();
    if (!routine.exported) continue;
    for (TemplateValue& port : PortsView(report, routine)) ports.push_back(std::move(port));
  }
  const std::string size =
      absl::StrCat(GroupDigits(static_cast<int64_t>(steps)), " steps, ",
                   GroupDigits(static_cast<int64_t>(data["kernels"].size())), " kernels, ",
                   GroupDigits(static_cast<int64_t>(data["weights"].size())), " weights");
  const Dict view = {
      {"name", emit::EscapeHtml(compiled.name)},
      {"target", emit::EscapeHtml(compiled.gpus ? compiled.gpus->name() : compiled.target->name)},
      {"has_numerics", !compiled.numerics.empty()},
      {"numerics", emit::EscapeHtml(compiled.numerics)},
      {"size", size},
      {"has_measures", report.measures.has_value()},
      {"measured_with", emit::EscapeHtml(measured_with)},
      {"version", std::string(Version())},
      {"facts", FactsView(report)},
      {"has_budgets", !budgets.empty()},
      {"budgets", BudgetsView(budgets)},
      {"has_ports", !ports.empty()},
      {"ports", std::move(ports)},
      {"data", PageData(std::move(data))}};
  return emit::RenderNamed("report/report.html.tmpl", Dict{{"page", view}});
}

}  // namespace lathe::driver
