// Compares Lathe's verdict on a program with that of TVM's test.
#ifndef LATHE_TESTS_CONFORMANCE_VERDICTS_H_
#define LATHE_TESTS_CONFORMANCE_VERDICTS_H_

#include <nlohmann/json.hpp>
#include <string>

namespace lathe::conformance {

// Prints the verdicts that are not ours, and how many agree. `table` has a line for each deliberate
// difference, "test_file.py::test_name  reason"; those are counted apart.
void PrintVerdicts(const nlohmann::json& results, const std::string& table);

}  // namespace lathe::conformance

#endif  // LATHE_TESTS_CONFORMANCE_VERDICTS_H_
