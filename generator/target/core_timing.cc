#include "generator/target/core_timing.h"

namespace lathe {
namespace {

constexpr CoreTiming Thumb1(absl::string_view core) {
  return {core,       {3.9, 107}, {14.3, 1.6},
          {160, 100}, {8, 126},   {60, 900},
          1.0,        1.5,        "MLPerf Tiny 1.2 on a Cortex-M0+"};
}

constexpr CoreTiming Dsp(absl::string_view core, double low, double high, absl::string_view basis) {
  return {core, {0.82, 13.4}, {3.55, 0.4}, {7.1, 5}, {5, 18}, {5, 80}, low, high, basis};
}

constexpr CoreTiming SoftFloat(absl::string_view core, WorkCost product, WorkCost depthwise,
                               WorkCost element, absl::string_view basis) {
  return {core, product, depthwise, {76, 60}, element, {45, 700}, 1.1, 1.75, basis};
}

constexpr CoreTiming Helium(absl::string_view core, double low, double high,
                            absl::string_view basis) {
  return {core, {0.155, 8}, {1.3, 0.14}, {6.1, 10}, {5, 20}, {5, 80}, low, high, basis};
}

constexpr CoreTiming kCoreTimings[] = {
    Thumb1("Cortex-M0"),
    Thumb1("Cortex-M0+"),
    // Loads and branches take as many cycles as on the Cortex-M4, for which there are figures.
    SoftFloat("Cortex-M3", {2, 15}, {5.75, 0.6}, {5, 34}, "that of the Cortex-M4"),
    SoftFloat("Cortex-M4", {0.82, 13.4}, {3.55, 0.4}, {5, 18},
              "MLPerf Tiny 1.0, the same code on an STM32L4R5"),
    Dsp("Cortex-M4F", 1.1, 1.75, "MLPerf Tiny 1.0, the same code on an STM32L4R5"),
    // 0.54 to 0.62 of the cycles that the same libraries take on a Cortex-M4.
    Dsp("Cortex-M7", 0.65, 1.1, "MLPerf Tiny 1.2, Cortex-M7 beside Cortex-M4"),
    Dsp("Cortex-M33", 1.1, 1.4, "MLPerf Tiny 1.0, the same code on an nRF5340"),
    Helium("Cortex-M55", 1.0, 2.0, "one or two cycles for each vector instruction"),
    Helium("Cortex-M85", 0.8, 1.0, "MLPerf Tiny 1.2 on an RA8D1"),
};

}  // namespace

const CoreTiming* FindCoreTiming(absl::string_view core) {
  for (const CoreTiming& timing : kCoreTimings) {
    if (timing.core == core) return &timing;
  }
  return nullptr;
}

}  // namespace lathe
