// Compares the steps of two compiled programs. A step that joins or fuses layers is paired with all
// steps that compute these layers in the other program.
#ifndef LATHE_DRIVER_COMPARE_COMPARE_STEPS_H_
#define LATHE_DRIVER_COMPARE_COMPARE_STEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generator/driver/compare/compare_operators.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// A step that only one of the compiled programs has, or that differs between them.
struct StepChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string function;
  int a = -1, b = -1;                // numbers of the steps; of several, the first
  std::string op;                    // "relax.nn.conv2d + relax.add"
  std::vector<std::string> details;  // of a changed one: "form: loops -> tiles 4x8"
};

struct StepsDiff {
  int64_t same = 0;
  std::vector<StepChange> changes;
};

StepsDiff CompareSteps(const ModelReport& a, const ModelReport& b);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_COMPARE_STEPS_H_
