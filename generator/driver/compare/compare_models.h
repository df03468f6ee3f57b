// Compares two compiled models: operators, steps, weights, memory, code and results.
#ifndef LATHE_DRIVER_COMPARE_COMPARE_MODELS_H_
#define LATHE_DRIVER_COMPARE_COMPARE_MODELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/compare/compare_numbers.h"
#include "generator/driver/compare/compare_operators.h"
#include "generator/driver/compare/compare_steps.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// A number of both models; nullopt is unknown or without bound.
struct FigureChange {
  std::string name;  // "RAM", "arena", "kernel text"
  std::string unit;  // "B", or empty for counts
  std::optional<int64_t> a, b;
  bool of_names = false;  // depends on names; ModelsDiff::differs() ignores it
  bool differs() const { return a != b; }
};

struct ModelSide {
  CompiledModel* compiled = nullptr;
  const ModelReport* report = nullptr;
};

struct ModelsDiff {
  OperatorsDiff operators;
  std::vector<FigureChange> figures;
  int64_t same_steps = 0;
  std::vector<StepChange> steps;
  std::vector<FunctionNumbers> numbers;  // empty if they are not compared
  // Returns whether the models differ in anything but figures that depend on names.
  bool differs() const;
};

// Compares two models. `seed` generates the random inputs; nullopt compares no results.
ModelsDiff CompareModels(const ModelSide& a, const ModelSide& b, std::optional<uint64_t> seed);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_COMPARE_MODELS_H_
