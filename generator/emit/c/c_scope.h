// What the names of a kernel or routine stand for while it is printed, and what the printed text
// turned out to need.
#ifndef LATHE_EMIT_C_C_SCOPE_H_
#define LATHE_EMIT_C_C_SCOPE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/emit/c/c_names.h"
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
  bool fails = false;  // returns a status
  // What it does with each parameter: what it only reads is const.
  const std::vector<schedule::PointerUse>* uses = nullptr;
};

// Of a whole source file.
struct CNeeds {
  const KernelDialect& dialect;          // of the functions in it
  std::set<std::string> headers;         // "<math.h>", "\"lathe/scalar.h\""
  std::map<CName, std::string> externs;  // prototypes of functions the user links, by name
  std::string no_float64;                // why the target has none; empty where it has
  std::string no_c99_math;               // why the target lacks functions of C99's <math.h>; so too
  std::string prefix;                    // of all names in the file: the model's
  std::set<std::string> vector_functions;  // those of templates/kernels/vectors.c.tmpl
  std::map<std::string, CCallee> callees;  // by the name that kernels call them by
  std::set<std::string> failing;           // those of them that return a status
  schedule::CalleeUses callee_uses;        // what they do with memory
};

struct CVar {
  std::string name;
  ir::DType declared;
};

// To elements of the dtype; the text is a primary expression, or the address of an element.
struct CPointer {
  std::string text;
  ir::DType dtype;
  bool read_only = false;
};

// A buffer that stands for a part of another one.
struct CView {
  ir::BufferRef source = nullptr;
  std::vector<ir::PrimRef> mins;
};

// What a float that is a number is at least and at most.
struct CFloatRange {
  double lo = 0;
  double hi = 0;
};

// A loop over threads of a block that is around what is printed.
struct CThread {
  ir::PrimRef var = nullptr;
  int axis = 0;  // of x, y, z
  ir::PrimRef extent = nullptr;
};

struct CScope {
  ir::Context& ir;
  CNeeds& needs;
  CNames& names;
  absl::flat_hash_map<ir::PrimRef, CVar> vars = {};              // parameters, loop variables, lets
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> axes = {};       // what block axes are bound to
  absl::flat_hash_map<ir::BufferRef, std::string> buffers = {};  // pointers to the first element
  absl::flat_hash_set<ir::BufferRef> locals = {};      // of no dimensions: variables, not arrays
  absl::flat_hash_set<ir::BufferRef> undeclared = {};  // those, until their first value
  absl::flat_hash_map<ir::BufferRef, CView> views = {};
  absl::flat_hash_map<ir::PrimRef, ir::BufferRef> owners = {};  // by pointer variable
  absl::flat_hash_set<ir::PrimRef> read_only = {};              // such, to what is never written
  absl::flat_hash_map<ir::PrimRef, CPointer> pointers = {};     // parameters and lets that are such
  absl::flat_hash_map<ir::PrimRef, std::string> sizes = {};     // computed once, before all else
  analysis::Assumptions ranges = {};                            // of the loop variables
  std::vector<std::string> lets = {};  // names of variables that only say what something is
  absl::flat_hash_map<ir::PrimRef, CFloatRange> floats = {};  // lets of floats that are clamped
  // Lets of what memory held, and what stands in subscripts for what is computed of it.
  absl::flat_hash_set<ir::PrimRef> data = {};
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> stand_ins = {};  // by what they stand for
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> stood_for = {};
  std::vector<CThread> threads = {};
  absl::flat_hash_set<ir::PrimRef> aligned = {};  // memory that instructions take 16 bytes of
  // Loop variables and subscripts are 32 bits wide where all are known to fit, else 64.
  bool wide = false;
  bool must_be_wide = false;              // found while printing narrow
  bool given_narrow = false;              // numbers of 64 bits were given in 32
  ir::DType returns = ir::DType::Void();  // what a function that kernels call gives back
  std::string result = {};                // where it puts that, when what it returns is a status
  std::string failed = {};                // where a function without a result notes a failure
  std::vector<std::string> given = {};    // variables that hold what calls gave
  std::vector<std::string> arrays = {};   // of the function's own
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_C_SCOPE_H_
