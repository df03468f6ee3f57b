// Kernels of real programs, corrupted one by one: an access outside its buffers, as evaluating
// its loops shows, must not be proved.
#include "generator/schedule/accesses/check_accesses.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/ir/int8_dot.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/requantize.h"
#include "generator/target/target.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"
#include "tests/support/touched_places.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using ir::StmtRef;

constexpr char kPrograms[] = R"(
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def rescale(x: T.Buffer((40,), "int32"), y: T.Buffer((40,), "int8")):
        for v in range(40):
            y[v] = T.Cast("int8", T.min(T.max(T.Cast("int32", T.shift_right(T.Cast("int64", x[v]) * T.int64(1073741824) + T.int64(0), T.int64(33))), -128), 127))

    @R.function
    def main(x: R.Tensor((6, 8), "float32"), w: R.Tensor((8, 19), "float32"), image: R.Tensor((1, 3, 7, 7), "float32"), taps: R.Tensor((4, 3, 3, 3), "float32"), at: R.Tensor((5,), "int64"), q: R.Tensor((40,), "int32")):
        with R.dataflow():
            product = R.nn.relu(R.matmul(x, w))
            part = R.exp(R.strided_slice(R.matmul(x, w), (0, 1), (1, 2), (5, 17), (2, 3)))
            conv = R.nn.conv2d(image, taps, padding=(1, 1), strides=(2, 2))
            pool = R.nn.max_pool2d(image, pool_size=(3, 3), strides=(2, 2), padding=(1, 1))
            soft = R.nn.softmax(x, axis=1)
            joined = R.concat((x, R.negative(x)), axis=0)
            padded = R.nn.pad(x, (1, 2, 0, 3))
            turned = R.permute_dims(image, (0, 2, 3, 1))
            flat = R.reshape(R.tanh(x), (4, 12))
            taken = R.take(x, at, axis=0)
            tiled = R.tile(x, (2, 1))
            flipped = R.flip(x, axis=1)
            sums = R.mean(image, axis=[2, 3])
            scan = R.cumsum(x, axis=1)
            bytes = R.call_tir(Module.rescale, (q,), out_sinfo=R.Tensor((40,), "int8"))
            R.output(product, part, conv, pool, soft, joined, padded, turned, flat, taken, tiled, flipped, sums, scan, bytes)
        return (product, part, conv, pool, soft, joined, padded, turned, flat, taken, tiled, flipped, sums, scan, bytes)

    @R.function
    def sizes(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n", 3), "float32"), w: R.Tensor(("m", 17), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            joined = R.concat((x, y), axis=1)
            product = R.matmul(x, w)
            flat = R.reshape(x, (n * m,))
            turned = R.permute_dims(x)
            padded = R.nn.pad(x, (1, 1, 2, 0))
            R.output(joined, product, flat, turned, padded)
        return (joined, product, flat, turned, padded)
)";

// The n-th place at which `change` makes something else of an expression.
class Places {
 public:
  Places(ir::Context& context, int wanted, std::function<PrimRef(PrimRef)> change)
      : ir_(context), wanted_(wanted), change_(std::move(change)) {}

  PrimRef operator()(PrimRef e) {
    if (const PrimRef changed = change_(e); changed != nullptr && seen_++ == wanted_) {
      return changed;
    }
    return ir::MapOperands(ir_, e, [&](PrimRef part) { return (*this)(part); });
  }
  StmtRef In(StmtRef stmt) {
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      ir::StoreStmt changed = *store;
      changed.value = (*this)(store->value);
      return changed.value == store->value ? stmt : ir_.Make(std::move(changed), stmt->loc());
    }
    if (const auto* let = stmt->As<ir::LetStmt>(); let != nullptr && let->body == nullptr) {
      ir::LetStmt changed = *let;
      changed.value = (*this)(let->value);
      return changed.value == let->value ? stmt : ir_.Make(std::move(changed), stmt->loc());
    }
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return In(part); });
  }

 private:
  ir::Context& ir_;
  const int wanted_;
  int seen_ = 0;
  const std::function<PrimRef(PrimRef)> change_;
};

// The n-th statement of which `change` makes something else.
StmtRef ChangeStmt(ir::Context& context, StmtRef stmt, int& left,
                   const std::function<StmtRef(StmtRef)>& change) {
  if (const StmtRef changed = change(stmt); changed != nullptr && left-- == 0) return changed;
  return ir::MapChildren(context, stmt,
                         [&](StmtRef part) { return ChangeStmt(context, part, left, change); });
}

