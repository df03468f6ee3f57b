#include "generator/schedule/lines/line_loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/each_scalar.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/lines/copy_statements.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using analysis::ConstantValue;
using analysis::ConstantValues;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// Returns the only statement of the kernel besides declarations; null if there are several.
StmtRef OnlyStatement(StmtRef body) {
  if (const auto* block = body->As<ir::BlockStmt>()) {
    const bool root = block->axes.empty() && block->init == nullptr &&
                      block->predicate == nullptr && block->matches.empty() && block->realized;
    return root ? OnlyStatement(block->body) : nullptr;
  }
  const auto* seq = body->As<ir::SeqStmt>();
  if (seq == nullptr) return body;
  StmtRef only = nullptr;
  for (StmtRef stmt : seq->stmts) {
    const auto* declared = stmt->As<ir::DeclBufferStmt>();
    if (declared != nullptr && declared->body == nullptr) continue;
    if (only != nullptr) return nullptr;
    only = stmt;
  }
  return only == nullptr ? nullptr : OnlyStatement(only);
}

const ir::ForStmt* AsLoop(StmtRef stmt) {
  const auto* loop = stmt == nullptr ? nullptr : stmt->As<ir::ForStmt>();
  const bool plain = loop != nullptr && loop->step == nullptr &&
                     loop->kind == ir::LoopKind::kSerial && loop->annotations.empty() &&
                     nest::Number(loop->min) == 0 && nest::Number(loop->extent).has_value();
  return plain ? loop : nullptr;
}

const ir::Intrinsic* CallOf(StmtRef stmt) {
  const auto* evaluate = stmt == nullptr ? nullptr : stmt->As<ir::EvaluateStmt>();
  return evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
}

bool HasPointer(PrimRef e) {
  bool found = e->dtype().is_handle();
  ir::ForEachOperand(e, [&](PrimRef part) { found = found || HasPointer(part); });
  return found;
}

// Returns the loop over the lines of a product whose rows are consecutive.
std::optional<LineLoop> LinesOfProduct(ir::Context& ir, StmtRef stmt, int64_t lines) {
  const ir::Intrinsic* call = CallOf(stmt);
  if (call == nullptr || !ir::IsRowProducts(call->name) || lines < 2) return std::nullopt;
  const size_t x = ir::NumbersOfDefined(call->name).size();
  const auto rows = nest::Number(call->args[0]), step = nest::Number(call->args[1]),
             pieces = nest::Number(call->args[2]), columns = nest::Number(call->args[5]);
  const auto* from = call->args[x]->As<ir::Load>();
  const auto* to = call->args.back()->As<ir::Load>();
  const bool whole = rows && step && columns && pieces == 1 && *rows % lines == 0 &&
                     ir::IsPlainMemory(*from->buffer) && ir::IsPlainMemory(*to->buffer) &&
                     from->indices.size() == 1 && to->indices.size() == 1 &&
                     ConstantValue(from->indices[0], {}) == 0 &&
                     ConstantValue(to->indices[0], {}) == 0;
  if (!whole || *rows / lines < 2) return std::nullopt;
  const int64_t each = *rows / lines;
  const PrimRef line = ir.NewVar("line");
  ir::Intrinsic one = *call;
  one.args[0] = ir.Int(each, call->args[0]->dtype());
  const auto at = [&](int64_t length) { return ir.Make(ir::BinaryOp::kMul, line, ir.Int(length)); };
  one.args[x] = ir.MakeLoad(from->buffer, {at(each * *step)});
  one.args.back() = ir.MakeLoad(to->buffer, {at(each * *columns)});
  const PrimRef value =
      ir.MakeIntrinsic(stmt->As<ir::EvaluateStmt>()->value->dtype(), one.name, std::move(one.args));
  return LineLoop{line, lines, ir.Make(ir::Stmt::Node(ir::EvaluateStmt{value}), stmt->loc())};
}

