// Prints the results of `lathe validate`: lines of text as they come, or one JSON object at the
// end.
#ifndef LATHE_DRIVER_CLI_VALIDATE_OUTPUT_H_
#define LATHE_DRIVER_CLI_VALIDATE_OUTPUT_H_

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/driver/validate/compare_outputs.h"

namespace lathe::driver {

class ValidateOutput {
 public:
  ValidateOutput(bool as_json, std::FILE* out) : as_json_(as_json), out_(out) {}

  // Starts the comparison with the test data of this name, which is empty for generated data.
  // `names_it`: the text has a line with the name.
  void Start(absl::string_view data, bool names_it);
  // Adds lines about the current comparison.
  void Say(absl::string_view lines);
  void Add(const ComparisonTable& table);
  // Ends the current comparison.
  void End(bool passed);

  // Prints the JSON object, if any comparison ended.
  void Finish() const;

 private:
  struct Comparison {
    std::string data;
    bool ended = false;
    bool passed = false;
    std::vector<ComparedOutput> outputs;
    std::string remarks;
  };

  bool as_json_;
  std::FILE* out_;
  std::vector<Comparison> comparisons_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VALIDATE_OUTPUT_H_
