#include "generator/ir/barriers_by_number.h"

#include <utility>
#include <vector>

#include "generator/ir/given_dtype.h"
#include "generator/ir/map_children.h"

namespace lathe::ir {
namespace {

const Intrinsic* CallIn(StmtRef stmt) {
  const auto* value = stmt->As<EvaluateStmt>();
  return value == nullptr ? nullptr : value->value->As<Intrinsic>();
}

class Naming {
 public:
  explicit Naming(Context& context) : ir_(context) {}

  StmtRef Named(StmtRef stmt) {
    if (const Intrinsic* call = CallIn(stmt)) return Call(*call, stmt);
    const bool guards = stmt->As<IfStmt>() != nullptr || stmt->As<WhileStmt>() != nullptr;
    guarded_ += guards ? 1 : 0;
    const StmtRef named = MapChildren(ir_, stmt, [&](StmtRef part) { return Named(part); });
    guarded_ -= guards ? 1 : 0;
    return named;
  }

 private:
  StmtRef Made(Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }
  StmtRef Done(absl::string_view name, std::vector<PrimRef> args, StmtRef from) {
    return Made(EvaluateStmt{ir_.MakeIntrinsic(DType::Void(), name, std::move(args))}, from);
  }
  PrimRef Barrier(PrimRef number) {
    const PrimRef element = ir_.MakeLoad(barriers_, {number});
    return ir_.MakeIntrinsic(DType::Handle(), "address_of", {element});
  }

  StmtRef Call(const Intrinsic& call, StmtRef stmt) {
    if (call.name == "create_barriers" && call.args.size() == 1) return Created(call, stmt);
    if (barriers_ == nullptr) return stmt;
    const std::vector<PrimRef>& args = call.args;
    const auto is = [&](absl::string_view name, size_t count) {
      return call.name == name && args.size() == count;
    };
    if (is("ptx_init_barrier_thread_count", 2)) return Begun(args, stmt);
    if (is("ptx_arrive_barrier", 1)) {
      return Done("ptx.mbarrier.arrive", {Barrier(args[0])}, stmt);
    }
    if (is("ptx_arrive_barrier_expect_tx", 2)) {
      return Done("ptx.mbarrier.arrive.expect_tx", {Barrier(args[0]), args[1]}, stmt);
    }
    if (is("ptx_wait_barrier", 1)) {  // for the first phase
      return Done("ptx.mbarrier.try_wait", {Barrier(args[0]), ir_.Int(0, DType::Int(32))}, stmt);
    }
    if (is("ptx_cp_async_barrier", 1)) {
      return Done("ptx.cp_async.mbarrier.arrive", {Barrier(args[0])}, stmt);
    }
    if (call.name == "ptx_cp_async_bulk" || call.name == "ptx.cp_async.bulk") {
      // (to, offset, from, offset, bytes, barrier)
      const TypedArguments typed = WithGivenDType(call, DType::Void());
      if (typed.args.size() != 6) return stmt;
      const PrimRef unit = ir_.MakeIntrinsic(UnitOf(stmt, typed), "type_annotation", {});
      const auto at = [&](size_t n) {
        return ir_.MakeIntrinsic(DType::Handle(), "tvm_access_ptr",
                                 {unit, typed.args[n], typed.args[n + 1]});
      };
      return Done("ptx.cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes",
                  {at(0), at(2), typed.args[4], Barrier(typed.args[5])}, stmt);
    }
    return stmt;
  }

  static DType UnitOf(StmtRef stmt, const TypedArguments& typed) {
    return typed.dtype.is_void() ? stmt->As<EvaluateStmt>()->value->dtype() : typed.dtype;
  }

  StmtRef Created(const Intrinsic& call, StmtRef stmt) {
    const auto* count = call.args[0]->As<IntImm>();
    if (count == nullptr) return stmt;
    Buffer barriers;
    barriers.name = "barriers";
    barriers.dtype = DType::UInt(64);
    barriers.scope = "shared";
    barriers.shape = {ir_.Int(count->value)};
    barriers.data = ir_.NewPointer(barriers.name, barriers.dtype, barriers.scope);
    barriers_ = ir_.NewBuffer(std::move(barriers));
    AllocStmt alloc;
    alloc.buffer = barriers_;
    return Made(std::move(alloc), stmt);
  }

  StmtRef Begun(const std::vector<PrimRef>& args, StmtRef stmt) {
    const StmtRef begin = Done("ptx.mbarrier.init", {Barrier(args[0]), args[1]}, stmt);
    const StmtRef fence = Done("ptx.fence.mbarrier_init", {}, stmt);
    const StmtRef both = Made(SeqStmt{{begin, fence}}, stmt);
    if (guarded_ > 0) return both;
    const PrimRef thread = ir_.MakeIntrinsic(DType::UInt(32), "cuda.thread_rank", {});
    const PrimRef first = ir_.Make(BinaryOp::kEq, thread, ir_.Int(0, DType::UInt(32)));
    const StmtRef wait = Done("tvm_storage_sync", {ir_.String("shared")}, stmt);
    return Made(SeqStmt{{Made(IfStmt{first, both, nullptr}, stmt), wait}}, stmt);
  }

  Context& ir_;
  BufferRef barriers_ = nullptr;  // those that were created last
  int guarded_ = 0;               // how many conditions are around, which some threads may not meet
};

}  // namespace

StmtRef BarriersByNumber(Context& context, StmtRef body) {
  return body == nullptr ? nullptr : Naming(context).Named(body);
}

}  // namespace lathe::ir
