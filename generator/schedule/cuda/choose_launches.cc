#include "generator/schedule/cuda/choose_launches.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/first_location.h"
#include "generator/ir/packed_elements.h"
#include "generator/nest/failing_callees.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/cuda/build_rows.h"
#include "generator/schedule/cuda/callee_uses.h"
#include "generator/schedule/cuda/check_callees.h"
#include "generator/schedule/cuda/check_versions.h"
#include "generator/schedule/cuda/choose_tiles.h"
#include "generator/schedule/cuda/choose_vector_shape.h"
#include "generator/schedule/cuda/kernel_statements.h"
#include "generator/schedule/cuda/launches_from_bindings.h"
#include "generator/schedule/cuda/match_attention.h"
#include "generator/schedule/cuda/match_matrices.h"
#include "generator/schedule/cuda/match_product.h"
#include "generator/schedule/cuda/match_rows.h"
#include "generator/schedule/cuda/match_scan.h"
#include "generator/schedule/cuda/match_sort.h"
#include "generator/schedule/cuda/packed_groups.h"
#include "generator/schedule/cuda/parallel_axes.h"
#include "generator/schedule/cuda/split_depth.h"
#include "generator/schedule/cuda/split_rows.h"
#include "generator/schedule/cuda/transpose_tiles.h"
#include "generator/schedule/cuda/unbind_packed.h"
#include "generator/schedule/cuda/vector_alignment.h"
#include "generator/schedule/cuda/wide_stride.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// Facts about the functions that kernels call.
struct CalleeFacts {
  CalleeUses uses;
  nest::CalleeNames failing;
};

class KernelLaunches {
 public:
  KernelLaunches(ir::Context& context, ir::Kernel& kernel, const CalleeFacts& callees,
                 const GpuChoice& gpus)
      : ir_(context), kernel_(kernel), callees_(callees), gpus_(gpus) {
    for (BufferRef buffer : kernel.buffers) given_.insert(buffer->data);
  }

  ir::GridLaunches Choose() {
    rows_ = KernelStatements(ir_, kernel_.func.body);
    for (StmtRef row : rows_) {
      uses_.push_back(UsesOf(ir_, row));
      const auto* alloc = row->As<ir::AllocStmt>();
      if (alloc != nullptr && !alloc->constant) own_.insert(alloc->buffer->data);
    }
    if (!Separate()) return {OneThread(kernel_.func.body)};
    Share();
    return std::move(launches_);
  }

  // Buffers shared by launches, now parameters of the kernel.
  const std::vector<BufferRef>& shared() const { return shared_; }
  // Parameters for kernel allocations that no launch needs.
  const std::vector<size_t>& unused() const { return unused_; }

 private:
  // Makes each parallel nest a launch; runs of other statements become single-thread launches.
  // Returns false if that would change the result.
  bool Separate() {
    std::vector<StmtRef> run;  // statements for one thread
    for (size_t i = 0; i < rows_.size(); ++i) {
      const StmtRef row = rows_[i];
      if (row->As<ir::LetStmt>() != nullptr || row->As<ir::AllocStmt>() != nullptr ||
          row->As<ir::DeclBufferStmt>() != nullptr) {
        if (!Declare(i, run)) return false;
        continue;
      }
      if (const size_t count = Attention(i, run); count > 0) {
        i += count - 1;
        continue;
      }
      ir::GridStride grid = ParallelAxes(ir_, row, given_, lets_, callees_.uses);
      const bool free = AreFree(i, 1);
      if (free && Product(row, grid, run)) continue;
      if (const size_t count = RowsOrSort(i, run); count > 0) {
        i += count - 1;
        continue;
      }
      if (auto scan = MatchScan(ir_, grid, row); scan && free) {
        End(run);
        Add(*std::move(scan), {row});
        continue;
      }
      if (auto groups = PackedGroups(ir_, row, given_, lets_, callees_.uses)) {
        grid = *std::move(groups);
      }
      if (grid.axes.empty()) {
        run.push_back(row);
        continue;
      }
      End(run);
      if (auto wide = free ? MatchWideStride(ir_, row, grid) : std::nullopt) {
        Add(*std::move(wide), {row});
      } else if (auto tiles = free ? MatchTransposeTiles(ir_, row, grid) : std::nullopt) {
        Add(*std::move(tiles), {row});
      } else {
        Add(std::move(grid), {row});
      }
    }
    End(run);
    return true;
  }

