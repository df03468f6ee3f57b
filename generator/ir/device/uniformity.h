// Uniformity analysis: decides which values are equal across a thread, a warp or a block, and
// therefore which branches are uniform.
#ifndef LATHE_IR_DEVICE_UNIFORMITY_H_
#define LATHE_IR_DEVICE_UNIFORMITY_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// The largest group of threads that is known to agree. Unknown values are kThread.
enum class UniformScope : uint8_t { kThread, kWarp, kBlock };

class Uniformity {
 public:
  // `body` is the body of a PrimFunc: its sizes and scalar arguments are uniform.
  explicit Uniformity(StmtRef body);

  // Returns the threads with equal values of `e`, if all evaluate it in the same iteration of the
  // surrounding loops.
  UniformScope ScopeOf(PrimRef e);
  // Returns the threads that enter the body of `stmt` together if they reach `stmt` together, and
  // leave it together: decided by its condition or number of iterations.
  UniformScope ScopeInside(StmtRef stmt);

 private:
  void Look(StmtRef stmt);
  // `var` starts at 0, or is null.
  void Launched(PrimRef var, const std::string& thread, PrimRef extent);
  void Mention(PrimRef e);
  bool RowsAreWarps() const;
  UniformScope Found(PrimRef e);
  UniformScope Compared(const Binary& e);
  bool IsNumberInRow(PrimRef e);
  bool IsWholeWarps(PrimRef e);

  std::map<std::string, bool> whole_;  // by thread: whether all its extents are multiples of a warp
  bool in_x_ = false;                  // in a loop over threadIdx.x
  absl::flat_hash_set<PrimRef> x_;     // loop variables of threadIdx.x
  absl::flat_hash_map<PrimRef, UniformScope> vars_;    // those that are not uniform in a block
  absl::flat_hash_set<PrimRef> written_;               // memory that the body may write
  absl::flat_hash_set<PrimRef> mentioned_;             // expressions already scanned for writes
  absl::flat_hash_map<PrimRef, UniformScope> memory_;  // what ScopeOf() has found
};

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_UNIFORMITY_H_
