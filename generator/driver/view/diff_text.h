// Renders the comparison of two models as text and as JSON.
#ifndef LATHE_DRIVER_VIEW_DIFF_TEXT_H_
#define LATHE_DRIVER_VIEW_DIFF_TEXT_H_

#include <string>

#include "generator/driver/compare/compare_models.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

// The name of a side for the reader: its file and target.
struct DiffTitle {
  std::string file;
  std::string target;
};

// Returns the text. Long lists are truncated with the number of the omitted entries.
std::string DiffText(const DiffTitle& a, const DiffTitle& b, const ModelsDiff& diff);

// docs/schemas/diff.schema.json is the schema. Unknown numbers are null.
nlohmann::ordered_json DiffAsJson(const DiffTitle& a, const DiffTitle& b, const ModelsDiff& diff);

// Returns "+1 204 (+3.1 %)", "?" if one number is unknown, or "0" if both are equal or unknown.
std::string ChangeText(const FigureChange& figure);

// Returns "max |d| 1.2e-07, 3 of 10 elements differ", or "equal".
std::string OutputText(const OutputDifference& output);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_DIFF_TEXT_H_