  // Adds the declaration of statement `i` to all later launches, or returns false.
  bool Declare(size_t i, std::vector<StmtRef>& run) {
    const StmtRef row = rows_[i];
    if (const auto* let = row->As<ir::LetStmt>()) {
      // Each launch recomputes the binding, so it must not read memory that the kernel writes.
      if (ReadsWritten(i) || uses_[i].calls || let->var->dtype().is_handle()) return false;
      if (let->var->dtype().is_integer()) {
        lets_[let->var] = analysis::Substitute(ir_, let->value, lets_);
      }
      // A launch evaluates its bindings before its assertions, which may be about their indices.
      if (!uses_[i].uses.empty()) End(run);
      preamble_.push_back(row);
      return true;
    }
    const auto* alloc = row->As<ir::AllocStmt>();
    if (alloc == nullptr || alloc->condition != nullptr) return false;
    if (alloc->constant) preamble_.push_back(row);
    if (!alloc->constant) locals_.push_back(alloc->buffer);
    return true;
  }

  // Adds a launch for the attention that starts at statement `i`. Returns the number of its
  // statements; 0 if there is none.
  size_t Attention(size_t i, std::vector<StmtRef>& run) {
    auto nests = MatchAttention(ir_, rows_, i, uses_, given_, own_, lets_);
    if (!nests || !AreFree(i, nests->statements)) return 0;
    End(run);
    FindVectorAlignment(ir_, kernel_, nests->attention);
    Add(std::move(nests->attention), {rows_[i + nests->statements - 1]});
    return nests->statements;
  }

  // Adds a launch if `row` is a matrix product. Returns false if it is none.
  bool Product(StmtRef row, const ir::GridStride& grid, std::vector<StmtRef>& run) {
    if (auto product = MatchProduct(ir_, grid, row, gpus_.tf32)) {
      End(run);
      AddProduct(*std::move(product), row);
      return true;
    }
    auto vectors = MatchVectorProduct(ir_, grid, row);
    if (!vectors) return false;
    End(run);
    ChooseVectorShape(gpus_, *vectors);
    if (const auto parts = ChooseDepthParts(*vectors, gpus_)) {
      SharedSums sums = SplitDepth(ir_, *parts, vectors->product);
      AddShared(*std::move(vectors), std::move(sums), row);
    } else {
      Add(*std::move(vectors), {row});
    }
    return true;
  }

  // Adds a launch for the operations on rows, or the sort, that start at statement `i`. Returns the
  // number of its statements; 0 if there is none.
  size_t RowsOrSort(size_t i, std::vector<StmtRef>& run) {
    if (const auto group = MatchRows(ir_, rows_, i, uses_, given_, own_, gpus_);
        group && AreFree(i, group->statements)) {
      End(run);
      const auto first = rows_.begin() + static_cast<ptrdiff_t>(i);
      AddRows(*group, {first, first + static_cast<ptrdiff_t>(group->statements)});
      return group->statements;
    }
    auto sort = MatchSort(ir_, rows_, i, uses_, own_);
    if (!sort || !AreFree(i, sort->statements)) return 0;
    End(run);
    for (const auto& [at, gather] : sort->gathers) {
      rows_[at] = gather;
      uses_[at] = UsesOf(ir_, gather);
    }
    Add(std::move(sort->sort), {rows_[i]});
    return sort->statements;
  }

  // Returns whether threads may share the work of the rows in any order: no calls, no stores to
  // packed elements.
  bool AreFree(size_t first, size_t count) const {
    for (size_t i = first; i < first + count; ++i) {
      if (uses_[i].calls) return false;
      for (const BufferUse& use : uses_[i].uses) {
        if (use.stores && ir::IsPacked(use.buffer->dtype)) return false;
      }
    }
    return true;
  }

