#include "generator/schedule/finish/scalarize_lanes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "generator/interp/kernel/code_builder.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/intrinsic.h"
#include "generator/ir/map_children.h"
#include "generator/ir/tir.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

class Lanes {
 public:
  // `own`: data pointers of buffers that do not alias each other.
  Lanes(ir::Context& context, absl::flat_hash_set<PrimRef> own)
      : ir_(context), own_(std::move(own)) {}

  StmtRef Scalar(StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) return Sequence(*seq, stmt);
    if (const auto* let = stmt->As<ir::LetStmt>(); let != nullptr && let->body != nullptr) {
      std::vector<StmtRef> row;
      if (Named(*let, stmt, row)) {
        row.push_back(Scalar(let->body));
        return ir_.Make(ir::SeqStmt{std::move(row)}, stmt->loc());
      }
    }
    if (const auto* alloc = stmt->As<ir::AllocStmt>(); alloc != nullptr && IsOfVectors(*alloc)) {
      ir::AllocStmt elements = *alloc;
      elements.buffer = Elements(alloc->buffer);
      if (alloc->body != nullptr) elements.body = Scalar(alloc->body);
      return ir_.Make(std::move(elements), stmt->loc());
    }
    const auto* store = stmt->As<ir::StoreStmt>();
    if (store == nullptr) {
      return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Scalar(part); });
    }
    if (of_vectors_.contains(store->buffer)) return StoredVector(*store, stmt);
    int lanes = 1;
    for (PrimRef index : store->indices) {
      lanes = std::max(lanes, interp::LaneCount(index->dtype()));
    }
    if (lanes == 1 || store->buffer->dtype.lanes != 1) return stmt;
    return Stored(*store, lanes, stmt);
  }

 private:
  StmtRef Sequence(const ir::SeqStmt& seq, StmtRef from) {
    std::vector<StmtRef> row;
    for (StmtRef child : seq.stmts) {
      const auto* let = child->As<ir::LetStmt>();
      if (let != nullptr && let->body == nullptr && Named(*let, child, row)) continue;
      row.push_back(Scalar(child));
    }
    return row == seq.stmts ? from : ir_.Make(ir::SeqStmt{std::move(row)}, from->loc());
  }

  // Converts a vector variable to an array, filled at this point. Returns false if `let` is not
  // one.
  bool Named(const ir::LetStmt& let, StmtRef from, std::vector<StmtRef>& row) {
    const int lanes = interp::LaneCount(let.var->dtype());
    if (lanes == 1) return false;
    ir::AllocStmt array;
    array.buffer = Row(ir::ToString(let.var), let.var->dtype().element(), lanes);
    const StmtRef fill = Filled(array.buffer, let.value, lanes, from);
    if (fill == nullptr) return false;
    named_[let.var] = array.buffer;
    row.push_back(ir_.Make(std::move(array), from->loc()));
    row.push_back(fill);
    return true;
  }

  // Fills `row` with the lanes of `e`. Returns null if `e` cannot be split into lanes.
  StmtRef Filled(ir::BufferRef row, PrimRef e, int lanes, StmtRef from) {
    const PrimRef lane = ir_.NewVar("lane", ir::DType::Int(32));
    const PrimRef value = At(e, lane);
    if (value == nullptr) return nullptr;
    return Loop(lane, lanes, ir_.Make(ir::StoreStmt{row, {lane}, value}, from->loc()));
  }

  static bool IsOfVectors(const ir::AllocStmt& alloc) {
    return alloc.buffer->dtype.lanes > 1 && alloc.buffer->strides.empty() && !alloc.constant;
  }

  // Returns the buffer of the elements, which has one more dimension.
  ir::BufferRef Elements(ir::BufferRef vectors) {
    ir::Buffer elements = *vectors;
    elements.dtype = vectors->dtype.element();
    elements.shape.push_back(ir_.Int(interp::LaneCount(vectors->dtype)));
    return of_vectors_[vectors] = ir_.NewBuffer(std::move(elements));
  }

  // Within this buffer, lanes do not read each other's elements. Through other views they may, so
  // these elements are read before the first store.
  StmtRef StoredVector(const ir::StoreStmt& store, StmtRef from) {
    const PrimRef lane = ir_.NewVar("lane", ir::DType::Int(32));
    const PrimRef value = At(store.value, lane);
    if (value == nullptr || store.predicate != nullptr) return from;
    for (PrimRef index : store.indices) {
      if (index->dtype().lanes != 1 || MayRead(index, store)) return from;
    }
    std::vector<PrimRef> indices = store.indices;
    indices.push_back(lane);
    return LaneByLane(store, of_vectors_.at(store.buffer), indices, lane, value, nullptr,
                      interp::LaneCount(store.buffer->dtype), from);
  }

  StmtRef Stored(const ir::StoreStmt& store, int lanes, StmtRef from) {
    const PrimRef lane = ir_.NewVar("lane", ir::DType::Int(32));
    const PrimRef value = At(store.value, lane);
    std::vector<PrimRef> indices;
    for (PrimRef index : store.indices) indices.push_back(At(index, lane));
    const PrimRef predicate = store.predicate == nullptr ? nullptr : At(store.predicate, lane);
    // The indices of all lanes are evaluated before the first store.
    for (PrimRef index : store.indices) {
      if (MayRead(index, store)) return from;
    }
    if (store.predicate != nullptr && MayRead(store.predicate, store)) return from;
    bool known = value != nullptr && (store.predicate == nullptr || predicate != nullptr);
    for (PrimRef index : indices) known = known && index != nullptr;
    if (!known) return from;
    return LaneByLane(store, store.buffer, indices, lane, value, predicate, lanes, from);
  }

  // Stores one lane. Elements that earlier lanes may have overwritten are read into an array first.
  StmtRef LaneByLane(const ir::StoreStmt& store, ir::BufferRef to,
                     const std::vector<PrimRef>& indices, PrimRef lane, PrimRef value,
                     PrimRef predicate, int lanes, StmtRef from) {
    const bool reads = MayRead(store.value, store);
    const ir::BufferRef first = reads ? Row("row", to->dtype, lanes) : nullptr;
    StmtRef body = ir_.Make(ir::StoreStmt{to, indices, reads ? ir_.MakeLoad(first, {lane}) : value},
                            from->loc());
    if (predicate != nullptr) body = ir_.Make(ir::IfStmt{predicate, body}, from->loc());
    const StmtRef last = Loop(lane, lanes, body);
    if (!reads) return last;
    ir::AllocStmt row;
    row.buffer = first;
    // Uses a new variable: two loops over one variable would clash if they are merged into one
    // scope.
    row.body = ir_.Make(ir::SeqStmt{{Filled(first, store.value, lanes, from), last}}, from->loc());
    return ir_.Make(std::move(row), from->loc());
  }

  StmtRef Loop(PrimRef lane, int lanes, StmtRef body) {
    ir::ForStmt loop;
    loop.var = lane;
    loop.min = ir_.Int(0, lane->dtype());
    loop.extent = ir_.Int(lanes, lane->dtype());
    loop.body = body;
    return ir_.Make(std::move(loop), body->loc());
  }

  ir::BufferRef Row(const std::string& name, ir::DType dtype, int lanes) {
    ir::Buffer row;
    row.name = name;
    row.dtype = dtype;
    row.shape = {ir_.Int(lanes)};
    row.data = ir_.NewPointer(name, dtype, "local");
    row.scope = "local";
    return ir_.NewBuffer(std::move(row));
  }

  // Returns whether a lane of `e` may read an element that another lane stores to.
  bool MayRead(PrimRef e, const ir::StoreStmt& store) const {
    if (const auto* load = e->As<ir::Load>()) {
      const bool same = load->buffer == store.buffer && load->indices == store.indices;
      const bool known = own_.contains(load->buffer->data) && own_.contains(store.buffer->data);
      const bool apart = known && load->buffer->data != store.buffer->data;
      const bool vector = load->buffer == store.buffer && of_vectors_.contains(store.buffer);
      if (!apart && !vector && !(same && AreApart(store.indices))) return true;
    }
    bool reads = false;
    ir::ForEachOperand(e, [&](PrimRef part) { reads = reads || MayRead(part, store); });
    return reads;
  }

  // Returns whether the lanes are distinct elements, independent of data.
  static bool AreApart(const std::vector<PrimRef>& indices) {
    bool apart = false;
    for (PrimRef index : indices) {
      const auto* ramp = index->As<ir::Ramp>();
      const auto* stride = ramp == nullptr ? nullptr : ramp->stride->As<ir::IntImm>();
      apart = apart || (stride != nullptr && stride->value != 0);
      if (nest::ReadsMemory(index)) return false;
    }
    return apart;
  }

  // Returns that lane of `e`, or null if `e` cannot be split into lanes.
  PrimRef At(PrimRef e, PrimRef lane) {
    if (e->dtype().lanes == 1) return e;
    if (const auto it = done_.find({e, lane}); it != done_.end()) return it->second;
    const PrimRef value = LaneOf(e, lane);
    return done_[{e, lane}] = value;
  }

  PrimRef LaneOf(PrimRef e, PrimRef lane) {
    return Match(
        e->node(),
        [&](const ir::SymVar&) -> PrimRef {
          const auto it = named_.find(e);
          return it == named_.end() ? nullptr : ir_.MakeLoad(it->second, {lane});
        },
        [&](const ir::Ramp& n) -> PrimRef {
          if (n.base->dtype().lanes != 1) return nullptr;
          const PrimRef steps = ir_.MakeCast(n.stride->dtype(), lane);
          const PrimRef far =
              nest::IsNumber(n.stride, 1) ? steps : ir_.Make(ir::BinaryOp::kMul, n.stride, steps);
          return ir_.Make(ir::BinaryOp::kAdd, n.base, far);
        },
        [&](const ir::Broadcast& n) -> PrimRef {
          return n.value->dtype().lanes == 1 ? n.value : nullptr;
        },
        [&](const ir::Unary& n) -> PrimRef {
          const PrimRef value = At(n.value, lane);
          return value == nullptr ? nullptr : ir_.Make(n.op, value);
        },
        [&](const ir::Binary& n) -> PrimRef {
          const PrimRef lhs = At(n.lhs, lane);
          const PrimRef rhs = At(n.rhs, lane);
          return lhs == nullptr || rhs == nullptr ? nullptr : ir_.Make(n.op, lhs, rhs);
        },
        [&](const ir::Select& n) -> PrimRef {
          const PrimRef cond = At(n.cond, lane);
          const PrimRef yes = At(n.if_true, lane);
          const PrimRef no = At(n.if_false, lane);
          const bool known = cond != nullptr && yes != nullptr && no != nullptr;
          return known ? ir_.MakeSelect(cond, yes, no) : nullptr;
        },
        [&](const ir::Cast& n) -> PrimRef {
          const PrimRef value = At(n.value, lane);
          return value == nullptr ? nullptr : ir_.MakeCast(e->dtype().element(), value);
        },
        [&](const ir::Load& n) -> PrimRef {
          std::vector<PrimRef> indices;
          if (const auto it = of_vectors_.find(n.buffer); it != of_vectors_.end()) {
            for (PrimRef index : n.indices) {
              if (index->dtype().lanes != 1) return nullptr;
            }
            indices = n.indices;
            indices.push_back(lane);
            return ir_.MakeLoad(it->second, std::move(indices));
          }
          if (n.buffer->dtype.lanes != 1 || !All(n.indices, lane, indices)) return nullptr;
          const PrimRef load = ir_.MakeLoad(n.buffer, std::move(indices));
          if (n.predicate == nullptr) return load;
          // A masked lane is zero.
          const PrimRef read = At(n.predicate, lane);
          if (read == nullptr || read == ir_.Bool(true)) return read == nullptr ? nullptr : load;
          const ir::DType dtype = load->dtype();
          const PrimRef zero = dtype.is_floating() ? ir_.Float(0, dtype) : ir_.Int(0, dtype);
          return ir_.Make(dtype, ir::Intrinsic{"if_then_else", {read, load, zero}});
        },
        [&](const ir::Intrinsic& call) -> PrimRef {
          const ir::Intrinsic n = ir::LlvmMath(call).value_or(call);
          const ir::IntrinsicInfo* info = ir::FindIntrinsic(n.name);
          std::vector<PrimRef> args;
          if (info == nullptr || !OfItsArguments(*info)) return nullptr;
          if (!All(n.args, lane, args)) return nullptr;
          return ir_.Make(e->dtype().element(), ir::Intrinsic{n.name, std::move(args)});
        },
        [](const auto&) -> PrimRef { return nullptr; });
  }

  static bool OfItsArguments(const ir::IntrinsicInfo& info) {
    using Type = ir::ResultType;
    if (info.name == "if_then_else") return true;
    const bool numbers = info.result == Type::kFirst || info.result == Type::kBool;
    return numbers && !absl::StartsWith(info.name, "tvm_") && info.name != "atomic_add";
  }

  bool All(const std::vector<PrimRef>& list, PrimRef lane, std::vector<PrimRef>& out) {
    for (PrimRef e : list) {
      out.push_back(At(e, lane));
      if (out.back() == nullptr) return false;
    }
    return true;
  }

  ir::Context& ir_;
  const absl::flat_hash_set<PrimRef> own_;
  absl::flat_hash_map<PrimRef, ir::BufferRef> named_;
  absl::flat_hash_map<ir::BufferRef, ir::BufferRef> of_vectors_;
  absl::flat_hash_map<std::pair<PrimRef, PrimRef>, PrimRef> done_;  // by expression and lane
};

// Returns memory that does not alias: the function's allocations and, for a kernel, its parameters,
// which callers keep apart.
absl::flat_hash_set<PrimRef> OwnMemory(const ir::PrimFunc& func, bool is_kernel) {
  absl::flat_hash_set<PrimRef> own;
  for (const ir::PrimParam& param : func.params) {
    if (is_kernel && param.buffer != nullptr) own.insert(param.buffer->data);
  }
  ir::ForEachStmt(func.body, [&](StmtRef stmt) {
    if (const auto* alloc = stmt->As<ir::AllocStmt>()) own.insert(alloc->buffer->data);
    if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (ir::BufferRef buffer : block->allocs) own.insert(buffer->data);
      for (const ir::BlockMatch& match : block->matches) own.erase(match.source.buffer->data);
    }
  });
  return own;
}

}  // namespace

void ScalarizeLanes(ir::Context& context, ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::PrimFunc& func = program.kernels[ir::KernelId{i}].func;
    func.body = Lanes(context, OwnMemory(func, true)).Scalar(func.body);
  }
  for (auto& [name, func] : program.callees) {
    func.body = Lanes(context, OwnMemory(func, false)).Scalar(func.body);
  }
}

}  // namespace lathe::schedule
