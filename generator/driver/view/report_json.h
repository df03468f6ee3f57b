// Describes a compiled model as JSON: the document of `lathe analyze --json`, which the page of
// `lathe report` and `lathe diff` use too. docs/schemas/analyze.schema.json is its schema.
#ifndef LATHE_DRIVER_VIEW_REPORT_JSON_H_
#define LATHE_DRIVER_VIEW_REPORT_JSON_H_

#include <string>
#include <vector>

#include "generator/driver/compile_model.h"
#include "generator/driver/explain_peak.h"
#include "generator/driver/model_report.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

// `measured_with` is the compiler command; empty without measures. Unknown numbers are null.
nlohmann::ordered_json ReportAsJson(const CompiledModel& compiled, const ModelReport& report,
                                    const std::string& measured_with);

// Returns the member "peaks" of the document, with --explain-peak.
nlohmann::ordered_json PeaksAsJson(const std::vector<PeakExplanation>& peaks);

// Renders `json` as a document for files and pipes. Bytes that are not UTF-8 become U+FFFD.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_REPORT_JSON_H_