  bool ReadsWritten(size_t let) const {
    for (const BufferUse& use : uses_[let].uses) {
      for (const BufferUses& row : uses_) {
        if (row.Stores(use.buffer->data)) return true;
      }
    }
    return false;
  }

  void End(std::vector<StmtRef>& run) {
    if (run.empty()) return;
    const StmtRef body =
        run.size() == 1 ? run[0] : ir_.Make(ir::SeqStmt{run}, kernel_.func.body->loc());
    Add(ir::GridStride{{}, body}, run);
    run.clear();
  }

  void AddRows(const RowGroup& group, const std::vector<StmtRef>& rows) {
    if (const auto split = SplitFewRows(ir_, group)) {
      locals_.push_back(split->found);
      Add(BuildRows(ir_, split->parts), rows);
      launches_.back().name = split->found->name;
      Add(BuildRows(ir_, split->whole), rows);
    } else {
      Add(BuildRows(ir_, group), rows);
    }
  }

  void AddProduct(ir::TiledProduct product, StmtRef row) {
    product.tiles = ChooseTiles(product, gpus_);
    product.groups = MatchMatrices(ir_, kernel_, product);
    if (product.groups) product.groups->tiles = ChooseGroupTiles(product, gpus_);
    if (product.groups && product.groups->tiles.empty()) product.groups.reset();
    if (const auto parts = ChooseDepthParts(product, gpus_)) {
      product.groups.reset();
      SharedSums sums = SplitDepth(ir_, *parts, product);
      product.tiles = ChooseTiles(product, gpus_);
      FindVectorAlignment(ir_, kernel_, product);
      AddShared(std::move(product), std::move(sums), row);
    } else {
      FindVectorAlignment(ir_, kernel_, product);
      Add(std::move(product), {row});
    }
  }

  // `form` stores partial sums; the next launch adds them.
  void AddShared(ir::LaunchForm form, SharedSums sums, StmtRef row) {
    locals_.push_back(sums.found);
    Add(std::move(form), {row});
    launches_.back().name = sums.found->name;
    Add(std::move(sums.together), {row});
  }

  void Add(ir::LaunchForm form, const std::vector<StmtRef>& rows) {
    ir::GridLaunch launch;
    const bool calls = UsesOf(ir_, ir::BodyOf(form)).calls;
    launch.name = NameOfStatements(rows, calls ? "call" : "check");
    launch.preamble = NeededBy(ir_, preamble_, ir::BodyOf(form));
    launch.guarded = may_have_failed_;
    launch.form = std::move(form);
    for (StmtRef row : rows)
      may_have_failed_ = may_have_failed_ || nest::MayFail(callees_.failing, row);
    launches_.push_back(std::move(launch));
  }

  ir::GridLaunch OneThread(StmtRef body) const {
    return {NameOfStatements({body}), {}, ir::GridStride{{}, body}, false};
  }

  static bool IsOneThread(const ir::LaunchForm& form) {
    const auto* grid = std::get_if<ir::GridStride>(&form);
    return grid != nullptr && grid->axes.empty();
  }

  // Kernel memory used by several launches becomes a parameter. Other memory is allocated in its
  // launch.
  void Share() {
    for (BufferRef local : locals_) {
      std::vector<ir::GridLaunch*> users;
      for (ir::GridLaunch& launch : launches_) {
        if (UsesOf(ir_, ir::BodyOf(launch.form)).Mentions(local->data)) users.push_back(&launch);
      }
      if (given_.contains(local->data)) {
        const auto at = std::find(kernel_.buffers.begin(), kernel_.buffers.end(), local);
        if (users.empty() && at != kernel_.buffers.end()) {
          unused_.push_back(static_cast<size_t>(at - kernel_.buffers.begin()));
        }
        continue;
      }
      if (users.size() > 1 || (users.size() == 1 && !IsOneThread(users[0]->form))) {
        shared_.push_back(local);
      } else if (users.size() == 1) {
        ir::AllocStmt alloc;
        alloc.buffer = local;
        users[0]->preamble.push_back(ir_.Make(std::move(alloc), Location()));
      }
    }
  }

