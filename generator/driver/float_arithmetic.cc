#include "generator/driver/float_arithmetic.h"

#include "absl/container/flat_hash_set.h"
#include "generator/ir/each_scalar.h"
#include "generator/ir/each_stmt.h"

namespace lathe::driver {
namespace {

using ir::PrimRef;

bool Computes(PrimRef e) {
  return e->As<ir::Unary>() != nullptr || e->As<ir::Binary>() != nullptr ||
         e->As<ir::Cast>() != nullptr || e->As<ir::Intrinsic>() != nullptr;
}

class WidestFloat {
 public:
  void Visit(PrimRef e) {
    if (!seen_.insert(e).second) return;
    if (Computes(e)) Add(e->dtype());
    ir::ForEachOperand(e, [&](PrimRef operand) {
      // A comparison and a conversion to an integer compute with the type of their operand.
      if (Computes(e)) Add(operand->dtype());
      Visit(operand);
    });
  }

  std::optional<ir::DType> widest;

 private:
  void Add(ir::DType t) {
    t.lanes = 1;
    if (t.is_floating() && (!widest || widest->bits < t.bits)) widest = t;
  }

  absl::flat_hash_set<PrimRef> seen_;
};

}  // namespace

std::optional<ir::DType> FloatArithmeticOf(const ir::Kernel& kernel) {
  WidestFloat found;
  if (kernel.func.body == nullptr) return std::nullopt;
  ir::ForEachStmt(kernel.func.body, [&](ir::StmtRef stmt) {
    ir::ForEachScalar(stmt, [&](PrimRef e) { found.Visit(e); });
  });
  return found.widest;
}

}  // namespace lathe::driver
