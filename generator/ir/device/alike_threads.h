// Which threads of a block have one value: where they all have, they take the same way.
#ifndef LATHE_IR_DEVICE_ALIKE_THREADS_H_
#define LATHE_IR_DEVICE_ALIKE_THREADS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// A thread perhaps alone; all of its warp; all of its block. What is unknown is the first.
enum class Alike : uint8_t { kThread, kWarp, kBlock };

class AlikeThreads {
 public:
  // Of what a PrimFunc does: sizes and numbers that it is given are the same for all.
  explicit AlikeThreads(StmtRef body);

  // Who has the same value of `e` where all come to it in one round of the loops around.
  Alike Of(PrimRef e);
  // Who comes to the body of `stmt` with those that come to it, and leaves it with them: by what
  // its condition says, or its number of rounds.
  Alike Inside(StmtRef stmt);

 private:
  void Look(StmtRef stmt);
  // `var` counts from 0, or is null.
  void Launched(PrimRef var, const std::string& thread, PrimRef extent);
  void Mention(PrimRef e);
  bool RowsAreWarps() const;
  Alike Found(PrimRef e);
  Alike Compared(const Binary& e);
  bool IsNumberInRow(PrimRef e);
  bool IsWholeWarps(PrimRef e);

  std::map<std::string, bool> whole_;           // by thread: whether its extents are whole warps
  bool in_x_ = false;                           // in a loop over threadIdx.x
  absl::flat_hash_set<PrimRef> x_;              // variables of threadIdx.x
  absl::flat_hash_map<PrimRef, Alike> vars_;    // those that are not alike in a block
  absl::flat_hash_set<PrimRef> written_;        // memory that the body may write
  absl::flat_hash_set<PrimRef> mentioned_;      // expressions that were looked at for that
  absl::flat_hash_map<PrimRef, Alike> memory_;  // what Of() has found
};

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_ALIKE_THREADS_H_
