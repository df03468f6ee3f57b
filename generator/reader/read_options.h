// Defines the options of all readers.
#ifndef LATHE_READER_READ_OPTIONS_H_
#define LATHE_READER_READ_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/reader/onnx/read_onnx.h"
#include "generator/reader/tflite/read_tflite.h"

namespace lathe {

// An input of which a step takes new frames.
struct StreamSpec {
  std::string input;        // "frames" stands for any
  std::optional<int> axis;  // nothing: the only one that can be streamed
  int64_t frames = 0;       // new ones
};

struct ReadOptions : onnx::ReadOptions {
  tflite::IoTypes io_types = tflite::IoTypes::kAsRead;
  std::vector<std::string> taps = {};  // values to add to the results
  std::vector<StreamSpec> streams = {};
  bool pads_at_start = false;  // streams pad along time before the first frame only
};

}  // namespace lathe

#endif  // LATHE_READER_READ_OPTIONS_H_
