// Describes the form of a kernel for users.
#ifndef LATHE_SCHEDULE_VECTORS_DESCRIBE_FORM_H_
#define LATHE_SCHEDULE_VECTORS_DESCRIBE_FORM_H_

#include <string>

#include "generator/ir/kernel_form.h"

namespace lathe::schedule {

// Returns a text such as "tiles 6x64, vectors": the rows and columns of each tiled sum, and
// "vectors" if a stage has vector loops or integer lanes. With scalar registers, "groups" replaces
// "vectors".
std::string DescribeForm(const ir::KernelForm& form);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_DESCRIBE_FORM_H_
