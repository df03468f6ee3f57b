#include "generator/emit/cuda/print_launch.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/drop_unread.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/kernel/print_in_width.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/cuda_names.h"
#include "generator/emit/cuda/print_attention.h"
#include "generator/emit/cuda/print_bound_threads.h"
#include "generator/emit/cuda/print_grid_stride.h"
#include "generator/emit/cuda/print_group_product.h"
#include "generator/emit/cuda/print_host_size.h"
#include "generator/emit/cuda/print_scan_rows.h"
#include "generator/emit/cuda/print_sort_rows.h"
#include "generator/emit/cuda/print_team_rows.h"
#include "generator/emit/cuda/print_tiled_product.h"
#include "generator/emit/cuda/print_transpose_tiles.h"
#include "generator/emit/cuda/print_vector_product.h"
#include "generator/emit/cuda/print_wide_stride.h"
#include "generator/emit/text/c_string.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/packed_elements.h"
#include "generator/nest/failing_callees.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/support/line_writer.h"
#include "generator/support/match.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using schedule::BufferUses;

// The file of each KernelFamily, in their order.
constexpr FamilyFile kFamilies[] = {
    {"elementwise", "each element on its own"},
    {"rows", "rows and columns of elements, which threads of a warp or of a block share"},
    {"reductions", "each element from several, which one thread goes through"},
    {"serial", "what one thread does alone: orders that count, and single numbers"},
    {"products", "products of matrices, and of matrices with few vectors"},
    {"attention", "attention, some queries to a block, which goes through the keys"},
    {"scheduled", "loops that the program binds to threads, as it does"},
};

// A parameter of a kernel. A launch has those parameters that its code uses.
struct Param {
  std::string name;
  std::string type;        // "float *"
  bool is_buffer = false;  // a pointer, const if the launch only reads
};

struct LaunchText {
  std::string name;  // of the __global__ function
  std::string function;
  GridText grid;
  std::vector<std::string> args;
};

absl::StatusOr<std::vector<Param>> ParamsOf(const ir::Kernel& kernel, CScope& scope) {
  std::vector<Param> params;
  for (BufferRef buffer : kernel.buffers) {
    const absl::string_view type = CType(buffer->dtype);
    if (type.empty()) {
      return CannotPrint(absl::StrCat("buffer '", buffer->name, "' of ", ToString(buffer->dtype)));
    }
    params.push_back({scope.names.Unique(buffer->name), absl::StrCat(type, " *"), true});
    scope.buffers[buffer] = params.back().name;
    scope.owners[buffer->data] = buffer;
  }
  for (PrimRef scalar : kernel.scalars) {
    const absl::string_view type = CScalarType(scalar->dtype());
    if (type.empty()) {
      return CannotPrint(
          absl::StrCat("parameter '", ir::ToString(scalar), "' of ", ToString(scalar->dtype())));
    }
    params.push_back({scope.names.Unique(ir::ToString(scalar)), absl::StrCat(type, " ")});
    scope.vars[scalar] = {params.back().name, scalar->dtype()};
  }
  return params;
}

class LaunchPrinter {
 public:
  LaunchPrinter(ir::Context& context, const ir::Kernel& kernel, CNeeds& needs)
      : ir_(context), kernel_(kernel), needs_(needs) {}

  absl::StatusOr<LaunchText> Print(const ir::GridLaunch& launch, const std::string& name) {
    return PrintInWidth(needs_, [&](bool* wide) { return PrintIn(launch, name, wide); });
  }

  // Prints the version of a matrix product for warpgroups. The launch is a product with groups.
  absl::StatusOr<LaunchText> PrintGroups(const ir::GridLaunch& launch, const std::string& name) {
    by_groups_ = true;
    return Print(launch, name);
  }

