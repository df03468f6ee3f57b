// The ways to compile and run one program, whose results must be equal.
#ifndef LATHE_TESTS_DIFFERENTIAL_WAYS_H_
#define LATHE_TESTS_DIFFERENTIAL_WAYS_H_

#include <string>
#include <vector>

namespace lathe::differential {

struct Way {
  std::string name;
  std::vector<std::string> words;  // of lathe validate
  std::string missing;             // what is not installed, or not in this processor; else empty
};

// Fused and not, for plain C, wider vectors, a processor and a board that are emulated, and a GPU
// that is. Each in C is run with the arena as it is planned, and with bytes of its own for each
// tensor and guards around it.
std::vector<Way> AllWays();

}  // namespace lathe::differential

#endif  // LATHE_TESTS_DIFFERENTIAL_WAYS_H_
