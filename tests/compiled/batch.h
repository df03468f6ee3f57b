// Many compiled programs in one executable: most of the time a compiler takes is starting and
// linking.
#ifndef LATHE_TESTS_COMPILED_BATCH_H_
#define LATHE_TESTS_COMPILED_BATCH_H_

#include <string>
#include <vector>

#include "generator/driver/compare_parts.h"
#include "generator/driver/host_program.h"
#include "tests/compiled/compiled_program.h"

namespace lathe::compiled {

// Builds `programs`, whose names differ, in `folder`, and runs each with memory filled with 0xAA
// and with 0x55. What is wrong with each; empty where nothing is. Where they do not build together,
// each is built alone.
std::vector<std::string> Problems(const std::vector<CompiledProgram>& programs,
                                  const driver::HostTools& tools, const std::string& folder);

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_BATCH_H_
