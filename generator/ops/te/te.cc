#include "generator/ops/te/te.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {

using ir::BlockAxis;
using ir::StmtRef;

namespace {

absl::Status NotKnown(absl::string_view what, StructInfoRef info) {
  return absl::UnimplementedError(
      absl::StrCat(what, " has no known shape or dtype: ", ToString(info)));
}

}  // namespace

void Te::Need(PrimRef holds, absl::string_view why, absl::string_view kind) {
  conditions_.push_back({holds, std::string(why), std::string(kind)});
}

absl::StatusOr<Te> Te::Begin(ir::ComputeContext& c, const ir::Call& call) {
  Te te(c.ir());
  te.inputs_.resize(call.args.size());
  for (size_t i = 0; i < call.args.size(); ++i) {
    std::string name = absl::StrCat("arg", i);
    for (const ir::OpParam& p : call.op()->params) {
      if (!p.attr && !p.variadic && p.position == static_cast<int>(i)) name = p.name;
    }
    LATHE_RETURN_IF_ERROR(te.AddInput(c.InfoOf(call.args[i]), name, static_cast<int>(i)));
  }
  LATHE_RETURN_IF_ERROR(te.AddResult(c.ResultInfo()));
  return te;
}

absl::StatusOr<Te> Te::Of(ir::Context& context, const std::vector<NamedInfo>& inputs) {
  Te te(context);
  te.inputs_.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    LATHE_RETURN_IF_ERROR(te.AddInput(inputs[i].info, inputs[i].name, static_cast<int>(i)));
  }
  return te;
}

absl::Status Te::AddInput(StructInfoRef info, const std::string& name, int arg) {
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    for (StructInfoRef field : tuple->fields) {
      LATHE_RETURN_IF_ERROR(AddInput(field, absl::StrCat(name, "_", inputs_[arg].size()), arg));
    }
    return absl::OkStatus();
  }
  const auto* tensor = info->As<TensorInfo>();
  if (tensor == nullptr) return absl::OkStatus();
  if (tensor->dims() == nullptr || tensor->dtype.is_void()) return NotKnown(name, info);
  inputs_[arg].push_back(NewBuffer(name, *tensor->dims(), tensor->dtype));
  return absl::OkStatus();
}

absl::Status Te::AddResult(StructInfoRef info) {
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    for (StructInfoRef field : tuple->fields) LATHE_RETURN_IF_ERROR(AddResult(field));
    return absl::OkStatus();
  }
  const auto* tensor = info->As<TensorInfo>();
  if (tensor == nullptr || tensor->dims() == nullptr || tensor->dtype.is_void()) {
    return NotKnown("the result", info);
  }
  results_.push_back(tensor);
  return absl::OkStatus();
}

BufferRef Te::NewBuffer(absl::string_view name, Dims shape, ir::DType dtype) {
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.dtype = dtype;
  buffer.shape = std::move(shape);
  buffer.data = context_.NewPointer(name, dtype, buffer.scope);
  return context_.NewBuffer(std::move(buffer));
}

PrimRef Te::AtBroadcast(BufferRef buffer, const Indices& at, const Dims& over) {
  Indices indices(at.end() - static_cast<std::ptrdiff_t>(buffer->shape.size()), at.end());
  for (size_t i = 0; i < indices.size(); ++i) {
    PrimRef dim = buffer->shape[i], wide = over[over.size() - indices.size() + i];
    if (IsOne(dim)) {
      indices[i] = math_.Int(0);
    } else if (dim != wide && dim->As<ir::IntImm>() == nullptr && !IsOne(wide)) {
      // The dimension may be 1 at run time: then every index reads its only element.
      indices[i] = math_.Min(indices[i], math_.Sub(dim, math_.Int(1)));
    }
  }
  return At(buffer, std::move(indices));
}

PrimRef Te::BroadcastDim(PrimRef a, PrimRef b) {
  if (a == b || IsOne(b)) return a;
  if (IsOne(a) || b->As<ir::IntImm>() != nullptr) return b;
  if (a->As<ir::IntImm>() != nullptr) return a;
  return math_.Select(math_.Eq(a, math_.Int(1)), b, a);
}

std::vector<BlockAxis> Te::Axes(const Dims& extents, ir::AxisKind kind, absl::string_view prefix) {
  std::vector<BlockAxis> axes;
  for (size_t i = 0; i < extents.size(); ++i) {
    const std::string loop = absl::StrCat(prefix, i);
    axes.push_back({kind, context_.NewVar(absl::StrCat("v_", loop)), math_.Int(0), extents[i],
                    context_.NewVar(loop)});
  }
  return axes;
}

