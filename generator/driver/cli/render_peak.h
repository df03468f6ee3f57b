// Renders explanations of the peak as text.
#ifndef LATHE_DRIVER_CLI_RENDER_PEAK_H_
#define LATHE_DRIVER_CLI_RENDER_PEAK_H_

#include <string>
#include <vector>

#include "generator/driver/explain_peak.h"
#include "generator/driver/model_report.h"

namespace lathe::driver {

// Renders, for each memory, the steps of its peak, the tensors that are alive there, and what would
// lower it. `report` is of the model that the peaks are of.
std::string RenderPeaks(const std::vector<PeakExplanation>& peaks, const ModelReport& report);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RENDER_PEAK_H_
