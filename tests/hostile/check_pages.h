// Checks that names of a program change only texts of the pages of `lathe report` and `lathe diff`.
#ifndef LATHE_TESTS_HOSTILE_CHECK_PAGES_H_
#define LATHE_TESTS_HOSTILE_CHECK_PAGES_H_

#include <string>

#include "generator/driver/compile_model.h"

namespace lathe::hostile {

// The pages of a compiled model.
struct Pages {
  std::string report;
  std::string diff;  // with all operators removed
};
Pages PagesOf(driver::CompiledModel& compiled);

// Returns what is wrong with the pages of a hostile name; empty: nothing. Their tags must be those
// of the pages of a harmless name, and their data JSON without markup.
std::string CheckPages(const Pages& made, const Pages& benign);

}  // namespace lathe::hostile

#endif  // LATHE_TESTS_HOSTILE_CHECK_PAGES_H_