Indices Te::Vars(const std::vector<BlockAxis>& axes) {
  Indices vars;
  for (const BlockAxis& axis : axes) vars.push_back(axis.var);
  return vars;
}

StmtRef Te::Nest(absl::string_view name, const std::vector<BlockAxis>& axes, StmtRef body,
                 StmtRef init) {
  ir::BlockStmt block;
  block.name = std::string(name);
  block.axes = axes;
  block.init = init;
  block.body = body;
  StmtRef stmt = context_.Make(ir::Stmt::Node(std::move(block)), {});
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    ir::ForStmt loop;
    loop.var = axis->binding;
    loop.min = axis->min;
    loop.extent = axis->extent;
    loop.body = stmt;
    stmt = context_.Make(ir::Stmt::Node(std::move(loop)), {});
  }
  return stmt;
}

StmtRef Te::Seq(std::vector<StmtRef> stmts) {
  if (stmts.size() == 1) return stmts[0];
  return context_.Make(ir::Stmt::Node(ir::SeqStmt{std::move(stmts)}), {});
}

BufferRef Te::Allocate(absl::string_view name, Dims shape, ir::DType dtype) {
  computed_.push_back(NewBuffer(name, std::move(shape), dtype));
  return computed_.back();
}

void Te::StoreAt(absl::string_view name, BufferRef to, const std::vector<BlockAxis>& axes,
                 const std::function<Store(const Indices&)>& store) {
  Store s = store(Vars(axes));
  ir::StoreStmt stmt{to, std::move(s.indices), math_.Cast(s.value, to->dtype)};
  nests_.push_back(Nest(name, axes, context_.Make(ir::Stmt::Node(std::move(stmt)), {}), nullptr));
}

void Te::Assign(absl::string_view name, BufferRef to, const Dims& over,
                const std::function<Store(const Indices&)>& store) {
  StoreAt(name, to, Axes(over, ir::AxisKind::kSpatial, "i"), store);
}

void Te::Accumulate(absl::string_view name, BufferRef to, const Dims& over,
                    const std::function<Store(const Indices&)>& store) {
  StoreAt(name, to, Axes(over, ir::AxisKind::kOpaque, "i"), store);
}

void Te::Run(absl::string_view name, const Dims& over,
             const std::function<void(Statements&, const Indices&)>& body) {
  const std::vector<BlockAxis> axes = Axes(over, ir::AxisKind::kSpatial, "i");
  Statements statements(context_);
  body(statements, Vars(axes));
  nests_.push_back(Nest(name, axes, statements.Finish(), nullptr));
}

BufferRef Te::Compute(absl::string_view name, Dims shape, ir::DType dtype,
                      const std::function<PrimRef(const Indices&)>& element) {
  BufferRef buffer = Allocate(name, std::move(shape), dtype);
  Assign(name, buffer, buffer->shape, [&](const Indices& at) { return Store{at, element(at)}; });
  return buffer;
}

ir::PrimFunc Te::Finish(const std::vector<BufferRef>& outputs) {
  ir::PrimFunc func;
  // As readers produce them: the handle of a parameter differs from the data pointer of its buffer.
  const auto add = [&](BufferRef buffer) {
    func.params.push_back({context_.NewVar(buffer->name, ir::DType::Handle()), buffer, {}});
  };
  for (const std::vector<BufferRef>& tensors : inputs_) {
    for (BufferRef buffer : tensors) add(buffer);
  }
  for (BufferRef buffer : outputs) add(buffer);
  ir::BlockStmt root;
  for (BufferRef buffer : computed_) {
    if (std::find(outputs.begin(), outputs.end(), buffer) == outputs.end()) {
      root.allocs.push_back(buffer);
    }
  }
  std::vector<StmtRef> stmts;
  for (const Condition& condition : conditions_) {
    ir::AssertStmt assert{condition.holds, condition.kind, {condition.why}};
    stmts.push_back(context_.Make(ir::Stmt::Node(std::move(assert)), {}));
  }
  stmts.insert(stmts.end(), nests_.begin(), nests_.end());
  func.body = Seq(std::move(stmts));
  if (!root.allocs.empty()) {
    root.name = "root";
    root.body = func.body;
    func.body = context_.Make(ir::Stmt::Node(std::move(root)), {});
  }
  return func;
}

}  // namespace lathe::ops
