#include "generator/schedule/lines/join_lines.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/map_parts.h"
#include "generator/lower/make_kernel.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/fuse/fuse_nests.h"
#include "generator/schedule/lines/copy_statements.h"
#include "generator/schedule/lines/line_loop.h"
#include "generator/schedule/lines/line_windows.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::DType;
using ir::PrimRef;
using ir::StmtRef;
using ir::TensorId;

// Returns the buffer of the tensor, if the step has it once.
BufferRef OnlyBufferOf(const ir::Program& program, const ir::KernelStep& step, TensorId tensor) {
  if (std::count(step.tensors.begin(), step.tensors.end(), tensor) != 1) return nullptr;
  const auto it = std::find(step.tensors.begin(), step.tensors.end(), tensor);
  return program.kernels[step.kernel].buffers[static_cast<size_t>(it - step.tensors.begin())];
}

class Join {
 public:
  Join(ir::Context& context, const ir::Program& program, const ir::KernelStep& first,
       const ir::KernelStep& second, TensorId between)
      : ir_(context),
        program_(program),
        first_(first),
        second_(second),
        between_(between),
        copy_(context) {}

  std::optional<JoinedKernel> Joined() {
    made_ = OnlyBufferOf(program_, first_, between_);
    read_ = OnlyBufferOf(program_, second_, between_);
    if (made_ == nullptr || read_ == nullptr) return std::nullopt;
    const ir::Tensor& tensor = program_.tensors[between_];
    const bool image = tensor.shape.size() == 4 && nest::Number(tensor.shape[0]) == 1;
    const auto height = image ? nest::Number(tensor.shape[1]) : std::nullopt;
    const auto producer = LineLoopOf(ir_, FirstKernel(), height.value_or(0));
    const auto consumer = LineLoopOf(ir_, SecondKernel(), height.value_or(0));
    const auto length = producer ? StoredLine(ir_, *producer, made_) : std::nullopt;
    if (!length || !consumer || tensor.elements() != *length * producer->count) return std::nullopt;
    producer_ = *producer;
    consumer_ = *consumer;
    length_ = *length;
    line_ = NewLines("kept_line", 1);
    ShareInputs();
    const StmtRef body = Consume(consumer_.body);
    if (!fine_ || windows_ + (by_line_ ? 1 : 0) != 1) return std::nullopt;
    return Kernel(body);
  }

 private:
  const ir::Kernel& FirstKernel() const { return program_.kernels[first_.kernel]; }
  const ir::Kernel& SecondKernel() const { return program_.kernels[second_.kernel]; }