 private:
  absl::StatusOr<LaunchText> PrintIn(const ir::GridLaunch& launch, const std::string& name,
                                     bool* wide) {
    CNames names(needs_.prefix);
    ReserveCudaNames(names);
    for (const auto& [symbol, prototype] : needs_.externs) (void)names.Unique(symbol.str());
    CScope scope{ir_, needs_, names};
    scope.wide = *wide;
    scope.failed = "failed";
    LATHE_ASSIGN_OR_RETURN(const std::vector<Param> params, ParamsOf(kernel_, scope));
    LATHE_ASSIGN_OR_RETURN(const std::vector<NamedSize> sizes, NameSizes(scope, kernel_.buffers));
    const ir::StmtRef loops = ir::BodyOf(launch.form);
    scope.aligned = MemoryOfInstructions(loops);
    const BufferUses uses = schedule::UsesOf(ir_, loops, {}, needs_.callee_uses);
    for (BufferRef buffer : kernel_.buffers) {
      if (!uses.Stores(buffer->data)) scope.read_only.insert(buffer->data);
    }
    const bool fails = nest::MayFail(needs_.failing, loops);
    LineWriter lines(2);
    if (launch.guarded) {
      lines.Line("if (lathe_has_failed(failed)) {");
      lines.Line("  return;");
      lines.Line("}");
    }
    for (ir::StmtRef before : launch.preamble) {
      LATHE_RETURN_IF_ERROR(PrintCStmt(scope, before, fails, lines));
    }
    LaunchText text;
    LATHE_ASSIGN_OR_RETURN(text.grid, PrintForm(scope, launch.form, fails, lines));
    *wide = scope.must_be_wide;
    const std::string body = DeclareSizes(scope, sizes, DropUnread(lines.Take(), scope.lets));
    text.name = name;
    std::vector<std::string> declarations = text.grid.own_params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (!MentionsName(body, params[i].name)) continue;
      text.args.push_back(params[i].name);
      const bool reads = params[i].is_buffer && !uses.Stores(kernel_.buffers[i]->data);
      declarations.push_back(absl::StrCat(reads ? "const " : "", params[i].type, params[i].name));
    }
    if (MentionsName(body, "failed")) {
      text.args.push_back("failed");
      declarations.push_back("int32_t *failed");
    }
    text.function = absl::StrCat(text.grid.head, " ", name, "(", absl::StrJoin(declarations, ", "),
                                 ") {\n", Indented(body), "}");
    return text;
  }

  absl::StatusOr<GridText> PrintForm(CScope& scope, const ir::LaunchForm& form, bool fails,
                                     LineWriter& out) const {
    return Match(
        form, [&](const ir::GridStride& grid) { return PrintGridStride(scope, grid, fails, out); },
        [&](const ir::TeamRows& rows) { return PrintTeamRows(scope, rows, out); },
        [&](const ir::ScanRows& scan) { return PrintScanRows(scope, scan, out); },
        [&](const ir::SortRows& sort) { return PrintSortRows(scope, sort, out); },
        [&](const ir::WideStride& wide) { return PrintWideStride(scope, wide, out); },
        [&](const ir::TransposeTiles& tiles) { return PrintTransposeTiles(scope, tiles, out); },
        [&](const ir::TiledProduct& product) {
          return by_groups_ ? PrintGroupProduct(scope, product, out)
                            : PrintTiledProduct(scope, product, out);
        },
        [&](const ir::VectorProduct& vectors) { return PrintVectorProduct(scope, vectors, out); },
        [&](const ir::Attention& attention) { return PrintAttention(scope, attention, out); },
        [&](const ir::BoundThreads& bound) { return PrintBoundThreads(scope, bound, fails, out); });
  }

  static std::string Indented(const std::string& body) {
    std::string text;
    for (absl::string_view line : absl::StrSplit(body, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&text, "  ", line, "\n");
    }
    return text;
  }

  ir::Context& ir_;
  const ir::Kernel& kernel_;
  CNeeds& needs_;
  bool by_groups_ = false;
};

bool HasLoops(ir::StmtRef stmt) {
  bool has = false;
  ir::ForEachStmt(stmt, [&](ir::StmtRef s) { has = has || s->As<ir::ForStmt>() != nullptr; });
  return has;
}

