// The targets of the sweep, each with its own kernel forms, and how to build and run their programs
// on this machine.
#ifndef LATHE_TESTS_SIZES_TARGET_FORM_H_
#define LATHE_TESTS_SIZES_TARGET_FORM_H_

#include <string>
#include <vector>

#include "tests/compiled/batch.h"

namespace lathe::sizes {

struct TargetForm {
  std::string name;
  std::string needs;                     // a program, or "/flag" of the processor, if it needs one
  std::vector<driver::HostTools> tools;  // in turn; of a board's target one
  std::vector<std::string> runner;       // an emulator
  std::string board;                     // QEMU's name of it
  bool cuda = false;
};

const std::vector<TargetForm>& TargetForms();

// Why its programs cannot be built or run here; empty when they can.
std::string WhyMissing(const TargetForm& target);

}  // namespace lathe::sizes

#endif  // LATHE_TESTS_SIZES_TARGET_FORM_H_