// Returns the loop over the lines of an image whose elements are numbered by one loop.
std::optional<LineLoop> LinesOfElements(ir::Context& ir, const ir::ForStmt& loop, int64_t lines) {
  const int64_t count = *nest::Number(loop.extent);
  if (lines < 2 || count == lines || count % lines != 0) return std::nullopt;
  const int64_t length = count / lines;
  const PrimRef line = ir.NewVar("line"), i = ir.NewVar("i");
  const PrimRef element =
      ir.Make(ir::BinaryOp::kAdd, ir.Make(ir::BinaryOp::kMul, line, ir.Int(length)), i);
  StatementCopy copy(ir);
  copy.Set(loop.var, element);
  copy.KeepBuffers();
  ir::ForStmt of_line = loop;
  of_line.var = i;
  of_line.extent = ir.Int(length);
  of_line.body = copy.Of(loop.body);
  return LineLoop{line, lines, ir.Make(ir::Stmt::Node(std::move(of_line)), loop.body->loc())};
}

// Returns true if no statement in the loop is a loop or an operation.
bool HasOnlyElements(const ir::ForStmt& loop) {
  bool only = true;
  ir::ForEachStmt(loop.body, [&](StmtRef stmt) {
    only = only && stmt->As<ir::ForStmt>() == nullptr && stmt->As<ir::EvaluateStmt>() == nullptr;
  });
  return only;
}

// Returns the place of element length * line + i of a buffer of one dimension, for a loop i.
std::optional<LinePlace> PlaceInRow(const LineLoop& loop, BufferRef buffer, PrimRef index) {
  const auto* sum = index->As<ir::Binary>();
  if (sum == nullptr || sum->op != ir::BinaryOp::kAdd) return std::nullopt;
  const auto* start = sum->lhs->As<ir::Binary>();
  if (start == nullptr || start->op != ir::BinaryOp::kMul || start->lhs != loop.line) {
    return std::nullopt;
  }
  const auto length = nest::Number(start->rhs), size = nest::Number(buffer->shape[0]);
  if (!length || size != *length * loop.count) return std::nullopt;
  bool inside = false;
  ir::ForEachStmt(loop.body, [&](StmtRef stmt) {
    const ir::ForStmt* inner = AsLoop(stmt);
    if (inner != nullptr && inner->var == sum->rhs) {
      inside = nest::Number(inner->extent) == *length;
    }
  });
  return inside ? std::optional(LinePlace{sum->rhs, *length}) : std::nullopt;
}

// Finds the lines that a body stores.
class StoredLines {
 public:
  StoredLines(ir::Context& context, const LineLoop& loop, BufferRef out)
      : ir_(context), loop_(loop), out_(out) {}

  std::optional<int64_t> Length() {
    ir::ForEachStmt(loop_.body, [&](StmtRef stmt) { Visit(stmt); });
    return fine_ ? length_ : std::nullopt;
  }

 private:
  bool IsOut(BufferRef buffer) const { return buffer->data == out_->data; }

  void Visit(StmtRef stmt) {
    const ir::Intrinsic* call = CallOf(stmt);
    if (call != nullptr && ir::HasDefinition(call->name)) {
      for (size_t i = 0; i + 1 < call->args.size(); ++i) Reads(call->args[i]);
      const auto* to = call->args.back()->As<ir::Load>();
      if (to != nullptr && IsOut(to->buffer)) return Product(*call, *to);
      return Reads(call->args.back());
    }
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      Reads(store->value);
      for (PrimRef index : store->indices) Reads(index);
      if (IsOut(store->buffer)) Element(*store);
      return;
    }
    ir::ForEachScalar(stmt, [&](PrimRef e) { Reads(e); });
  }

  void Reads(PrimRef e) {
    const auto* load = e->As<ir::Load>();
    if (load != nullptr && IsOut(load->buffer)) fine_ = false;
    ir::ForEachOperand(e, [&](PrimRef part) { Reads(part); });
  }

  void Product(const ir::Intrinsic& call, const ir::Load& to) {
    const auto rows = nest::Number(call.args[0]);
    const bool is_rows = ir::IsRowProducts(call.name);
    const auto columns = nest::Number(call.args[is_rows ? 5 : 1]);
    const bool is_line =
        is_rows || ir::IsChannelProducts(call.name) || call.name == ir::kJoinColumns;
    if (!rows || !columns || !is_line || to.indices.size() != 1 || !ir::IsPlainMemory(*to.buffer) ||
        !IsStartOfLine(loop_, to.indices[0], *rows * *columns)) {
      fine_ = false;
      return;
    }
    Add(*rows * *columns);
  }

  void Element(const ir::StoreStmt& store) {
    const auto place = PlaceInLine(ir_, loop_, store.buffer, store.indices);
    if (!place) fine_ = false;
    if (place) Add(place->length);
  }

  void Add(int64_t length) {
    if (length_ && *length_ != length) fine_ = false;
    length_ = length;
  }

  ir::Context& ir_;
  const LineLoop& loop_;
  const BufferRef out_;
  std::optional<int64_t> length_;
  bool fine_ = true;
};

}  // namespace

