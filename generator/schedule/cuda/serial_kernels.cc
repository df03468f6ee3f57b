#include "generator/schedule/cuda/serial_kernels.h"

#include <algorithm>
#include <variant>

#include "generator/ir/each_stmt.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

// The iterations that one thread runs in about the time of a launch.
constexpr int64_t kFewRounds = 256;

int64_t RoundsOf(ir::StmtRef stmt) {
  int64_t inside = 1;
  ir::ForEachChild(stmt, [&](ir::StmtRef child) { inside = std::max(inside, RoundsOf(child)); });
  const int64_t many = kFewRounds + 1;
  if (stmt->As<ir::WhileStmt>() != nullptr) return many;
  const auto* loop = stmt->As<ir::ForStmt>();
  if (loop == nullptr) return inside;
  const auto extent = nest::Number(loop->extent);
  if (!extent || *extent >= many || inside >= many) return many;
  return std::min(many, std::max<int64_t>(*extent, 0) * inside);
}

bool IsSerial(const ir::GridLaunch& launch) {
  const auto* grid = std::get_if<ir::GridStride>(&launch.form);
  return grid != nullptr && grid->axes.empty() && RoundsOf(grid->body) > kFewRounds;
}

}  // namespace

std::vector<ir::KernelId> SerialKernels(const IdVector<ir::KernelId, ir::GridLaunches>& launches) {
  std::vector<ir::KernelId> serial;
  for (int32_t i = 0; i < std::ssize(launches); ++i) {
    const ir::GridLaunches& of_kernel = launches[ir::KernelId{i}];
    if (std::any_of(of_kernel.begin(), of_kernel.end(), IsSerial))
      serial.push_back(ir::KernelId{i});
  }
  return serial;
}

}  // namespace lathe::schedule
