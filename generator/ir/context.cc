#include "generator/ir/context.h"

#include <bit>

#include "absl/hash/hash.h"

namespace lathe::ir {
namespace {

size_t HashList(const std::vector<PrimRef>& items) { return absl::HashOf(items); }

}  // namespace

size_t Context::Hash::operator()(PrimRef e) const {
  const size_t fields = Match(
      e->node(), [](const IntImm& n) { return absl::HashOf(n.value); },
      [](const FloatImm& n) { return absl::HashOf(std::bit_cast<uint64_t>(n.value)); },
      [](const StringImm& n) { return absl::HashOf(n.value); },
      [](const SymVar& n) { return absl::HashOf(n.id); },
      [](const Unary& n) { return absl::HashOf(n.op, n.value); },
      [](const Binary& n) { return absl::HashOf(n.op, n.lhs, n.rhs); },
      [](const Select& n) { return absl::HashOf(n.cond, n.if_true, n.if_false); },
      [](const Cast& n) { return absl::HashOf(n.value); },
      [](const Load& n) { return absl::HashOf(n.buffer, HashList(n.indices), n.predicate); },
      [](const Ramp& n) { return absl::HashOf(n.base, n.stride); },
      [](const Broadcast& n) { return absl::HashOf(n.value); },
      [](const Shuffle& n) { return absl::HashOf(HashList(n.vectors), HashList(n.indices)); },
      [](const Let& n) { return absl::HashOf(n.var, n.value, n.body); },
      [](const Intrinsic& n) { return absl::HashOf(n.name, HashList(n.args)); },
      [](const CommReducer& n) { return absl::HashOf(HashList(n.results)); },
      [](const RegionArg& n) { return absl::HashOf(n.buffer, HashList(n.mins)); });
  const DType t = e->dtype();
  return absl::HashOf(static_cast<int>(t.code), t.bits, t.lanes, e->node().index(), fields);
}

size_t Context::Hash::operator()(StructInfoRef s) const {
  const size_t fields = Match(
      s->node(), [](const ObjectInfo&) { return size_t{0}; },
      [](const PrimInfo& p) {
        return absl::HashOf(static_cast<int>(p.dtype.code), p.dtype.bits, p.value);
      },
      [](const ShapeInfo& i) {
        return absl::HashOf(i.ndim, i.values ? HashList(*i.values) : size_t{1});
      },
      [](const TensorInfo& t) {
        const size_t shape = t.dims() != nullptr        ? HashList(*t.dims())
                             : t.shape_var() != nullptr ? absl::HashOf(t.shape_var()->index)
                                                        : size_t{1};
        return absl::HashOf(shape, static_cast<int>(t.dtype.code), t.dtype.bits, t.vdevice, t.ndim);
      },
      [](const TupleInfo& t) { return absl::HashOf(t.fields); },
      [](const FuncInfo& f) {
        return absl::HashOf(f.params ? absl::HashOf(*f.params) : size_t{1}, f.ret, f.pure,
                            static_cast<int>(f.derive));
      });
  return absl::HashOf(s->node().index(), fields);
}

PrimRef Context::Make(DType dtype, PrimExpr::Node node) {
  const PrimExpr candidate(dtype, std::move(node));
  if (auto it = interned_exprs_.find(&candidate); it != interned_exprs_.end()) return *it;
  exprs_.push_back(candidate);
  return *interned_exprs_.insert(&exprs_.back()).first;
}

PrimRef Context::NewVar(absl::string_view name, DType dtype) {
  return Make(dtype, SymVar{std::string(name), next_var_++, DType::Void(), ""});
}

PrimRef Context::NewVarLike(PrimRef var) {
  PrimRef other = NewVar(var->As<SymVar>()->name, var->dtype());
  if (IsSigned(var)) MakeSigned(other);
  return other;
}

PrimRef Context::NewPointer(absl::string_view name, DType pointee, absl::string_view scope) {
  return Make(DType::Handle(), SymVar{std::string(name), next_var_++, pointee, std::string(scope)});
}

PrimRef Context::Make(BinaryOp op, PrimRef lhs, PrimRef rhs) {
  DType dtype = lhs->dtype();
  if (IsComparison(op) || op == BinaryOp::kAnd || op == BinaryOp::kOr) {
    dtype = DType::Bool(dtype.lanes == 0 ? 1 : dtype.lanes);
  }
  return Make(dtype, Binary{op, lhs, rhs});
}

PrimRef Context::Make(UnaryOp op, PrimRef value) {
  const DType dtype = op == UnaryOp::kNot ? DType::Bool(value->dtype().lanes) : value->dtype();
  return Make(dtype, Unary{op, value});
}

PrimRef Context::MakeCast(DType dtype, PrimRef value) {
  return dtype == value->dtype() ? value : Make(dtype, Cast{value});
}

PrimRef Context::MakeSelect(PrimRef cond, PrimRef if_true, PrimRef if_false) {
  return Make(if_true->dtype(), Select{cond, if_true, if_false});
}

PrimRef Context::MakeLoad(BufferRef buffer, std::vector<PrimRef> indices, PrimRef predicate) {
  DType dtype = buffer->dtype;
  if (!indices.empty() && !indices.back()->dtype().is_scalar() && dtype.is_scalar()) {
    dtype = dtype.with_lanes(indices.back()->dtype().lanes);
  }
  return Make(dtype, Load{buffer, std::move(indices), predicate});
}

PrimRef Context::MakeIntrinsic(DType dtype, absl::string_view name, std::vector<PrimRef> args) {
  return Make(dtype, Intrinsic{std::string(name), std::move(args)});
}

StructInfoRef Context::Make(StructInfo::Node node) {
  const StructInfo candidate(std::move(node));
  if (auto it = interned_infos_.find(&candidate); it != interned_infos_.end()) return *it;
  infos_.push_back(candidate);
  return *interned_infos_.insert(&infos_.back()).first;
}

StructInfoRef Context::Shape(std::vector<PrimRef> values) {
  const int ndim = static_cast<int>(values.size());
  return Make(StructInfo::Node(ShapeInfo{ndim, std::move(values)}));
}

StructInfoRef Context::Tensor(std::vector<PrimRef> dims, DType dtype, VDeviceRef vdevice) {
  const int ndim = static_cast<int>(dims.size());
  return Make(StructInfo::Node(TensorInfo{std::move(dims), dtype, vdevice, ndim, std::nullopt}));
}

StructInfoRef Context::Tensor(int ndim, DType dtype, VDeviceRef vdevice) {
  return Make(StructInfo::Node(TensorInfo{std::monostate(), dtype, vdevice, ndim, std::nullopt}));
}

VDeviceRef Context::Make(VDevice device) {
  // Programs have few devices, so a linear search is sufficient.
  for (const VDevice& known : devices_) {
    if (known == device) return &known;
  }
  devices_.push_back(std::move(device));
  return &devices_.back();
}

StmtRef Context::Make(Stmt::Node node, Location loc) {
  stmts_.emplace_back(std::move(node), std::move(loc));
  return &stmts_.back();
}

BufferRef Context::NewBuffer(Buffer buffer) {
  buffer.id = static_cast<int>(buffers_.size());
  buffers_.push_back(std::move(buffer));
  return &buffers_.back();
}

}  // namespace lathe::ir
