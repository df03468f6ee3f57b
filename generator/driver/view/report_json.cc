#include "generator/driver/view/report_json.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "generator/driver/origin.h"
#include "generator/support/sha256.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(const std::optional<int64_t>& number) { return number ? Json(*number) : Json(nullptr); }
Json OrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// A size of a shape: a number, or the expression of a symbolic size.
Json SizeAsJson(const std::string& size) {
  int64_t number = 0;
  return absl::SimpleAtoi(size, &number) ? Json(number) : Json(size);
}

Json TensorAsJson(const TensorReport& tensor) {
  Json shape = Json::array();
  for (const std::string& size : tensor.shape) shape.push_back(SizeAsJson(size));
  Json json = {{"name", tensor.name},
               {"dtype", tensor.dtype},
               {"shape", std::move(shape)},
               {"bytes", OrNull(tensor.bytes)}};
  if (tensor.scale) {
    json["scale"] = tensor.scale->factor;
    json["zero_point"] = tensor.scale->zero;
  }
  return json;
}

Json TensorsAsJson(const ModelReport& report, const std::vector<ir::TensorId>& ids) {
  Json json = Json::array();
  for (ir::TensorId id : ids) json.push_back(TensorAsJson(report.tensors[id]));
  return json;
}

Json StepAsJson(const ModelReport& report, const StepReport& s) {
  Json origin = Json::array();
  for (absl::string_view line : absl::StrSplit(s.origin, '\n', absl::SkipEmpty())) {
    origin.push_back(std::string(line));
  }
  return {{"name", s.name},
          {"op", s.op},
          {"kernel", OrNull(s.kernel)},
          {"form", OrNull(s.form)},
          {"floats", OrNull(s.floats)},
          {"macs", OrNull(s.macs)},
          {"weights_bytes", s.weights},
          {"live_bytes", OrNull(s.live)},
          {"text_bytes", OrNull(s.code)},
          {"inlined", s.inlined},
          {"place", OrNull(s.place)},
          {"origin", std::move(origin)},
          {"producers", s.flow.producers},
          {"inputs", TensorsAsJson(report, s.flow.reads)},
          {"outputs", TensorsAsJson(report, s.flow.writes)}};
}

Json BuffersAsJson(const ModelReport& report, const RoutineReport& routine) {
  Json buffers = Json::array();
  for (const BufferReport& b : routine.buffers) {
    buffers.push_back(
        Json{{"name", b.name},
             {"pool", report.pools.empty() ? Json("arena") : Json(report.pools[b.pool].name)},
             {"offset", b.offset},
             {"bytes", b.bytes},
             {"first_step", b.first},
             {"last_step", b.last}});
  }
  return buffers;
}

Json RoutineAsJson(const ModelReport& report, const RoutineReport& routine) {
  Json steps = Json::array();
  for (const StepReport& s : routine.steps) steps.push_back(StepAsJson(report, s));
  Json peaks = Json::array();
  for (const PeakReport& peak : routine.peaks) {
    peaks.push_back(Json{{"pool", peak.pool}, {"bytes", peak.bytes}, {"step", peak.step}});
  }
  return {{"name", routine.name},
          {"exported", routine.exported},
          {"arena_bytes", routine.ram},
          {"arena_lower_bound", routine.lower_bound},
          {"arena_grows", routine.open},
          {"peak_bytes", routine.peaks[0].bytes},
          {"peak_step", routine.peaks[0].step},
          {"peak_owners", routine.peaks[0].owners},
          {"inputs", TensorsAsJson(report, routine.inputs)},
          {"outputs", TensorsAsJson(report, routine.outputs)},
          {"steps", std::move(steps)},
          {"buffers", BuffersAsJson(report, routine)},
          {"peaks", std::move(peaks)}};
}

