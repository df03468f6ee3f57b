// Renders the steps and the buffers of a compiled model as CSV and Markdown tables.
#ifndef LATHE_DRIVER_VIEW_REPORT_TABLE_H_
#define LATHE_DRIVER_VIEW_REPORT_TABLE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// Returns one row for each step, after a row with the names of the columns (RFC 4180, lines end
// with \n). Unknown numbers are empty. A text that a spreadsheet would compute begins with an
// apostrophe.
std::string LayersAsCsv(const ModelReport& report);

// Returns one row for each tensor of the arena or the pools.
std::string BuffersAsCsv(const ModelReport& report);

// Returns a document with the text `totals`, and tables of the steps and buffers of each function.
std::string ReportAsMarkdown(const CompiledModel& compiled, const ModelReport& report,
                             const std::string& totals);

// Returns `text` as a field of CSV, and as the content of a cell of Markdown.
std::string CsvField(absl::string_view text);
std::string MarkdownCell(absl::string_view text);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_REPORT_TABLE_H_
