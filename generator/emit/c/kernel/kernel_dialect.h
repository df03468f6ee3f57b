// Declares the interface for the differences between the languages of kernels: C, and CUDA on a
// GPU.
//
// The printers of statements, expressions, calls and functions are shared. They ask the dialect
// where the languages differ, and never which language it is. Every dialect implements everything,
// so that a forgotten case does not compile.
#ifndef LATHE_EMIT_C_KERNEL_KERNEL_DIALECT_H_
#define LATHE_EMIT_C_KERNEL_KERNEL_DIALECT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/names/extern_name.h"
#include "generator/ir/tir.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Specifies how a loop over threads is executed.
enum class ThreadBinding {
  kThreads,      // each thread of the launch runs one iteration: no loop is printed
  kLoop,         // each thread runs all iterations in a plain loop
  kUnsupported,  // the language has no threads
};

class KernelDialect {
 public:
  virtual ~KernelDialect() = default;

  // Returns the rules for the names of external functions.
  virtual const ExternRules& extern_rules() const = 0;
  // Reserves in `names` the names that no variable may have in this language, in addition to those
  // of C.
  virtual void ReserveNames(CNames& names) const = 0;

  // Returns the specifiers of a PrimFunc that kernels call: "static ".
  virtual absl::string_view CalleeSpecifiers() const = 0;
  // Includes the header that declares these PrimFuncs in a file that calls one.
  virtual void IncludeCallees(CNeeds& needs) const = 0;
  // Declares an external function: `prototype` is "float scale(float a0);".
  virtual void DeclareExtern(CNeeds& needs, const CName& name,
                             const std::string& prototype) const = 0;

  // Decides how `loop` is executed. For kThreads it prints the declaration of the loop variable.
  virtual ThreadBinding BindThread(CScope& scope, const schedule::ThreadLoop& loop,
                                   LineWriter& out) const = 0;
  // Declares the array `name`, of `elements`, for a buffer that the kernel allocates.
  virtual void DeclareArray(CScope& scope, const ir::Buffer& buffer, const std::string& name,
                            int64_t elements, LineWriter& out) const = 0;

  // Prints the value of an intrinsic that only this language has. Returns nullopt for all others.
  virtual absl::StatusOr<std::optional<CText>> PrintIntrinsic(CScope& scope, ir::PrimRef e,
                                                              const ir::Intrinsic& call) const = 0;
  // Prints a call of such an intrinsic as a statement. Returns false for all others. `reducer`
  // combines the values of threads. It is null if the program specifies none.
  virtual absl::StatusOr<bool> PrintStatement(CScope& scope, ir::PrimRef e,
                                              const ir::Intrinsic& call,
                                              const ir::CommReducer* reducer,
                                              LineWriter& out) const = 0;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_KERNEL_DIALECT_H_
