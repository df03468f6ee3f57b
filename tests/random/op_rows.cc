#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

constexpr char kWorkers[] = "an exchange between workers, of which there is one";
constexpr char kDevices[] = "the block builder makes modules of one device";
constexpr Exception kNotGenerated[] = {
    {"relax.call_py_func", "calls functions of Python"},
    {"relax.ccl.allgather", kWorkers},
    {"relax.ccl.allreduce", kWorkers},
    {"relax.ccl.broadcast_from_worker0", kWorkers},
    {"relax.ccl.scatter_from_worker0", kWorkers},
    {"relax.dist.annotate_sharding", kWorkers},
    {"relax.dist.redistribute", kWorkers},
    {"relax.dist.redistribute_replica_to_shard", kWorkers},
    {"relax.to_vdevice", kDevices},
};

}  // namespace

const std::vector<OpRow>& AllRows() {
  static const auto* const rows = [] {
    auto* all = new std::vector<OpRow>;
    for (const auto& family :
         {ElementwiseRows(), ShapeRows(), CreateRows(), ReduceRows(), IndexRows(), NeuralRows(),
          CompositeRows(), ImageRows(), MemoryRows()}) {
      all->insert(all->end(), family.begin(), family.end());
    }
    return all;
  }();
  return *rows;
}

absl::Span<const Exception> NotGenerated() { return kNotGenerated; }

void CallSomeOp(Sketch& s) { CallOp(s, s.dice.From(AllRows())); }

void CallOp(Sketch& s, const OpRow& row) {
  const bool before = s.Touch(false), allowed = s.AllowSoft(row.smooth);
  row.make(s, row.op);
  s.AllowSoft(allowed);
  s.Touch(before || s.touched());
}

}  // namespace lathe::random
