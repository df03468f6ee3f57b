// Imports the form types of ir into lathe::lower.
#ifndef LATHE_LOWER_FORM_H_
#define LATHE_LOWER_FORM_H_

#include "generator/ir/form.h"

namespace lathe::lower {

using ir::AppendParts;
using ir::ChoiceForm;
using ir::ClosureForm;
using ir::Form;
using ir::Nothing;
using ir::PartsOf;
using ir::ShapeForm;
using ir::TupleForm;

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FORM_H_
