// Imports the nest types of ir into lathe::nest.
#ifndef LATHE_NEST_NEST_H_
#define LATHE_NEST_NEST_H_

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::nest {

using ir::Nest;
using ir::NestAxis;
using ir::NestLet;
using ir::NestStage;

}  // namespace lathe::nest

#endif  // LATHE_NEST_NEST_H_
