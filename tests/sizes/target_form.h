// The targets that sizes are swept for, each with a form of kernels of its own, and how their
// programs are built and run on this machine.
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
