#include "generator/schedule/fuse/nest_key.h"

#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;

// Writes repeated variables, buffers and expressions as numbers.
class KeyWriter {
 public:
  void Add(BufferRef buffer) {
    const auto [it, is_new] = buffers_.try_emplace(buffer, buffers_.size());
    absl::StrAppend(&text_, "B", it->second);
    if (!is_new) return;
    absl::StrAppend(&text_, ToString(buffer->dtype), "(");
    Add(buffer->shape);
    text_ += ")";
  }
  void Add(const std::vector<PrimRef>& list) {
    for (PrimRef e : list) Add(e);
    text_ += ";";
  }
  void Add(PrimRef e) {
    if (e == nullptr) {
      text_ += "-";
      return;
    }
    const auto [it, is_new] = exprs_.try_emplace(e, exprs_.size());
    absl::StrAppend(&text_, "#", it->second);
    if (!is_new) return;
    absl::StrAppend(&text_, ToString(e->dtype()), ":", e->node().index());
    if (const auto* n = e->As<ir::IntImm>()) absl::StrAppend(&text_, "=", n->value);
    if (const auto* n = e->As<ir::FloatImm>()) {
      uint64_t bits = 0;
      std::memcpy(&bits, &n->value, sizeof bits);
      absl::StrAppend(&text_, "=", bits);
    }
    if (const auto* n = e->As<ir::StringImm>()) absl::StrAppend(&text_, n->value.size(), n->value);
    if (const auto* n = e->As<ir::Unary>()) absl::StrAppend(&text_, static_cast<int>(n->op));
    if (const auto* n = e->As<ir::Binary>()) absl::StrAppend(&text_, static_cast<int>(n->op));
    if (const auto* n = e->As<ir::Intrinsic>()) absl::StrAppend(&text_, n->name);
    if (const auto* n = e->As<ir::Let>()) Add(n->var);
    if (const auto* n = e->As<ir::Load>()) Add(n->buffer);
    text_ += "(";
    ir::ForEachOperand(e, [&](PrimRef operand) { Add(operand); });
    text_ += ")";
  }
  void Add(const std::vector<ir::NestAxis>& axes) {
    for (const ir::NestAxis& axis : axes) {
      Add(axis.var);
      Add(axis.extent);
    }
    text_ += ";";
  }
  void Add(const std::vector<ir::NestLet>& lets) {
    for (const ir::NestLet& let : lets) {
      Add(let.value);
      Add(let.var);
    }
    text_ += ";";
  }
  void Add(const ir::NestStage& stage) {
    Add(stage.spatial);
    Add(stage.reduce);
    if (stage.acc != nullptr) Add(stage.acc);
    Add(stage.init);
    Add(stage.fold_lets);
    Add(stage.update);
    Add(stage.lets);
    Add(stage.value);
    if (stage.to != nullptr) Add(stage.to);
    Add(stage.at);
  }
  void Add(const ir::NestRows& rows) {
    absl::StrAppend(&text_, "R", rows.first, "-", rows.end);
    Add(rows.axes);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  absl::flat_hash_map<BufferRef, size_t> buffers_;
  absl::flat_hash_map<PrimRef, size_t> exprs_;
};

}  // namespace

std::string NestKey(const nest::NestCall& call, const std::vector<PrimRef>& scalars,
                    bool numbered) {
  KeyWriter key;
  key.Add(scalars);
  for (BufferRef param : call.params) key.Add(param);
  for (BufferRef own : call.nest.own) key.Add(own);
  for (const ir::NestStage& stage : call.nest.stages) key.Add(stage);
  for (const ir::NestRows& rows : call.nest.rows) key.Add(rows);
  std::string name = call.name;
  if (!numbered) std::erase_if(name, [](char c) { return absl::ascii_isdigit(c); });
  return absl::StrCat(name, "|", key.Take());
}

}  // namespace lathe::schedule
