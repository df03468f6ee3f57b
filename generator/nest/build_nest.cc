#include "generator/nest/build_nest.h"

#include <utility>

#include "generator/nest/simplify_stage.h"

namespace lathe::nest {
namespace {

class NestBuilder {
 public:
  explicit NestBuilder(ir::Context& context) : ir_(context) {}

  ir::StmtRef Build(const NestStage& s) {
    std::vector<ir::StmtRef> body;
    if (s.acc != nullptr) {
      std::vector<ir::StmtRef> fold;
      AddLets(s.fold_lets, fold);
      fold.push_back(Make(ir::StoreStmt{s.acc, {}, s.update}));
      body.push_back(Alloc(s.acc));
      body.push_back(Make(ir::StoreStmt{s.acc, {}, s.init}));
      body.push_back(Loops(s.reduce, Seq(std::move(fold))));
    }
    AddLets(s.lets, body);
    if (s.to != nullptr) body.push_back(Make(ir::StoreStmt{s.to, s.at, s.value}));
    return Loops(s.spatial, Seq(std::move(body)));
  }

  ir::StmtRef Alloc(ir::BufferRef buffer) {
    ir::AllocStmt alloc;
    alloc.buffer = buffer;
    return Make(std::move(alloc));
  }

  ir::StmtRef Seq(std::vector<ir::StmtRef> stmts) {
    return stmts.size() == 1 ? stmts[0] : Make(ir::SeqStmt{std::move(stmts)});
  }
  ir::StmtRef Make(ir::Stmt::Node node) { return ir_.Make(std::move(node), Location()); }

  ir::StmtRef Loops(const std::vector<NestAxis>& axes, ir::StmtRef body) {
    for (size_t i = axes.size(); i-- > 0;) {
      ir::ForStmt loop;
      loop.var = axes[i].var;
      loop.min = ir_.Int(0, axes[i].var->dtype());
      loop.extent = axes[i].extent;
      loop.body = body;
      body = Make(std::move(loop));
    }
    return body;
  }

 private:
  void AddLets(const std::vector<NestLet>& lets, std::vector<ir::StmtRef>& out) {
    for (const NestLet& let : lets) out.push_back(Make(ir::LetStmt{let.var, let.value}));
  }

  ir::Context& ir_;
};

}  // namespace

ir::StmtRef BuildNest(ir::Context& context, const Nest& nest) {
  NestBuilder builder(context);
  std::vector<ir::StmtRef> stmts;
  for (ir::BufferRef buffer : nest.own) stmts.push_back(builder.Alloc(buffer));
  auto rows = nest.rows.begin();
  for (size_t i = 0; i < nest.stages.size();) {
    const bool shares = rows != nest.rows.end() && rows->first == i;
    std::vector<ir::StmtRef> iteration;
    for (const size_t end = shares ? rows->end : i + 1; i < end; ++i) {
      const ir::StmtRef built = builder.Build(SimplifyStage(context, nest.stages[i]));
      const auto* several = built->As<ir::SeqStmt>();
      if (several == nullptr) {
        iteration.push_back(built);
      } else {
        iteration.insert(iteration.end(), several->stmts.begin(), several->stmts.end());
      }
    }
    const ir::StmtRef body = builder.Seq(std::move(iteration));
    stmts.push_back(shares ? builder.Loops(rows++->axes, body) : body);
  }
  return builder.Seq(std::move(stmts));
}

}  // namespace lathe::nest
