// What people are told of the form of a kernel.
#ifndef LATHE_SCHEDULE_VECTORS_DESCRIBE_FORM_H_
#define LATHE_SCHEDULE_VECTORS_DESCRIBE_FORM_H_

#include <string>

#include "generator/ir/kernel_form.h"

namespace lathe::schedule {

// "tiles 6x64, vectors": rows and columns that are summed up at once; stages that go along in
// vectors.
std::string DescribeForm(const ir::KernelForm& form);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_DESCRIBE_FORM_H_
