// A question answered as far as it can be.
#ifndef LATHE_IR_TRI_H_
#define LATHE_IR_TRI_H_

namespace lathe::ir {

enum class Tri { kNo, kUnknown, kYes };

}  // namespace lathe::ir

#endif  // LATHE_IR_TRI_H_
