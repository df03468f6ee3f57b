#include "generator/ir/map_parts.h"

#include <variant>
#include <vector>

namespace lathe::ir {
namespace {

class PartMapping {
 public:
  PartMapping(absl::FunctionRef<PrimRef(PrimRef)> scalar,
              absl::FunctionRef<BufferRef(BufferRef)> buffer)
      : scalar_(scalar), buffer_(buffer) {}

  void operator()(SeqStmt&) {}
  void operator()(ForStmt& s) {
    Map(s.min);
    Map(s.extent);
    Map(s.step);
  }
  void operator()(BlockStmt& s) {
    for (BlockAxis& axis : s.axes) {
      Map(axis.min);
      Map(axis.extent);
      Map(axis.binding);
    }
    for (auto* regions : {&s.reads, &s.writes}) {
      if (!*regions) continue;
      for (BufferRegion& region : **regions) Map(region);
    }
    Map(s.predicate);
    for (BufferRef& buffer : s.allocs) Map(buffer);
    for (BlockMatch& match : s.matches) {
      Map(match.buffer);
      Map(match.source);
    }
  }
  void operator()(StoreStmt& s) {
    Map(s.buffer);
    Map(s.indices);
    Map(s.value);
    Map(s.predicate);
  }
  void operator()(LetStmt& s) { Map(s.value); }
  void operator()(IfStmt& s) { Map(s.cond); }
  void operator()(WhileStmt& s) { Map(s.cond); }
  void operator()(AllocStmt& s) {
    Map(s.buffer);
    Map(s.condition);
  }
  void operator()(DeclBufferStmt& s) { Map(s.buffer); }
  void operator()(AttrStmt& s) {
    Map(s.buffer);
    Map(s.value);
  }
  void operator()(AssertStmt& s) { Map(s.cond); }
  void operator()(EvaluateStmt& s) { Map(s.value); }
  void operator()(ReturnStmt& s) { Map(s.value); }
  void operator()(BreakStmt&) {}
  void operator()(ContinueStmt&) {}

 private:
  void Map(PrimRef& e) {
    if (e != nullptr) e = scalar_(e);
  }
  void Map(BufferRef& buffer) {
    if (buffer != nullptr) buffer = buffer_(buffer);
  }
  void Map(std::vector<PrimRef>& all) {
    for (PrimRef& e : all) Map(e);
  }
  void Map(BufferRegion& region) {
    Map(region.buffer);
    Map(region.mins);
    Map(region.extents);
  }

  absl::FunctionRef<PrimRef(PrimRef)> scalar_;
  absl::FunctionRef<BufferRef(BufferRef)> buffer_;
};

}  // namespace

void MapParts(Stmt::Node& node, absl::FunctionRef<PrimRef(PrimRef)> scalar,
              absl::FunctionRef<BufferRef(BufferRef)> buffer) {
  PartMapping mapping(scalar, buffer);
  std::visit([&](auto& stmt) { mapping(stmt); }, node);
}

}  // namespace lathe::ir
