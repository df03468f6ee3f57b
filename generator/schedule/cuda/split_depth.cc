#include "generator/schedule/cuda/split_depth.h"

#include <string>
#include <utility>
#include <vector>

#include "generator/ir/program.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::GridAxis;
using ir::PrimRef;
using ir::StmtRef;

class DepthSplitter {
 public:
  DepthSplitter(ir::Context& context, const DepthParts& parts, ir::TiledProduct& product)
      : ir_(context), parts_(parts), product_(product) {}

  SharedSums Split() {
    for (const auto* axes : {&product_.batch, &product_.rows, &product_.columns}) {
      axes_.insert(axes_.end(), axes->begin(), axes->end());
    }
    SharedSums shared;
    shared.found = found_ = Found();
    shared.together = {axes_, Together()};
    Share();
    return shared;
  }

 private:
  BufferRef Found() {
    ir::Buffer found;
    found.name = "parts";
    found.dtype = product_.sum_dtype;
    found.shape.push_back(ir_.Int(parts_.count));
    for (const GridAxis& axis : axes_) {
      found.shape.push_back(ir_.MakeCast(ir::DType::Int(64), axis.extent));
    }
    found.data = ir_.NewPointer(found.name, found.dtype, "global");
    return ir_.NewBuffer(std::move(found));
  }

  BufferRef Sum(ir::DType dtype) {
    ir::Buffer sum;
    sum.name = product_.sum->name;
    sum.dtype = dtype;
    sum.scope = ir::kRegisterScope;
    sum.data = ir_.NewPointer(sum.name, dtype, "local");
    return ir_.NewBuffer(std::move(sum));
  }

  // Returns the index of an element of a part.
  std::vector<PrimRef> Place(PrimRef part) const {
    std::vector<PrimRef> place = {part};
    for (const GridAxis& axis : axes_) place.push_back(axis.var);
    return place;
  }

  PrimRef Zero(ir::DType dtype) {
    return dtype.is_floating() ? ir_.Float(0, dtype) : ir_.Int(0, dtype);
  }

  template <typename Node>
  StmtRef Make(Node node) {
    return ir_.Make(std::move(node), product_.loops->loc());
  }

  // sum = 0; for part: sum = sum + parts[part, row, column]; finish
  StmtRef Together() {
    std::vector<StmtRef> stmts;
    const auto alloc = [&](BufferRef buffer) {
      ir::AllocStmt made;
      made.buffer = buffer;
      stmts.push_back(Make(std::move(made)));
    };
    const bool rounds = product_.sum->dtype != product_.sum_dtype;
    const BufferRef sum = rounds ? Sum(product_.sum_dtype) : product_.sum;
    const PrimRef part = ir_.NewVar("part");
    alloc(sum);
    stmts.push_back(Make(ir::StoreStmt{sum, {}, Zero(sum->dtype)}));
    ir::ForStmt loop;
    loop.var = part;
    loop.min = ir_.Int(0);
    loop.extent = ir_.Int(parts_.count);
    loop.body = Make(ir::StoreStmt{
        sum,
        {},
        ir_.Make(BinaryOp::kAdd, ir_.MakeLoad(sum, {}), ir_.MakeLoad(found_, Place(part)))});
    stmts.push_back(Make(std::move(loop)));
    if (rounds) {
      alloc(product_.sum);
      const PrimRef rounded = ir_.MakeCast(product_.sum->dtype, ir_.MakeLoad(sum, {}));
      stmts.push_back(Make(ir::StoreStmt{product_.sum, {}, rounded}));
    }
    stmts.insert(stmts.end(), product_.finish.begin(), product_.finish.end());
    return Make(ir::SeqStmt{std::move(stmts)});
  }

  // Makes the parts a batch axis of the product, whose sums are stored unchanged.
  void Share() {
    const PrimRef part = ir_.NewVar("part");
    product_.part = ir::DepthPart{part, parts_.each};
    product_.batch.insert(product_.batch.begin(), {part, ir_.Int(0), ir_.Int(parts_.count)});
    product_.sum = Sum(product_.sum_dtype);
    product_.finish = {Make(ir::StoreStmt{found_, Place(part), ir_.MakeLoad(product_.sum, {})})};
    const auto wide = [&](PrimRef value) { return ir_.MakeCast(product_.sum_dtype, value); };
    product_.loops = Make(ir::StoreStmt{
        found_, Place(part),
        ir_.Make(BinaryOp::kMul, wide(product_.by_row.value), wide(product_.by_column.value))});
  }

  ir::Context& ir_;
  const DepthParts& parts_;
  ir::TiledProduct& product_;
  std::vector<GridAxis> axes_;  // of an element
  BufferRef found_ = nullptr;
};

}  // namespace

SharedSums SplitDepth(ir::Context& context, const DepthParts& parts, ir::TiledProduct& product) {
  return DepthSplitter(context, parts, product).Split();
}

}  // namespace lathe::schedule
