// Defines the options of all readers.
#ifndef LATHE_READER_READ_OPTIONS_H_
#define LATHE_READER_READ_OPTIONS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/read_onnx.h"
#include "generator/reader/tflite/read_tflite.h"

namespace lathe {

struct ReadOptions : onnx::ReadOptions {
  tflite::IoTypes io_types = tflite::IoTypes::kAsRead;
  std::vector<std::string> taps = {};  // values to add to the results
};

}  // namespace lathe

#endif  // LATHE_READER_READ_OPTIONS_H_
