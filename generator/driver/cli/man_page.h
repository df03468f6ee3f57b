// Generates manual pages in roff from the table of verbs.
#ifndef LATHE_DRIVER_CLI_MAN_PAGE_H_
#define LATHE_DRIVER_CLI_MAN_PAGE_H_

#include <string>

#include "generator/driver/options/verb.h"

namespace lathe::driver {

// Returns lathe(1).
std::string ManPage();

// Returns the page of a verb: lathe-compile(1).
std::string ManPageOf(const Verb& verb);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_MAN_PAGE_H_