struct Corruption {
  std::string name;
  std::function<void(ir::Program&, ir::KernelStep&)> apply;
};

class Corruptions {
 public:
  explicit Corruptions(ir::Context& context) : ir_(context) {}

  std::vector<Corruption> Of(const ir::Program& program, const ir::KernelStep& call) {
    found_.clear();
    const ir::Kernel& kernel = program.kernels[call.kernel];
    if (kernel.form) {
      for (size_t i = 0; i < kernel.form->stages.size(); ++i) Stage(kernel.form->stages[i], i);
    } else {
      Loops();
    }
    for (size_t i = 0; i < call.tensors.size(); ++i) Smaller(program, call, i);
    for (size_t i = 1; i < call.tensors.size(); ++i) {
      Add(absl::StrCat("tensors 0 and ", i, " are swapped"),
          [i](ir::Program&, ir::KernelStep& step) { std::swap(step.tensors[0], step.tensors[i]); });
    }
    return std::move(found_);
  }

 private:
  static constexpr int kPlaces = 4;

  PrimRef Plus(PrimRef e, int64_t by) {
    return ir_.Make(BinaryOp::kAdd, e, ir_.Int(by, e->dtype()));
  }
  PrimRef Doubled(PrimRef e) { return ir_.Make(BinaryOp::kMul, e, ir_.Int(2, e->dtype())); }

  void Add(std::string name, std::function<void(ir::Program&, ir::KernelStep&)> apply) {
    found_.push_back({std::move(name), std::move(apply)});
  }
  void InLoops(const std::string& name, std::function<StmtRef(StmtRef)> change) {
    for (int n = 0; n < kPlaces; ++n) {
      Add(absl::StrCat(name, " ", n),
          [this, n, change](ir::Program& program, ir::KernelStep& step) {
            int left = n;
            StmtRef& body = program.kernels[step.kernel].func.body;
            body = ChangeStmt(ir_, body, left, change);
          });
    }
  }
  void InValues(const std::string& name, std::function<PrimRef(PrimRef)> change) {
    for (int n = 0; n < kPlaces; ++n) {
      Add(absl::StrCat(name, " ", n),
          [this, n, change](ir::Program& program, ir::KernelStep& step) {
            StmtRef& body = program.kernels[step.kernel].func.body;
            body = Places(ir_, n, change).In(body);
          });
    }
  }

  void Loops() {
    InLoops("extent + 1", [this](StmtRef stmt) -> StmtRef {
      const auto* loop = stmt->As<ir::ForStmt>();
      if (loop == nullptr) return nullptr;
      ir::ForStmt more = *loop;
      more.extent = Plus(loop->extent, 1);
      return ir_.Make(std::move(more), stmt->loc());
    });
    for (int64_t by : {1, -1}) {
      InLoops(absl::StrCat("store at index + ", by), [this, by](StmtRef stmt) -> StmtRef {
        const auto* store = stmt->As<ir::StoreStmt>();
        if (store == nullptr || store->indices.empty()) return nullptr;
        ir::StoreStmt moved = *store;
        PrimRef& index = by > 0 ? moved.indices.front() : moved.indices.back();
        index = Plus(index, by);
        return ir_.Make(std::move(moved), stmt->loc());
      });
      InValues(absl::StrCat("load at index + ", by), [this, by](PrimRef e) -> PrimRef {
        const auto* load = e->As<ir::Load>();
        if (load == nullptr || load->indices.empty()) return nullptr;
        std::vector<PrimRef> indices = load->indices;
        PrimRef& index = by > 0 ? indices.front() : indices.back();
        index = Plus(index, by);
        return ir_.MakeLoad(load->buffer, std::move(indices));
      });
    }
    InLoops("store at twice the index", [this](StmtRef stmt) -> StmtRef {
      const auto* store = stmt->As<ir::StoreStmt>();
      if (store == nullptr || store->indices.empty()) return nullptr;
      ir::StoreStmt wide = *store;
      wide.indices.front() = Doubled(wide.indices.front());
      return ir_.Make(std::move(wide), stmt->loc());
    });
    InValues("a guard is dropped", [](PrimRef e) -> PrimRef {
      const auto* call = e->As<ir::Intrinsic>();
      if (const auto* select = e->As<ir::Select>()) return select->if_true;
      return call != nullptr && call->name == "if_then_else" ? call->args[1] : nullptr;
    });
    InLoops("a check is dropped", [this](StmtRef stmt) -> StmtRef {
      const auto* check = stmt->As<ir::AssertStmt>();
      if (const auto* branch = stmt->As<ir::IfStmt>()) return branch->then_case;
      if (check == nullptr || check->body != nullptr) return nullptr;
      return ir_.Make(ir::SeqStmt{}, stmt->loc());
    });
    for (size_t arg = 0; arg < 8; ++arg) {
      InLoops(absl::StrCat("argument ", arg, " + 1"), [this, arg](StmtRef stmt) -> StmtRef {
        const auto* evaluate = stmt->As<ir::EvaluateStmt>();
        const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
        if (call == nullptr || call->name != ir::kRequantize || arg >= call->args.size()) {
          return nullptr;
        }
        std::vector<PrimRef> args = call->args;
        if (const auto* load = args[arg]->As<ir::Load>()) {
          args[arg] = ir_.MakeLoad(load->buffer, {Plus(load->indices[0], 1)});
        } else {
          args[arg] = Plus(args[arg], 1)->dtype().is_int() && args[arg]->As<ir::IntImm>() != nullptr
                          ? ir_.Int(args[arg]->As<ir::IntImm>()->value + 1, args[arg]->dtype())
                          : args[arg];
        }
        return ir_.Make(ir::EvaluateStmt{ir_.MakeIntrinsic(evaluate->value->dtype(), call->name,
                                                           std::move(args))},
                        stmt->loc());
      });
    }
  }

