// Holds the state of printing a kernel or routine as C: the C names of its variables and buffers,
// and the headers, prototypes and helpers that the printed text needs.
#ifndef LATHE_EMIT_C_NAMES_C_SCOPE_H_
#define LATHE_EMIT_C_NAMES_C_SCOPE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/tir.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::emit {

class KernelDialect;

// A PrimFunc that kernels call.
struct CCallee {
  CName name;
  const ir::PrimFunc* func = nullptr;
  bool fails = false;  // true if the C function returns a status
  // How the function accesses each pointer parameter. A parameter that is only read is const.
  const std::vector<schedule::PointerUse>* uses = nullptr;
};

// The dependencies of a whole source file, and the properties of its target.
struct CNeeds {
  // The dialect of the functions in the file.
  const KernelDialect& dialect;
  // The headers to include: "<math.h>", "\"lathe/scalar.h\"".
  std::set<std::string> headers;
  // The prototypes of the external functions that the file calls, by name. The user links them.
  std::map<CName, std::string> externs;
  // The reason why the target has no float64. Empty if it has.
  std::string no_float64;
  // The reason why the target lacks functions of C99's <math.h>. Empty if it has all of them.
  std::string no_c99_math;
  // The prefix of all global names in the file: the name of the model.
  std::string prefix;
  // The helpers of templates/kernels/vectors.c.tmpl that the file uses.
  std::set<std::string> vector_functions;
  // Whether a helper adds a product to a vector, because the compiler contracts no operators.
  bool has_fma_functions = false;
  // Whether kernels keep tiles of sums in scalar registers.
  bool has_scalar_tiles = false;
  // The PrimFuncs that kernels call, by the name in the program.
  std::map<std::string, CCallee> callees;
  // The names of the callees that return a status.
  std::set<std::string> failing;
  // How each callee accesses its pointer parameters.
  schedule::CalleeUses callee_uses;
};

// A C variable, and the dtype with which it is declared.
struct CVar {
  std::string name;
  ir::DType declared;
};

// A pointer to elements of `dtype`. `text` is a primary expression or the address of an element.
struct CPointer {
  std::string text;
  ir::DType dtype;
  bool read_only = false;
};

// A buffer that is a view of a region of `source`. The region begins at the indices `mins`.
struct CView {
  ir::BufferRef source = nullptr;
  std::vector<ir::PrimRef> mins;
};

// The bounds of a float that is not NaN.
struct CFloatRange {
  double lo = 0;
  double hi = 0;
};

// An enclosing loop over the threads of a block.
struct CThread {
  ir::PrimRef var = nullptr;
  int axis = 0;  // 0, 1, 2 for x, y, z
  ir::PrimRef extent = nullptr;
};

// The state of printing one function.
struct CScope {
  ir::Context& ir;
  CNeeds& needs;
  CNames& names;
  // The C variables of scalar parameters, loop variables and lets.
  absl::flat_hash_map<ir::PrimRef, CVar> vars = {};
  // The expressions that block axes are bound to.
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> axes = {};
  // The pointer to the first element of each buffer, or the variable of a buffer in `locals`.
  absl::flat_hash_map<ir::BufferRef, std::string> buffers = {};
  // The buffers that are printed as scalar variables, because they have no dimensions.
  absl::flat_hash_set<ir::BufferRef> locals = {};
  // The buffers in `locals` that are not declared yet. The first store declares them.
  absl::flat_hash_set<ir::BufferRef> undeclared = {};
  absl::flat_hash_map<ir::BufferRef, CView> views = {};
  // The buffer that each data pointer variable belongs to.
  absl::flat_hash_map<ir::PrimRef, ir::BufferRef> owners = {};
  // The pointer variables whose memory the function does not write.
  absl::flat_hash_set<ir::PrimRef> read_only = {};
  // The C pointers of parameters and lets that are handles.
  absl::flat_hash_map<ir::PrimRef, CPointer> pointers = {};
  // The names of sizes that are computed once, at the start of the function.
  absl::flat_hash_map<ir::PrimRef, std::string> sizes = {};
  // The known ranges of variables.
  analysis::Assumptions ranges = {};
  // The names of let variables that may be dropped if nothing reads them (DropUnread).
  std::vector<std::string> lets = {};
  // The ranges of let variables that are clamped floats.
  absl::flat_hash_map<ir::PrimRef, CFloatRange> floats = {};
  // The variables whose value depends on memory.
  absl::flat_hash_set<ir::PrimRef> data = {};
  // The variable that replaces an expression of such values inside an index, by the expression.
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> stand_ins = {};
  // The inverse of `stand_ins`: the expression, by its variable.
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> stood_for = {};
  // The enclosing loops over threads.
  std::vector<CThread> threads = {};
  // The data pointers of buffers that need 16-byte alignment, for instructions that access 16
  // bytes.
  absl::flat_hash_set<ir::PrimRef> aligned = {};
  // True if loop variables and indices have 64 bits. False if all are known to fit 32 bits.
  bool wide = false;
  // Set if 32 bits turn out to be too few during printing: the function must be printed again.
  bool must_be_wide = false;
  // True if the function takes a 64-bit scalar as a 32-bit parameter.
  bool given_narrow = false;
  // The result type of a function that kernels call. Void if it has no result.
  ir::DType returns = ir::DType::Void();
  // The pointer parameter for the result, if the function returns a status. Empty otherwise.
  std::string result = {};
  // The variable in which a function that returns void records a failure. Empty for functions that
  // return a status.
  std::string failed = {};
  // The variables that hold the results of calls.
  std::vector<std::string> given = {};
  // The local arrays of the function.
  std::vector<std::string> arrays = {};
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_C_SCOPE_H_