KernelFamily FamilyOfForm(const ir::LaunchForm& form) {
  return Match(
      form,
      [](const ir::GridStride& grid) {
        return grid.axes.empty()     ? KernelFamily::kSerial
               : HasLoops(grid.body) ? KernelFamily::kReduction
                                     : KernelFamily::kElementwise;
      },
      [](const ir::TeamRows&) { return KernelFamily::kRows; },
      [](const ir::ScanRows&) { return KernelFamily::kRows; },
      [](const ir::SortRows&) { return KernelFamily::kRows; },
      [](const ir::WideStride&) { return KernelFamily::kElementwise; },
      [](const ir::TransposeTiles&) { return KernelFamily::kElementwise; },
      [](const ir::TiledProduct&) { return KernelFamily::kProduct; },
      [](const ir::VectorProduct&) { return KernelFamily::kProduct; },
      [](const ir::Attention&) { return KernelFamily::kAttention; },
      [](const ir::BoundThreads&) { return KernelFamily::kScheduled; });
}

// Prints the host code that enqueues a launch with the first configuration whose condition holds.
// `before` precedes each call.
void PrintWays(const LaunchText& text, const std::string& before, const std::string& indent,
               LineWriter& out) {
  const auto call = [&](const GridWay& way) {
    std::vector<std::string> args = {text.name + way.instance};
    args.insert(args.end(), way.factors.begin(), way.factors.end());
    args.push_back(way.blocks);
    if (!way.threads.empty()) args.push_back(way.threads);
    args.emplace_back("stream");
    args.insert(args.end(), text.args.begin(), text.args.end());
    return absl::StrCat(before, way.function, "(", absl::StrJoin(args, ", "), ");");
  };
  const std::vector<GridWay>& ways = text.grid.ways;
  if (ways.size() == 1 && ways[0].condition.empty()) {
    out.Line(indent, call(ways[0]));
    return;
  }
  for (size_t i = 0; i < ways.size(); ++i) {
    out.Line(indent, i == 0 ? "" : "} else ",
             ways[i].condition.empty() ? "{" : absl::StrCat("if (", ways[i].condition, ") {"));
    out.Line(indent, "  ", call(ways[i]));
  }
  out.Line(indent, "}");
}

// Prints calls that clear the unused bits after the last element of packed buffers, before the
// kernel writes them. Returns whether there are any.
absl::StatusOr<bool> PrintClears(const CScope& scope, const ir::Kernel& kernel,
                                 const std::vector<bool>& writes, LineWriter& out) {
  bool clears = false;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const BufferRef buffer = kernel.buffers[i];
    if (!writes[i] || !ir::IsPacked(buffer->dtype)) continue;
    PrimRef count = scope.ir.Int(1);
    for (PrimRef dim : buffer->shape) {
      count = analysis::Simplify(
          scope.ir,
          scope.ir.Make(ir::BinaryOp::kMul, count, scope.ir.MakeCast(ir::DType::Int(64), dim)));
    }
    const auto known = nest::Number(count);
    if (known && *known * buffer->dtype.bits % 8 == 0) continue;
    scope.needs.headers.insert("\"lathe/bits.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string elements, PrintHostSize(scope, count));
    out.Line(clears ? "" : "int ", "cleared = lathe_enqueue_clear(", scope.buffers.at(buffer), ", ",
             elements, ", ", int{buffer->dtype.bits}, "u, stream);");
    out.Line("if (cleared != LATHE_OK) {");
    out.Line("  return cleared;");
    out.Line("}");
    clears = true;
  }
  return clears;
}

// Prints the host code that enqueues a launch. If `groups` is not null, first tries this version
// for warpgroups. `first` is null if the kernel has one launch; otherwise it is whether no other
// launch precedes this one, and becomes false.
void PrintCalls(const LaunchText& text, const LaunchText* groups, bool* first, LineWriter& out) {
  const bool only = first == nullptr;
  const bool begins = only || *first;
  if (first != nullptr) *first = false;
  const std::string indent = begins ? "" : "  ";
  if (!begins) out.Line("if (status == LATHE_OK) {");
  if (groups != nullptr) {
    const bool asks = !groups->grid.ways[0].condition.empty();
    const std::string declares = begins ? "int status = " : "status = ";
    for (const std::string& line : groups->grid.names) out.Line(indent, line);
    if (asks) out.Line(indent, declares, "LATHE_NOT_TAKEN;");
    PrintWays(*groups, asks ? "status = " : declares, indent, out);
    out.Line(indent, "if (status == LATHE_NOT_TAKEN) {");
    PrintWays(text, "status = ", indent + "  ", out);
    out.Line(indent, "}");
    if (only) out.Line("return status;");
  } else if (only) {
    PrintWays(text, "return ", indent, out);
  } else {
    const bool several = text.grid.ways.size() > 1;
    if (begins && several) out.Line("int status = LATHE_OK;");
    PrintWays(text, begins && !several ? "int status = " : "status = ", indent, out);
  }
  if (!begins) out.Line("}");
}

}  // namespace