  template <typename F>
  void InForm(const std::string& name, size_t stage, F change) {
    Add(absl::StrCat("stage ", stage, ": ", name),
        [stage, change](ir::Program& program, ir::KernelStep& step) {
          change(program.kernels[step.kernel].form->stages[stage]);
        });
  }

  void Stage(const ir::StageForm& form, size_t at) {
    const auto nest = [](ir::StageForm& f) -> ir::NestStage& {
      if (auto* sum = std::get_if<ir::TiledSum>(&f)) return sum->stage;
      if (auto* copy = std::get_if<ir::PaddedCopy>(&f)) return copy->stage;
      if (auto* loops = std::get_if<ir::VectorLoops>(&f)) return loops->stage;
      if (auto* lanes = std::get_if<ir::IntegerLanes>(&f)) return lanes->stage;
      return std::get<ir::NestStage>(f);
    };
    ir::StageForm copy = form;
    for (size_t i = 0; i < nest(copy).spatial.size(); ++i) {
      InForm(absl::StrCat("axis ", i, " is longer"), at, [this, nest, i](ir::StageForm& f) {
        ir::NestAxis& axis = nest(f).spatial[i];
        axis.extent = Plus(axis.extent, 1);
        auto* loops = std::get_if<ir::VectorLoops>(&f);
        if (loops != nullptr && loops->axis.var == axis.var) loops->axis.extent = axis.extent;
      });
    }
    for (size_t i = 0; i < nest(copy).at.size(); ++i) {
      InForm(absl::StrCat("index ", i, " is further"), at,
             [this, nest, i](ir::StageForm& f) { nest(f).at[i] = Plus(nest(f).at[i], 1); });
    }
    if (std::get_if<ir::VectorLoops>(&form) != nullptr) {
      InForm("the vectors' axis is longer", at, [this](ir::StageForm& f) {
        auto& loops = std::get<ir::VectorLoops>(f);
        if (loops.folds) loops.axis.extent = Plus(loops.axis.extent, 1);
      });
    }
    if (std::get_if<ir::TiledSum>(&form) == nullptr) return;
    const auto sum = [this, at](const std::string& name, std::function<void(ir::TiledSum&)> f) {
      InForm(name, at, [f](ir::StageForm& form) { f(std::get<ir::TiledSum>(form)); });
    };
    sum("more rows", [this](ir::TiledSum& s) { s.row.extent = Plus(s.row.extent, 1); });
    sum("a further start", [this](ir::TiledSum& s) { s.row_start = Plus(s.row_start, 1); });
    sum("an earlier start", [this](ir::TiledSum& s) { s.row_start = Plus(s.row_start, -1); });
    sum("wider rows", [this](ir::TiledSum& s) { s.row_stride = Plus(s.row_stride, 1); });
    sum("wider steps",
        [this](ir::TiledSum& s) { s.k_strides.back() = Plus(s.k_strides.back(), 1); });
    sum("more vectors", [](ir::TiledSum& s) { s.vectors *= 8; });
    sum("deeper", [this](ir::TiledSum& s) {
      auto& axis = s.stage.reduce.back();
      axis.extent = ir_.Int(axis.extent->As<ir::IntImm>()->value + 1, axis.extent->dtype());
    });
    sum("more columns", [this](ir::TiledSum& s) {
      s.column.extent =
          ir_.Int(s.column.extent->As<ir::IntImm>()->value + 1, s.column.extent->dtype());
    });
    sum("wider columns", [this](ir::TiledSum& s) {
      if (s.by_column != nullptr) s.column_stride = Plus(s.column_stride, 1);
    });
  }

