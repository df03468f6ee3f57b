// Builds short texts of Relax programs.
#ifndef LATHE_TESTS_KERNELS_PROGRAM_TEXT_H_
#define LATHE_TESTS_KERNELS_PROGRAM_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lathe::kernels {

using Dims = std::vector<int64_t>;

// R.const of small float32 numbers that repeat late.
std::string Constant(const Dims& shape);

// "(2, 3,)"
std::string Shape(const Dims& dims);

// "x: R.Tensor((2, 3,), "float32")"
std::string Param(const char* name, const std::string& shape);

// What each line computes of those before it; `out` is returned.
std::string Program(const std::string& params, const std::vector<std::string>& lines);

}  // namespace lathe::kernels

#endif  // LATHE_TESTS_KERNELS_PROGRAM_TEXT_H_
