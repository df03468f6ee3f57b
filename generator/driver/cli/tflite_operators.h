// Prints the table of TFLite operators for 'lathe ops --from tflite'.
#ifndef LATHE_DRIVER_CLI_TFLITE_OPERATORS_H_
#define LATHE_DRIVER_CLI_TFLITE_OPERATORS_H_

#include <string>

namespace lathe::driver {

std::string TfliteOperatorsAsText();
std::string TfliteOperatorsAsMarkdown();
std::string TfliteOperatorsAsJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_TFLITE_OPERATORS_H_