  void Smaller(const ir::Program& program, const ir::KernelStep& call, size_t i) {
    if (program.tensors[call.tensors[i]].shape.empty()) return;
    Add(absl::StrCat("tensor ", i, " is smaller"), [this, i](ir::Program& p, ir::KernelStep& step) {
      ir::Tensor less = p.tensors[step.tensors[i]];
      less.shape[0] = Plus(less.shape[0], -1);
      step.tensors[i] = p.tensors.Add(std::move(less));
    });
  }

  ir::Context& ir_;
  std::vector<Corruption> found_;
};

// The n-th call of a kernel; `others` are left out but for what is checked before it.
ir::KernelStep* Call(ir::Program& program, int n, bool others = true) {
  for (int32_t r = 0; r < std::ssize(program.routines); ++r) {
    ir::Steps& steps = program.routines[ir::RoutineId{r}].steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!std::holds_alternative<ir::KernelStep>(steps[i].node) || n-- != 0) continue;
      if (others) return &std::get<ir::KernelStep>(steps[i].node);
      ir::Steps left;
      for (size_t k = 0; k < i; ++k) {
        if (std::holds_alternative<ir::CheckStep>(steps[k].node)) left.push_back(steps[k]);
      }
      left.push_back(steps[i]);
      for (int32_t o = 0; o < std::ssize(program.routines); ++o) {
        program.routines[ir::RoutineId{o}].steps.clear();
      }
      steps = std::move(left);
      return &std::get<ir::KernelStep>(steps.back().node);
    }
  }
  return nullptr;
}

struct Tally {
  int corrupt = 0, refused = 0, harmless = 0, harmless_refused = 0;
  std::vector<std::string> missed;
};

void CorruptAll(const char* target_name, Tally& tally) {
  testing::ReadProgram read = testing::ReadText(kPrograms);
  ASSERT_TRUE(read.module) << read.problems;
  ir::Context& context = *read.context;
  Diagnostics diags;
  const Target* target = FindTarget(target_name);
  ASSERT_NE(target, nullptr);
  auto module = driver::PrepareForLowering(context, *std::move(read.module), *target, {}, diags);
  ASSERT_TRUE(module.ok() && !diags.has_errors()) << Render(diags.all().front());
  auto model = driver::GenerateModel(context, *module, *target, "model", {}, diags);
  ASSERT_TRUE(model.ok()) << model.status();
  ir::Program program = std::move(model->program);
  ASSERT_TRUE(UnprovedAccesses(context, program).empty());
  std::map<PrimRef, int64_t> sizes;
  for (int32_t r = 0; r < std::ssize(program.routines); ++r) {
    int64_t next = 3;
    for (PrimRef size : program.routines[ir::RoutineId{r}].sizes) sizes[size] = next += 2;
  }
  for (int n = 0; Call(program, n) != nullptr; ++n) {
    for (const Corruption& corruption : Corruptions(context).Of(program, *Call(program, n))) {
      ir::Program corrupted = program;
      ir::KernelStep& call = *Call(corrupted, n, false);
      const std::string name = program.kernels[call.kernel].name;
      corruption.apply(corrupted, call);
      const bool refused = !UnprovedAccesses(context, corrupted).empty();
      if (!testing::TouchesOutside(corrupted, call, sizes)) {
        ++tally.harmless;
        tally.harmless_refused += refused ? 1 : 0;
        continue;
      }
      ++tally.corrupt;
      tally.refused += refused ? 1 : 0;
      if (!refused) {
        tally.missed.push_back(absl::StrCat(target_name, ", ", name, ": ", corruption.name));
      }
    }
  }
}

TEST(CheckAccessesTest, RefusesEveryCorruptedKernel) {
  Tally tally;
  for (const char* target : {"generic-c99", "x86-64-v3", "cortex-m4f"}) CorruptAll(target, tally);
  for (const std::string& missed : tally.missed) ADD_FAILURE() << "not refused: " << missed;
  EXPECT_EQ(tally.refused, tally.corrupt);
  EXPECT_GE(tally.corrupt, 200);
  RecordProperty("corrupted", tally.corrupt);
  RecordProperty("harmless", tally.harmless);
  RecordProperty("harmless_but_refused", tally.harmless_refused);
}

}  // namespace
}  // namespace lathe::schedule
