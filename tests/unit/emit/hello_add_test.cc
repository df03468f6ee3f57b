// Takes one model through every folder: graph, kernel, plan, C, a C compiler, a run.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/bundle/runtime_files.h"
#include "generator/bundle/stamp_files.h"
#include "generator/bundle/write_bundle.h"
#include "generator/emit/c/emit_c.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/ir/context.h"
#include "generator/lower/lower.h"
#include "generator/ops/ops.h"
#include "generator/plan/plan.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"

namespace lathe {
namespace {

using ir::BinaryOp;
using ir::DType;

// out[i] = x[i] + y[i] as a PrimFunc of eight floats.
ir::PrimFunc AddKernel(ir::Context& c) {
  ir::PrimFunc func;
  std::vector<ir::BufferRef> buffers;
  for (const char* name : {"x", "y", "out"}) {
    const ir::PrimRef data = c.NewPointer(name, DType::Float(32), "global");
    buffers.push_back(c.NewBuffer({name, data, DType::Float(32), {c.Int(8)}, {}}));
    func.params.push_back({data, buffers.back(), {}});
  }
  const ir::PrimRef i = c.NewVar("i");
  const ir::PrimRef vi = c.NewVar("vi");
  const ir::PrimRef sum =
      c.Make(BinaryOp::kAdd, c.MakeLoad(buffers[0], {vi}), c.MakeLoad(buffers[1], {vi}));
  ir::BlockStmt block;
  block.name = "add";
  block.axes = {{ir::AxisKind::kSpatial, vi, c.Int(0), c.Int(8), i}};
  block.body = c.Make(ir::StoreStmt{buffers[2], {vi}, sum}, {});
  ir::ForStmt loop{i, c.Int(0), c.Int(8)};
  loop.body = c.Make(std::move(block), {});
  func.body = c.Make(std::move(loop), {});
  return func;
}

// main(x, y): lv = add(x, y); gv = add(lv, y); return gv
ir::Module HelloAdd(ir::Context& c) {
  ir::Module m;
  const ir::StructInfoRef info = c.Tensor({c.Int(8)}, DType::Float(32));
  ir::Global add;
  add.name = "add";
  add.def = AddKernel(c);
  const ir::GlobalId add_id = m.globals.Add(std::move(add));
  const auto value = [&](const char* name) {
    ir::Value v;
    v.name = name;
    v.info = info;
    v.annotation = info;
    return m.values.Add(std::move(v));
  };
  const ir::ValueId x = value("x");
  const ir::ValueId y = value("y");
  const ir::ValueId lv = value("lv");
  const ir::ValueId gv = value("gv");
  const auto call = [&](ir::ValueId a, ir::ValueId b) {
    ir::Call call;
    call.callee = ops::FindOp("relax.call_tir");
    call.args = {ir::Operand{add_id}, ir::Operand{ir::TupleExpr{{ir::Operand{a}, ir::Operand{b}}}}};
    call.sinfo_args = {info};
    return call;
  };
  ir::Function main;
  main.params = {x, y};
  main.attrs["global_symbol"] = "main";
  main.body.blocks.push_back({true, {{lv, call(x, y), {}}, {gv, call(lv, y), {}}}, {}});
  main.body.result = ir::Operand{gv};
  ir::Global entry;
  entry.name = "main";
  entry.def = std::move(main);
  m.globals.Add(std::move(entry));
  Diagnostics diags;
  analysis::DeriveStructInfo(c, m, diags);
  return m;
}

TEST(HelloAddTest, ComputesInC) {
  ir::Context context;
  Diagnostics diags;
  const ir::Module module = HelloAdd(context);
  const Target& target = *FindTarget("generic-c99");
  auto program = lower::Lower(context, module, diags);
  ASSERT_TRUE(program.ok()) << program.status()
                            << (diags.all().empty() ? "" : diags.all()[0].message);
  const plan::Plan plan = plan::PlanMemory(*program, target);
  EXPECT_EQ(plan.arena_size, 32);
  EXPECT_EQ(plan.lower_bound, 32);
  auto files =
      emit::EmitC(context, *program, plan, target, emit::MakeCName("hello_add"), {}, diags);
  ASSERT_TRUE(files.ok()) << files.status();
  bundle::StampFiles(files->files);

  const std::string folder = absl::StrCat(::testing::TempDir(), "lathe_hello_add");
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(bundle::WriteBundle(folder, files->files).ok());
  ASSERT_TRUE(bundle::WriteBundle(folder, bundle::RuntimeFiles(files->runtime)).ok());
  ASSERT_TRUE(WriteFile(folder + "/main.c", R"(#include <stdio.h>
#include "hello_add.h"
int main(void) {
  static union { uint64_t align[2]; uint8_t bytes[HELLO_ADD_ARENA_SIZE]; } arena;
  static float x[HELLO_ADD_IN_X_LEN], y[HELLO_ADD_IN_Y_LEN], gv[HELLO_ADD_OUT_GV_LEN];
  const hello_add_inputs in = {x, y};
  const hello_add_outputs out = {gv};
  hello_add m;
  int i;
  for (i = 0; i < 8; ++i) { x[i] = (float)i; y[i] = 0.5f; }
  if (hello_add_init(&m, arena.bytes, 31) != LATHE_E_ARENA_SIZE) return 1;
  if (hello_add_init(&m, arena.bytes, sizeof arena.bytes) != LATHE_OK) return 2;
  if (hello_add_run(&m, &in, &out) != LATHE_OK) return 3;
  for (i = 0; i < 8; ++i) if (gv[i] != (float)i + 1.0f) return 4;
  return 0;
}
)")
                  .ok());
  const std::string build = absl::StrCat(
      "cd ", folder,
      " && cc -std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -I. main.c hello_add.c"
      " -o run -lm && ./run");
  EXPECT_EQ(std::system(build.c_str()), 0) << "in " << folder;
}

TEST(HelloAddTest, ReportsUnsupportedConstructs) {
  ir::Context context;
  Diagnostics diags;
  ir::Module module = HelloAdd(context);
  module.values[ir::ValueId{0}].info = context.Tensor(2, DType::Float(32));
  EXPECT_FALSE(lower::Lower(context, module, diags).ok());
  ASSERT_EQ(diags.all().size(), 1u);
  EXPECT_EQ(diags.all()[0].code, "cannot-lower");
  EXPECT_EQ(diags.all()[0].blame, Blame::kUnsupported);
}

}  // namespace
}  // namespace lathe