  ir::Context& ir_;
  ir::Kernel& kernel_;
  const CalleeFacts& callees_;
  const GpuChoice& gpus_;
  absl::flat_hash_set<PrimRef> given_;  // memory that exists before the kernel
  absl::flat_hash_set<PrimRef>
      own_;  // memory that the kernel allocates, in a launch or as a parameter
  std::vector<StmtRef> rows_;
  std::vector<BufferUses> uses_;  // of each row
  analysis::ShapeVarMap lets_;
  std::vector<StmtRef> preamble_;
  std::vector<BufferRef> locals_;
  std::vector<BufferRef> shared_;
  std::vector<size_t> unused_;
  ir::GridLaunches launches_;
  bool may_have_failed_ = false;
};

// Passes a new tensor for each shared buffer to each step of the kernel and removes the unused
// parameters, which are given by number, the last first.
void HandOverShared(ir::Program& program, ir::KernelId kernel,
                    const std::vector<BufferRef>& buffers, const std::vector<size_t>& unused,
                    ir::Steps& steps) {
  for (ir::Step& step : steps) {
    if (auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
      HandOverShared(program, kernel, buffers, unused, branch->then_steps);
      HandOverShared(program, kernel, buffers, unused, branch->else_steps);
    }
    auto* call = std::get_if<ir::KernelStep>(&step.node);
    if (call == nullptr || call->kernel != kernel) continue;
    for (size_t at : unused)
      call->tensors.erase(call->tensors.begin() + static_cast<ptrdiff_t>(at));
    for (BufferRef buffer : buffers) {
      ir::Tensor tensor;
      tensor.name = buffer->name;
      tensor.dtype = buffer->dtype;
      tensor.shape = buffer->shape;
      tensor.max_elements = tensor.elements();
      tensor.device = program.DeviceOf(*call);
      call->tensors.push_back(program.tensors.Add(std::move(tensor)));
    }
  }
}

}  // namespace

IdVector<ir::KernelId, ir::GridLaunches> ChooseLaunches(ir::Context& context, ir::Program& program,
                                                        const GpuChoice& gpus, Diagnostics& diags) {
  IdVector<ir::KernelId, ir::GridLaunches> all;
  if (const absl::Status callees = CheckCallees(CalleesOfGpus(program)); !callees.ok()) {
    diags.Unsupported({}, "cannot-emit") << callees.message();
    return all;
  }
  const CalleeFacts callees = {UsesOfCallees(context, program.callees),
                               nest::FailingCallees(program.callees)};
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    const ir::KernelId id{i};
    ir::Kernel& kernel = program.kernels[id];
    ChosenLaunches chosen;
    if (kernel.on_host) {
      all.Add({});
      continue;
    }
    kernel.func.body = UnbindPacked(context, kernel.func.body, callees.uses);
    if (BindsThreads(kernel.func.body)) {
      auto bound = LaunchesFromBindings(context, kernel, callees.uses, callees.failing);
      absl::Status status = bound.status();
      status.Update(CheckVersions(gpus, kernel.func.body));
      if (!status.ok()) {
        diags.Unsupported(ir::FirstLocation(kernel.func.body), "cannot-emit")
            << "kernel '" << kernel.name << "': " << status.message();
      } else {
        chosen = *std::move(bound);
      }
    } else {
      KernelLaunches launches(context, kernel, callees, gpus);
      chosen.launches = launches.Choose();
      chosen.shared = launches.shared();
      chosen.unused = launches.unused();
    }
    all.Add(std::move(chosen.launches));
    std::vector<size_t>& unused = chosen.unused;
    std::sort(unused.rbegin(), unused.rend());
    for (size_t at : unused) {
      kernel.buffers.erase(kernel.buffers.begin() + static_cast<ptrdiff_t>(at));
    }
    for (BufferRef buffer : chosen.shared) kernel.buffers.push_back(buffer);
    if (unused.empty() && chosen.shared.empty()) continue;
    for (int32_t r = 0; r < std::ssize(program.routines); ++r) {
      HandOverShared(program, id, chosen.shared, unused, program.routines[ir::RoutineId{r}].steps);
    }
  }
  return all;
}

}  // namespace lathe::schedule
