// Compares text with an expected text in a file.
#ifndef LATHE_TESTS_SUPPORT_GOLDEN_H_
#define LATHE_TESTS_SUPPORT_GOLDEN_H_

#include <string>

namespace lathe {

// Expects the file at `path` to equal `actual`; with UPDATE_GOLDENS=1 in the environment, writes
// it.
void ExpectGolden(const std::string& path, const std::string& actual);

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_GOLDEN_H_