const FamilyFile& FileOf(KernelFamily family) { return kFamilies[static_cast<size_t>(family)]; }

KernelFamily FamilyOf(const ir::GridLaunches& launches) {
  KernelFamily family = KernelFamily::kElementwise;
  for (const ir::GridLaunch& launch : launches)
    family = std::max(family, FamilyOfForm(launch.form));
  return family;
}

absl::StatusOr<PrintedLaunches> PrintLaunches(ir::Context& context, const ir::Kernel& kernel,
                                              const ir::GridLaunches& launches, CNames& file_names,
                                              CNeeds& needs) {
  PrintedLaunches printed;
  PrintedKernel& host = printed.kernel;
  host.name = file_names.Unique(absl::StrCat(needs.prefix, "_launch_", kernel.name));
  host.fails = std::any_of(launches.begin(), launches.end(), [&](const ir::GridLaunch& launch) {
    return launch.guarded || nest::MayFail(needs.failing, ir::BodyOf(launch.form));
  });
  std::vector<BufferUses> uses;
  for (const ir::GridLaunch& launch : launches) {
    uses.push_back(schedule::UsesOf(context, ir::BodyOf(launch.form), {}, needs.callee_uses));
  }
  for (BufferRef buffer : kernel.buffers) {
    host.writes.push_back(std::any_of(
        uses.begin(), uses.end(), [&](const BufferUses& all) { return all.Stores(buffer->data); }));
  }

  CNames names(needs.prefix);
  ReserveCudaNames(names);
  CScope scope{context, needs, names};
  LATHE_ASSIGN_OR_RETURN(const std::vector<Param> params, ParamsOf(kernel, scope));
  LineWriter lines(2);
  lines.Line("LATHE_RANGE(", CString(absl::StrCat(needs.prefix, "_", kernel.name)), ");");
  bool first = true;
  LATHE_ASSIGN_OR_RETURN(const bool clears, PrintClears(scope, kernel, host.writes, lines));
  for (const ir::GridLaunch& launch : launches) {
    const std::string name = file_names.Unique(
        launches.size() == 1 ? absl::StrCat(needs.prefix, "_", kernel.name)
                             : absl::StrCat(needs.prefix, "_", kernel.name, "_", launch.name));
    LATHE_ASSIGN_OR_RETURN(const LaunchText text,
                           LaunchPrinter(context, kernel, needs).Print(launch, name));
    printed.functions.push_back(text.function);
    const auto* product = std::get_if<ir::TiledProduct>(&launch.form);
    std::optional<LaunchText> groups;
    if (product != nullptr && product->groups) {
      LATHE_ASSIGN_OR_RETURN(groups, LaunchPrinter(context, kernel, needs)
                                         .PrintGroups(launch, file_names.Unique(name + "_wgmma")));
      printed.functions.push_back(groups->function);
    }
    PrintCalls(text, groups ? &*groups : nullptr, launches.size() == 1 ? nullptr : &first, lines);
  }
  if (launches.size() != 1) lines.Line("return ", launches.empty() ? "LATHE_OK;" : "status;");

  std::vector<std::string> declarations;
  LineWriter unused(2);
  for (size_t i = 0; i < params.size(); ++i) {
    const bool reads = params[i].is_buffer && !host.writes[i];
    declarations.push_back(absl::StrCat(reads ? "const " : "", params[i].type, params[i].name));
    if (!MentionsName(lines.text(), params[i].name)) unused.Line("(void)", params[i].name, ";");
  }
  if (host.fails) declarations.push_back("int32_t *failed");
  declarations.push_back("cudaStream_t stream");
  if (launches.empty() && !clears) unused.Line("(void)stream;");
  host.signature = absl::StrCat("int ", host.name, "(", absl::StrJoin(declarations, ", "), ")");
  host.body = unused.Take() + lines.Take();
  return printed;
}

}  // namespace lathe::emit