Json TotalsAsJson(const ModelReport& report, const std::string& measured_with) {
  Json flash = nullptr, stack = nullptr, known = nullptr, path = nullptr, unbounded = nullptr;
  if (const auto& m = report.measures) {
    flash = Json{{"text", m->sizes.text},
                 {"rodata", m->sizes.rodata},
                 {"data", m->sizes.data},
                 {"weights", m->weights}};
    stack = OrNull(m->stack);
    known = m->stack_known;
    path = m->stack_path;
    unbounded = m->stack_unbounded;
  }
  Json pools = Json::array();
  for (const plan::PoolUse& pool : report.pools) {
    pools.push_back(Json{{"name", pool.name},
                         {"size", pool.limit > 0 ? Json(pool.limit) : Json(nullptr)},
                         {"bytes", pool.size},
                         {"lower_bound", pool.lower_bound},
                         {"tensors", pool.tensors}});
  }
  return {{"pools", std::move(pools)},
          {"macs", OrNull(report.macs)},
          {"weights_bytes", report.weights},
          {"ram_bytes", report.ram.open || report.open ? Json(nullptr) : Json(report.ram.total())},
          {"arena_bytes", report.ram.arena},
          {"input_bytes", report.ram.inputs},
          {"output_bytes", report.ram.outputs},
          {"state_bytes", report.ram.state},
          {"instance_bytes", report.ram.instance},
          {"arena_lower_bound", report.lower_bound},
          {"arena_grows", report.open},
          {"stack_bytes", stack},
          {"stack_known_bytes", known},
          {"stack_path", path},
          {"stack_unbounded", unbounded},
          {"serial_kernels", report.serial},
          {"launches", report.on_gpus ? Json(report.launches) : Json(nullptr)},
          {"flash", flash},
          {"measured_with", OrNull(measured_with)}};
}

Json StreamAsJson(const StreamReport& stream) {
  Json inputs = Json::array();
  for (const StreamedInputReport& input : stream.inputs) {
    inputs.push_back({{"name", input.name},
                      {"axis", input.axis},
                      {"frames", input.frames},
                      {"window", input.window}});
  }
  return {{"inputs", std::move(inputs)},
          {"pads_at_start", stream.pads_at_start},
          {"window_macs", OrNull(stream.window_macs)},
          {"from_windows", stream.from_windows}};
}

}  // namespace

nlohmann::ordered_json ReportAsJson(const CompiledModel& compiled, const ModelReport& report,
                                    const std::string& measured_with) {
  Json functions = Json::array();
  for (const RoutineReport& routine : report.routines) {
    functions.push_back(RoutineAsJson(report, routine));
  }
  Json json = {{"schema_version", 1},
               {"model", Json{{"name", compiled.name},
                              {"file", FileName(compiled.file->path())},
                              {"sha256", Sha256Of(compiled.file->text())}}},
               {"target", std::string(compiled.target->name)},
               {"numerics", OrNull(compiled.numerics)},
               {"totals", TotalsAsJson(report, measured_with)},
               {"functions", std::move(functions)}};
  if (compiled.stream) json["stream"] = StreamAsJson(*compiled.stream);
  return json;
}

nlohmann::ordered_json PeaksAsJson(const std::vector<PeakExplanation>& peaks) {
  Json all = Json::array();
  for (const PeakExplanation& peak : peaks) {
    Json tensors = Json::array(), changes = Json::array(), pools = Json::array();
    for (const PeakTensor& t : peak.tensors) {
      tensors.push_back(Json{{"name", t.name},
                             {"type", OrNull(t.type)},
                             {"bytes", t.bytes},
                             {"offset", t.offset},
                             {"first_step", t.first},
                             {"last_step", t.last},
                             {"scratch", t.scratch},
                             {"shares", t.shares}});
    }
    for (const PeakChange& c : peak.changes) {
      changes.push_back(Json{{"kind", c.kind}, {"what", c.what}, {"bytes", c.bytes}});
    }
    for (const PoolChoice& p : peak.pools) {
      pools.push_back(Json{{"fast_bytes", p.fast}, {"slow_bytes", p.slow}});
    }
    all.push_back(Json{{"function", peak.routine},
                       {"pool", peak.pool},
                       {"size", peak.size},
                       {"lower_bound", peak.lower_bound},
                       {"grows", peak.open},
                       {"bytes", peak.bytes},
                       {"steps", peak.steps},
                       {"tensors", std::move(tensors)},
                       {"changes", std::move(changes)},
                       {"pools", std::move(pools)}});
  }
  return all;
}

std::string JsonText(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lathe::driver