  bool IsRead(BufferRef buffer) const { return buffer->data == read_->data; }
  PrimRef Sum(PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kAdd, a, b); }
  PrimRef Product(PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kMul, a, b); }
  StmtRef Make(ir::Stmt::Node node) { return ir_.Make(std::move(node), consumer_.body->loc()); }

  // Memory for lines of the tensor between, named after it.
  BufferRef NewLines(const char* what, int64_t lines) {
    ir::Buffer buffer;
    buffer.name = absl::StrCat(program_.tensors[between_].name, "_", what);
    buffer.dtype = made_->dtype;
    buffer.shape = {ir_.Int(lines * length_)};
    buffer.data = ir_.NewPointer(buffer.name, buffer.dtype, buffer.scope);
    return ir_.NewBuffer(std::move(buffer));
  }

  // Returns the statements that store line `y` of the tensor between in `to`, from `offset` on.
  StmtRef Produce(PrimRef y, BufferRef to, PrimRef offset) {
    copy_.Set(producer_.line, y);
    // Products store a whole line, from its start on.
    copy_.Redirect(made_, to, offset, [&](BufferRef view, const std::vector<PrimRef>& indices) {
      const auto place = PlaceInLine(ir_, producer_, view, indices);
      return place ? place->offset : ir_.Int(0);
    });
    return copy_.Of(producer_.body);
  }

  StmtRef Consume(StmtRef stmt) {
    const auto* evaluate = stmt->As<ir::EvaluateStmt>();
    const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
    if (call != nullptr && call->name == ir::kPaddedLines) {
      const auto* from = call->args[kX]->As<ir::Load>();
      if (from != nullptr && IsRead(from->buffer)) return Window(*call);
    }
    if (call != nullptr && (ir::IsRowProducts(call->name) || ir::IsChannelProducts(call->name))) {
      return OfLine(stmt, *call);
    }
    const StmtRef inner = ir::MapChildren(ir_, stmt, [&](StmtRef child) { return Consume(child); });
    ir::Stmt::Node node = inner->node();
    ir::MapParts(
        node, [&](PrimRef e) { return Element(e); }, [](BufferRef b) { return b; });
    return Make(std::move(node));
  }

  PrimRef Element(PrimRef e) {
    const auto* load = e->As<ir::Load>();
    if (load != nullptr && IsRead(load->buffer)) {
      const auto place = PlaceInLine(ir_, consumer_, load->buffer, load->indices);
      if (!place || load->predicate != nullptr) return Fail(e);
      by_line_ = true;
      fine_ = fine_ && consumer_.count == producer_.count && place->length == length_;
      return ir_.MakeLoad(line_, {place->offset});
    }
    return ir::MapOperands(ir_, e, [&](PrimRef part) { return Element(part); });
  }
  PrimRef Fail(PrimRef e) {
    fine_ = false;
    return e;
  }

  // A product that reads the rows of one line.
  StmtRef OfLine(StmtRef stmt, const ir::Intrinsic& call) {
    const size_t x = ir::NumbersOfDefined(call.name).size();
    ir::Intrinsic moved = call;
    for (size_t i = 0; i < call.args.size(); ++i) {
      const auto* load = call.args[i]->As<ir::Load>();
      if (load == nullptr || !IsRead(load->buffer)) continue;
      if (i == x && LinesIn(call) > 1) return Unpadded(call, x);
      const auto span = SpanOf(call);
      fine_ = fine_ && i == x && span && *span <= length_ && load->indices.size() == 1 &&
              ir::IsPlainMemory(*load->buffer) && consumer_.count == producer_.count &&
              IsStartOfLine(consumer_, load->indices[0], length_);
      by_line_ = true;
      moved.args[i] = ir_.MakeLoad(line_, {ir_.Int(0)});
    }
    const DType dtype = stmt->As<ir::EvaluateStmt>()->value->dtype();
    return Make(ir::EvaluateStmt{ir_.MakeIntrinsic(dtype, moved.name, std::move(moved.args))});
  }

  // A product that reads windows of several lines without padding.
  StmtRef Unpadded(const ir::Intrinsic& call, size_t x) {
    const BufferRef memory = NewLines("kept_lines", LinesIn(call));
    const auto copy = CopyOfLines(ir_, consumer_, call, producer_.count, length_, memory);
    if (!copy) {
      fine_ = false;
      return consumer_.body;
    }
    own_.push_back(memory);
    ir::Intrinsic moved = call;
    moved.args[x] = copy->args[kOut];
    const PrimRef product = ir_.MakeIntrinsic(DType::Void(), moved.name, std::move(moved.args));
    return Make(ir::SeqStmt{{Window(*copy), Make(ir::EvaluateStmt{product})}});
  }

  // Returns lines - fresh.
  PrimRef Kept(PrimRef fresh, int64_t lines) {
    const auto* choice = fresh->As<ir::Select>();
    if (choice != nullptr) {
      return ir_.MakeSelect(choice->cond, Kept(choice->if_true, lines),
                            Kept(choice->if_false, lines));
    }
    const auto number = nest::Number(fresh);
    if (number) return ir_.Int(lines - *number, fresh->dtype());
    return ir_.Make(BinaryOp::kSub, ir_.Int(lines, fresh->dtype()), fresh);
  }

  // Returns `stmt`, for lines `y` of the tensor between only. Both bounds are stated, because those
  // of lines that are nested in others are not proved without.
  StmtRef Inside(PrimRef y, StmtRef stmt) {
    const PrimRef from = ir_.Make(BinaryOp::kGe, y, ir_.Int(0));
    const PrimRef end = ir_.Make(BinaryOp::kLt, y, ir_.Int(producer_.count));
    return Make(ir::IfStmt{ir_.Make(BinaryOp::kAnd, from, end), stmt, nullptr});
  }

  // Without a height, the operation moves lines up and fills the others with padding.
  StmtRef Window(const ir::Intrinsic& call) {
    const auto has_outside = LinesInOrder(consumer_, call, producer_.count, length_);
    if (!has_outside) {
      fine_ = false;
      return consumer_.body;
    }
    ++windows_;
    const DType narrow = call.args[kHeight]->dtype(), wide = DType::Int(64);
    const BufferRef to = call.args[kOut]->As<ir::Load>()->buffer;
    ir::Intrinsic moved = call;
    moved.args[kHeight] = ir_.Int(0, narrow);
    moved.args[kX] = call.args[kOut];
    std::vector<StmtRef> stmts = {Make(
        ir::EvaluateStmt{ir_.MakeIntrinsic(DType::Void(), moved.name, std::move(moved.args))})};
    const auto number = [&](PaddedArgument i) { return *nest::Number(call.args[i]); };
    const int64_t lines = number(kLines), whole = number(kBefore) + length_ + number(kAfter);
    const PrimRef slot = ir_.NewVar("slot"), y = ir_.NewVar("y"),
                  kept = ir_.NewVar("kept", DType::Int(32));
    ir_.MakeSigned(y);
    stmts.push_back(Make(ir::LetStmt{kept, Kept(call.args[kFresh], lines), nullptr}));
    const PrimRef place = Sum(Product(slot, ir_.Int(whole)), ir_.Int(number(kBefore)));
    const StmtRef product = Produce(y, to, place);
    const StmtRef line = *has_outside ? Inside(y, product) : product;
    const PrimRef top = ir_.MakeCast(wide, call.args[kTop]);
    ir::ForStmt loop;
    loop.var = slot;
    loop.min = ir_.MakeCast(wide, kept);
    loop.extent = ir_.Make(BinaryOp::kSub, ir_.Int(lines), loop.min);
    loop.body = Make(ir::SeqStmt{{Make(ir::LetStmt{y, Sum(top, slot), nullptr}), line}});
    stmts.push_back(Make(std::move(loop)));
    return Make(ir::SeqStmt{std::move(stmts)});
  }

  std::optional<JoinedKernel> Kernel(StmtRef turn) {
    const ir::PrimFunc &first = FirstKernel().func, &second = SecondKernel().func;
    ir::PrimFunc func;
    func.attrs = second.attrs;
    func.scheduled = second.scheduled;
    absl::flat_hash_map<BufferRef, std::pair<TensorId, std::string>> known;
    for (size_t i = 0; i < second_.tensors.size(); ++i) {
      known[SecondKernel().buffers[i]] = {second_.tensors[i], LayerOf(SecondKernel(), i)};
    }
    for (size_t i = 0; i < first_.tensors.size(); ++i) {
      known[copy_.Of(FirstKernel().buffers[i])] = {first_.tensors[i], LayerOf(FirstKernel(), i)};
    }
    for (const ir::PrimParam& param : first.params) {
      if (param.buffer == nullptr) return std::nullopt;
      const BufferRef copy = copy_.Of(param.buffer);
      if (param.buffer == made_ || IsParam(second, copy)) continue;
      const bool bare = param.var == param.buffer->data;
      func.params.push_back({bare ? copy->data : ir_.NewVarLike(param.var), copy, param.loc});
    }
    for (const ir::PrimParam& param : second.params) {
      if (param.buffer == nullptr) return std::nullopt;
      if (param.buffer != read_) func.params.push_back(param);
    }
    ir::BlockStmt root;
    root.name = "root";
    std::vector<StmtRef> stmts;
    AddDeclarations(first.body, true, root, stmts);
    AddDeclarations(second.body, false, root, stmts);
    std::vector<StmtRef> turns;
    root.allocs.insert(root.allocs.end(), own_.begin(), own_.end());
    if (by_line_) {
      root.allocs.push_back(line_);
      Append(Produce(consumer_.line, line_, ir_.Int(0)), turns);
    }
    Append(turn, turns);
    ir::ForStmt loop;
    loop.var = consumer_.line;
    loop.min = ir_.Int(0);
    loop.extent = ir_.Int(consumer_.count);
    loop.body = turns.size() == 1 ? turns[0] : Make(ir::SeqStmt{std::move(turns)});
    stmts.push_back(Make(std::move(loop)));
    root.body = stmts.size() == 1 ? stmts[0] : Make(ir::SeqStmt{std::move(stmts)});
    func.body = Make(std::move(root));
    auto kernel =
        lower::MakeKernel(FusedName(FirstKernel().name, SecondKernel().name), func,
                          absl::StrCat(FirstKernel().origin, "\n", SecondKernel().origin));
    if (!kernel.ok()) return std::nullopt;
    JoinedKernel joined{*std::move(kernel), {}};
    for (BufferRef buffer : joined.kernel.buffers) {
      const auto it = known.find(buffer);
      const bool is_new = it == known.end();
      joined.tensors.push_back(is_new ? std::nullopt : std::optional(it->second.first));
      joined.kernel.layers.push_back(is_new ? joined.kernel.name : it->second.second);
    }
    return joined;
  }

  static const std::string& LayerOf(const ir::Kernel& kernel, size_t buffer) {
    return kernel.layers.empty() ? kernel.name : kernel.layers[buffer];
  }

  static bool IsParam(const ir::PrimFunc& func, BufferRef buffer) {
    return std::any_of(func.params.begin(), func.params.end(),
                       [&](const ir::PrimParam& param) { return param.buffer == buffer; });
  }

  // A tensor that both kernels read is one parameter.
  void ShareInputs() {
    for (size_t i = 0; i < first_.tensors.size(); ++i) {
      const TensorId tensor = first_.tensors[i];
      const BufferRef own = FirstKernel().buffers[i];
      const BufferRef other =
          tensor == between_ ? nullptr : OnlyBufferOf(program_, second_, tensor);
      if (other == nullptr || other->dtype != own->dtype || other->shape != own->shape) continue;
      copy_.Set(own, other);
    }
  }

  // Adds the local memory and the views of a kernel, copied if it is the `first`.
  void AddDeclarations(StmtRef stmt, bool first, ir::BlockStmt& root, std::vector<StmtRef>& stmts) {
    if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (BufferRef buffer : block->allocs) {
        root.allocs.push_back(first ? copy_.Of(buffer) : buffer);
      }
      return AddDeclarations(block->body, first, root, stmts);
    }
    const auto* seq = stmt->As<ir::SeqStmt>();
    if (seq == nullptr) return;
    for (StmtRef part : seq->stmts) {
      const auto* view = part->As<ir::DeclBufferStmt>();
      const bool gone = view != nullptr &&
                        (view->buffer->data == made_->data || view->buffer->data == read_->data);
      if (gone) continue;
      if (view != nullptr) {
        stmts.push_back(first ? Make(ir::DeclBufferStmt{copy_.Of(view->buffer), nullptr}) : part);
      } else if (part->As<ir::BlockStmt>() != nullptr) {
        AddDeclarations(part, first, root, stmts);
      }
    }
  }

  // Keeps sequences flat, as readers produce them.
  static void Append(StmtRef stmt, std::vector<StmtRef>& to) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (StmtRef part : seq->stmts) Append(part, to);
    } else {
      to.push_back(stmt);
    }
  }

  ir::Context& ir_;
  const ir::Program& program_;
  const ir::KernelStep& first_;
  const ir::KernelStep& second_;
  const TensorId between_;
  StatementCopy copy_;  // of the first kernel
  // The tensor between, in the first and in the second kernel.
  BufferRef made_ = nullptr, read_ = nullptr;
  LineLoop producer_, consumer_;
  int64_t length_ = 0;
  BufferRef line_ = nullptr;
  std::vector<BufferRef> own_;  // other memory that only the joined kernel needs
  int windows_ = 0;             // reads of several lines
  bool by_line_ = false;        // reads of one line at a time
  bool fine_ = true;
};

}  // namespace

std::optional<JoinedKernel> JoinLines(ir::Context& context, const ir::Program& program,
                                      const ir::KernelStep& first, const ir::KernelStep& second,
                                      TensorId between) {
  return Join(context, program, first, second, between).Joined();
}

}  // namespace lathe::schedule
