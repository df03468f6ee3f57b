#include "generator/ir/device/address_numbered_barriers.h"

#include <utility>
#include <vector>

#include "generator/ir/device/typed_arguments.h"
#include "generator/ir/device/uniformity.h"
#include "generator/ir/map_children.h"

namespace lathe::ir {
namespace {

const Intrinsic* CallIn(StmtRef stmt) {
  const auto* value = stmt->As<EvaluateStmt>();
  return value == nullptr ? nullptr : value->value->As<Intrinsic>();
}

struct NumberRow {
  absl::string_view name;
  size_t args;    // number of arguments
  size_t number;  // position of the barrier number
};
constexpr NumberRow kNumbers[] = {
    {"ptx_init_barrier_thread_count", 2, 0},
    {"ptx_arrive_barrier", 1, 0},
    {"ptx_arrive_barrier_expect_tx", 2, 0},
    {"ptx_wait_barrier", 1, 0},
    {"ptx_cp_async_barrier", 1, 0},
    {"ptx_cp_async_bulk", 6, 5},
    {"ptx.cp_async.bulk", 6, 5},
};

class Naming {
 public:
  Naming(Context& context, StmtRef body) : ir_(context), uniformity_(body) {}

  StmtRef Named(StmtRef stmt) {
    if (const Intrinsic* call = CallIn(stmt)) return Call(*call, stmt);
    // A loop around the thread loops is executed by all threads; one inside may have different
    // numbers of iterations.
    const auto* loop = stmt->As<ForStmt>();
    const bool threads = loop != nullptr && loop->kind == LoopKind::kThreadBinding;
    const bool guards = stmt->As<IfStmt>() != nullptr || stmt->As<WhileStmt>() != nullptr ||
                        (!threads && uniformity_.ScopeInside(stmt) != UniformScope::kBlock);
    guarded_ += guards ? 1 : 0;
    const BufferRef outer = barriers_;
    const StmtRef named = MapChildren(ir_, stmt, [&](StmtRef part) { return Named(part); });
    barriers_ = outer;
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
    if (CreatesBarriers(call)) return Created(call, stmt);
    const PrimRef number = barriers_ == nullptr ? nullptr : BarrierNumberOf(call);
    if (number == nullptr) return stmt;
    const PrimRef barrier = Barrier(number);
    const std::vector<PrimRef>& args = call.args;
    if (call.name == "ptx_init_barrier_thread_count") return Begun(barrier, args[1], stmt);
    if (call.name == "ptx_arrive_barrier") return Done("ptx.mbarrier.arrive", {barrier}, stmt);
    if (call.name == "ptx_arrive_barrier_expect_tx") {
      return Done("ptx.mbarrier.arrive.expect_tx", {barrier, args[1]}, stmt);
    }
    if (call.name == "ptx_wait_barrier") {  // waits for the first phase
      return Done("ptx.mbarrier.try_wait", {barrier, ir_.Int(0, DType::Int(32))}, stmt);
    }
    if (call.name == "ptx_cp_async_barrier") {
      return Done("ptx.cp_async.mbarrier.arrive", {barrier}, stmt);
    }
    // (to, offset, from, offset, bytes, barrier)
    const TypedArguments typed = SplitTypedArguments(call, DType::Void());
    const PrimRef unit = ir_.MakeIntrinsic(UnitOf(stmt, typed), "type_annotation", {});
    const auto at = [&](size_t n) {
      return ir_.MakeIntrinsic(DType::Handle(), "tvm_access_ptr",
                               {unit, typed.args[n], typed.args[n + 1]});
    };
    return Done("ptx.cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes",
                {at(0), at(2), typed.args[4], barrier}, stmt);
  }

  static DType UnitOf(StmtRef stmt, const TypedArguments& typed) {
    return typed.dtype.is_void() ? stmt->As<EvaluateStmt>()->value->dtype() : typed.dtype;
  }

  StmtRef Created(const Intrinsic& call, StmtRef stmt) {
    const auto* count = call.args[0]->As<IntImm>();
    barriers_ = nullptr;
    if (count == nullptr || count->value < 1 || count->value > kMaxBarriers) return stmt;
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

  StmtRef Begun(PrimRef barrier, PrimRef arrivals, StmtRef stmt) {
    const StmtRef begin = Done("ptx.mbarrier.init", {barrier, arrivals}, stmt);
    const StmtRef fence = Done("ptx.fence.mbarrier_init", {}, stmt);
    const StmtRef both = Made(SeqStmt{{begin, fence}}, stmt);
    if (guarded_ > 0) return both;
    const PrimRef thread = ir_.MakeIntrinsic(DType::UInt(32), "cuda.thread_rank", {});
    const PrimRef first = ir_.Make(BinaryOp::kEq, thread, ir_.Int(0, DType::UInt(32)));
    const StmtRef wait = Done("tvm_storage_sync", {ir_.String("shared")}, stmt);
    return Made(SeqStmt{{Made(IfStmt{first, both, nullptr}, stmt), wait}}, stmt);
  }

  Context& ir_;
  Uniformity uniformity_;
  BufferRef barriers_ = nullptr;  // the latest created barriers in scope
  int guarded_ = 0;               // number of enclosing conditions that are not uniform
};

}  // namespace

bool CreatesBarriers(const Intrinsic& call) {
  return call.name == "create_barriers" && call.args.size() == 1;
}

PrimRef BarrierNumberOf(const Intrinsic& call) {
  for (const NumberRow& row : kNumbers) {
    if (row.name != call.name) continue;
    const std::vector<PrimRef> args = SplitTypedArguments(call, DType::Void()).args;
    if (args.size() == row.args) return args[row.number];
  }
  return nullptr;
}

StmtRef AddressNumberedBarriers(Context& context, StmtRef body) {
  return body == nullptr ? nullptr : Naming(context, body).Named(body);
}

}  // namespace lathe::ir
