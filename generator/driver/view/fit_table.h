// Renders the table of boards that a model fits or does not fit.
#ifndef LATHE_DRIVER_VIEW_FIT_TABLE_H_
#define LATHE_DRIVER_VIEW_FIT_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/estimate_time.h"
#include "generator/target/common_boards.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

struct FitRow {
  const CommonBoard* board = nullptr;
  std::string why_not_compiled;  // one line; if it is not empty, the needs are unknown
  std::string why_not_measured;  // one line; empty if the code was measured, or without a compiler
  std::string why_no_stack;      // the call without a bound; empty with one, and if not measured
  std::optional<int64_t> ram;    // needed, with the stack if its bound is known
  std::optional<int64_t> stack;  // nullopt: not measured, or no bound
  std::optional<int64_t> flash;  // needed
  bool measured = false;         // false: `flash` is of the weights alone
  TimeEstimate time;

  // Unknown needs do not fit, except those that no compiler measured.
  bool fits() const {
    return ram && flash && (stack || !measured) && why_not_measured.empty() && *ram <= board->ram &&
           *flash <= board->flash;
  }
};

struct FitTable {
  std::string model;
  size_t functions = 1;  // that the model exports
  std::vector<FitRow> rows;
};

// Sorts by: boards that fit first, then less RAM, less flash, name.
void SortFit(FitTable& table);

std::string FitAsText(const FitTable& table);
std::string FitAsCsv(const FitTable& table);
std::string FitAsMarkdown(const FitTable& table);
nlohmann::ordered_json FitAsJson(const FitTable& table);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_FIT_TABLE_H_
