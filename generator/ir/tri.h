// Defines a three-valued answer.
#ifndef LATHE_IR_TRI_H_
#define LATHE_IR_TRI_H_

namespace lathe::ir {

enum class Tri { kNo, kUnknown, kYes };

}  // namespace lathe::ir

#endif  // LATHE_IR_TRI_H_