bool HasKnownAccesses(const LineLoop& loop) {
  bool known = true;
  ir::ForEachStmt(loop.body, [&](StmtRef stmt) {
    const ir::Intrinsic* call = CallOf(stmt);
    const auto* store = stmt->As<ir::StoreStmt>();
    known = known && (stmt->As<ir::SeqStmt>() != nullptr || stmt->As<ir::LetStmt>() != nullptr ||
                      stmt->As<ir::ForStmt>() != nullptr || stmt->As<ir::IfStmt>() != nullptr ||
                      (store != nullptr && store->predicate == nullptr) ||
                      (call != nullptr && ir::HasDefinition(call->name)));
    ir::ForEachScalar(
        stmt, [&](PrimRef e) { known = known && !ir::CallsFunctions(e) && !HasPointer(e); });
  });
  return known;
}

std::optional<LineLoop> LineLoopOf(ir::Context& context, const ir::Kernel& kernel, int64_t lines) {
  const bool has_form = kernel.form && !ir::HasOnlyIntegerLanes(*kernel.form);
  if (has_form || !kernel.scalars.empty()) return std::nullopt;
  const StmtRef only = OnlyStatement(kernel.func.body);
  if (only == nullptr) return std::nullopt;
  const ir::ForStmt* loop = AsLoop(only);
  if (loop == nullptr) return LinesOfProduct(context, only, lines);
  const LineLoop whole{loop->var, *nest::Number(loop->extent), loop->body};
  if (!HasKnownAccesses(whole)) return std::nullopt;
  const auto of_elements = LinesOfElements(context, *loop, lines);
  return of_elements && HasOnlyElements(*loop) ? of_elements : whole;
}

std::optional<int64_t> StoredLine(ir::Context& context, const LineLoop& loop, BufferRef out) {
  return StoredLines(context, loop, out).Length();
}

std::optional<LinePlace> PlaceInLine(ir::Context& ir, const LineLoop& loop, BufferRef buffer,
                                     const std::vector<PrimRef>& indices) {
  if (!ir::IsPlainMemory(*buffer)) return std::nullopt;
  if (indices.size() == 1) return PlaceInRow(loop, buffer, indices[0]);
  const auto line = std::find(indices.begin(), indices.end(), loop.line);
  LinePlace place = {ir.Int(0), 1};
  for (auto it = indices.begin(); it != indices.end(); ++it) {
    const auto size = nest::Number(buffer->shape[static_cast<size_t>(it - indices.begin())]);
    if (!size || (it < line && size != 1) || (it == line && size != loop.count)) {
      return std::nullopt;
    }
    if (it <= line) continue;
    if (nest::Mentions(*it, loop.line)) return std::nullopt;
    const PrimRef start = ir.Make(ir::BinaryOp::kMul, place.offset, ir.Int(*size));
    place.offset = ir.Make(ir::BinaryOp::kAdd, start, ir.MakeCast(ir::DType::Int(64), *it));
    place.length *= *size;
  }
  if (line == indices.end()) return std::nullopt;
  place.offset = analysis::Simplify(ir, place.offset);
  return place;
}

bool ForEachTurn(const LineLoop& loop,
                 absl::FunctionRef<bool(int64_t line, const ConstantValues&)> visit) {
  for (int64_t line = 0; line < loop.count; ++line) {
    ConstantValues values = {{loop.line, line}};
    ir::ForEachStmt(loop.body, [&](StmtRef stmt) {
      const auto* let = stmt->As<ir::LetStmt>();
      const auto value = let == nullptr ? std::nullopt : ConstantValue(let->value, values);
      if (value) values[let->var] = *value;
    });
    if (!visit(line, values)) return false;
  }
  return true;
}

bool IsStartOfLine(const LineLoop& loop, PrimRef index, int64_t length) {
  return ForEachTurn(loop, [&](int64_t line, const ConstantValues& values) {
    return ConstantValue(index, values) == line * length;
  });
}

}  // namespace lathe::schedule
