#include "generator/emit/c/kernel/print_kernel.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/drop_unread.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/kernel/print_axis_loops.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_c_int8.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/kernel/print_in_width.h"
#include "generator/emit/c/kernel/print_integer_lanes.h"
#include "generator/emit/c/kernel/print_padded_copy.h"
#include "generator/emit/c/kernel/print_tiled_sum.h"
#include "generator/emit/c/kernel/print_vector_loops.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/nest/build_nest.h"
#include "generator/nest/failing_callees.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BufferRef;
using ir::PrimRef;

// The memory that a kernel may write, by pointer variable. An unknown function may write all memory
// that is passed to it.
class Written {
 public:
  Written(ir::StmtRef body, const schedule::CalleeUses& callees) : callees_(callees) {
    ir::ForEachStmt(body, [&](ir::StmtRef stmt) { Visit(stmt); });
    for (BufferRef buffer : stores_) {
      for (auto it = sources_.find(buffer); it != sources_.end(); it = sources_.find(buffer)) {
        buffer = it->second;
      }
      written_.insert(buffer->data);
    }
    // A pointer derived from another one comes after it, so the list is traversed backwards.
    for (size_t i = pointers_.size(); i-- > 0;) {
      if (written_.contains(pointers_[i].first)) written_.insert(pointers_[i].second);
    }
  }

  bool Has(BufferRef buffer) const { return all_ || written_.contains(buffer->data); }

 private:
  void Visit(ir::StmtRef stmt) {
    if (const auto* s = stmt->As<ir::StoreStmt>()) {
      stores_.push_back(s->buffer);
      Calls(s->value);
    }
    if (const auto* s = stmt->As<ir::EvaluateStmt>()) {
      Calls(s->value);
      const auto* call = s->value->As<ir::Intrinsic>();
      if (call != nullptr) {
        for (BufferRef to : WrittenByInt8Operation(*call)) stores_.push_back(to);
      }
    }
    if (const auto* s = stmt->As<ir::IfStmt>()) Calls(s->cond);
    if (const auto* s = stmt->As<ir::WhileStmt>()) Calls(s->cond);
    if (const auto* s = stmt->As<ir::LetStmt>()) {
      Calls(s->value);
      if (s->var->dtype().is_handle()) Pointer(s->var, s->value);
    }
    if (const auto* s = stmt->As<ir::BlockStmt>()) {
      for (const ir::BlockMatch& m : s->matches) sources_[m.buffer] = m.source.buffer;
    }
  }

  void Pointer(PrimRef var, PrimRef value) {
    const auto* call = value->As<ir::Intrinsic>();
    const bool place = call != nullptr && call->name == "address_of";
    const auto* load = place ? call->args[0]->As<ir::Load>() : nullptr;
    if (load != nullptr) {
      pointers_.emplace_back(var, load->buffer->data);
    } else {
      all_ = true;  // the target of the pointer is unknown
    }
  }

  void Calls(PrimRef e) {
    const auto* call = e->As<ir::Intrinsic>();
    if (call != nullptr && ir::IsCall(call->name)) {
      const std::vector<schedule::PointerUse>* uses = schedule::UsesOf(callees_, *call);
      for (size_t i = 1; i < call->args.size(); ++i) {
        const bool is_known = uses != nullptr && i <= uses->size();
        if (!is_known || (*uses)[i - 1].writes) MarkWritten(call->args[i]);
      }
    }
    ir::ForEachOperand(e, [&](PrimRef operand) { Calls(operand); });
  }

  void MarkWritten(PrimRef e) {
    if (!e->dtype().is_handle()) return;
    if (const auto* region = e->As<ir::RegionArg>()) stores_.push_back(region->buffer);
    if (e->As<ir::SymVar>() != nullptr) written_.insert(e);
    ir::ForEachOperand(e, [&](PrimRef operand) {
      if (const auto* load = operand->As<ir::Load>()) stores_.push_back(load->buffer);
      MarkWritten(operand);
    });
  }

  const schedule::CalleeUses& callees_;
  absl::flat_hash_map<BufferRef, BufferRef> sources_;
  absl::flat_hash_set<PrimRef> written_;
  std::vector<BufferRef> stores_;
  std::vector<std::pair<PrimRef, PrimRef>> pointers_;  // and where those into that begin
  bool all_ = false;
};

// Returns, for each buffer of the kernel, whether the kernel may write it.
std::vector<bool> WritesOf(const ir::Kernel& kernel, const schedule::CalleeUses& callees) {
  const Written written(kernel.func.body, callees);
  const auto params = static_cast<size_t>(
      std::count_if(kernel.func.params.begin(), kernel.func.params.end(),
                    [](const ir::PrimParam& p) { return p.buffer != nullptr; }));
  std::vector<bool> writes;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    writes.push_back(i >= params || written.Has(kernel.buffers[i]));
  }
  return writes;
}

// Prints the stages of a kernel that has a scheduled form.
class FormPrinter {
 public:
  FormPrinter(CScope& scope, const ir::KernelForm& form, KernelParams params,
              const std::string& name, PrintedKernel& printed, LineWriter& lines)
      : scope_(scope),
        form_(form),
        params_(std::move(params)),
        name_(name),
        printed_(printed),
        lines_(lines) {}

  absl::Status Print() {
    for (BufferRef buffer : form_.own) LATHE_RETURN_IF_ERROR(AllocateLocal(buffer));
    auto rows = form_.rows.begin();
    for (size_t i = 0; i < form_.stages.size();) {
      if (rows == form_.rows.end() || rows->first != i) {
        LATHE_RETURN_IF_ERROR(Stage(form_.stages[i++]));
        continue;
      }
      LATHE_RETURN_IF_ERROR(
          PrintAxisLoops(scope_, rows->axes, false, lines_, [&] { return Row(*rows); }));
      i = rows++->end;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status AllocateLocal(BufferRef buffer) {
    ir::AllocStmt alloc;
    alloc.buffer = buffer;
    LATHE_RETURN_IF_ERROR(
        PrintCStmt(scope_, scope_.ir.Make(std::move(alloc), Location()), false, lines_));
    const std::string& local = scope_.buffers.at(buffer);
    const auto& names = params_.names;
    if (std::find(names.begin(), names.end(), local) != names.end()) return absl::OkStatus();
    params_.names.push_back(local);
    params_.declarations.push_back(absl::StrCat("const ", CType(buffer->dtype), " *", local));
    return absl::OkStatus();
  }

  // The functions of tiles take the variables of the loops as parameters.
  absl::Status Row(const ir::NestRows& rows) {
    const KernelParams outside = params_;
    for (const ir::NestAxis& axis : rows.axes) {
      params_.names.push_back(scope_.vars.at(axis.var).name);
      params_.declarations.push_back(
          absl::StrCat(scope_.wide ? "int64_t " : "int32_t ", params_.names.back()));
    }
    for (size_t i = rows.first; i < rows.end; ++i) {
      LATHE_RETURN_IF_ERROR(Stage(form_.stages[i]));
    }
    params_ = outside;
    return absl::OkStatus();
  }

  absl::Status Stage(const ir::StageForm& stage) {
    if (const auto* plain = std::get_if<ir::NestStage>(&stage)) {
      return PrintCStmt(scope_, nest::BuildNest(scope_.ir, {{}, {*plain}, {}}), false, lines_);
    }
    if (const auto* copy = std::get_if<ir::PaddedCopy>(&stage)) {
      return PrintPaddedCopy(scope_, *copy, lines_);
    }
    if (const auto* loops = std::get_if<ir::VectorLoops>(&stage)) {
      return PrintVectorLoops(scope_, *loops, form_.lanes, lines_);
    }
    if (const auto* integers = std::get_if<ir::IntegerLanes>(&stage)) {
      return PrintIntegerLanes(scope_, *integers, lines_);
    }
    const std::string number = tiled_++ == 0 ? "" : absl::StrCat(tiled_);
    LATHE_ASSIGN_OR_RETURN(
        const std::string function,
        PrintTiledSum(scope_, std::get<ir::TiledSum>(stage), form_.lanes, params_, name_,
                      absl::StrCat(name_, "_tile", number), lines_));
    absl::StrAppend(&printed_.functions, printed_.functions.empty() ? "" : "\n", function);
    return absl::OkStatus();
  }

  CScope& scope_;
  const ir::KernelForm& form_;
  KernelParams params_;
  const std::string& name_;
  PrintedKernel& printed_;
  LineWriter& lines_;
  int tiled_ = 0;
};

// Returns true if all values of `range` fit 32 bits, with room for the last step of a loop beyond
// it.
bool IsNarrow(analysis::Interval range) {
  constexpr int64_t kLimit = int64_t{1} << 30;
  return range.lo >= -kLimit && range.hi <= kLimit && range.lo <= range.hi;
}

absl::StatusOr<PrintedKernel> PrintIn(ir::Context& context, const ir::Kernel& kernel,
                                      absl::Span<const analysis::Interval> ranges,
                                      const std::string& name, CNeeds& needs, bool* wide) {
  PrintedKernel printed;
  printed.fails = nest::MayFail(needs.failing, kernel.func.body);
  printed.writes = WritesOf(kernel, needs.callee_uses);
  CNames names(needs.prefix);
  for (const auto& [symbol, prototype] : needs.externs) (void)names.Unique(symbol.str());
  CScope scope{context, needs, names};
  scope.wide = *wide;
  KernelParams all;
  std::vector<std::string>& params = all.declarations;
  std::vector<std::string>& param_names = all.names;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const BufferRef buffer = kernel.buffers[i];
    if (CType(buffer->dtype).empty()) {
      return CannotPrint(absl::StrCat("buffer '", buffer->name, "' of ", ToString(buffer->dtype)));
    }
    param_names.push_back(names.Unique(buffer->name));
    scope.buffers[buffer] = param_names.back();
    scope.owners[buffer->data] = buffer;
    if (!printed.writes[i]) scope.read_only.insert(buffer->data);
    params.push_back(absl::StrCat(printed.writes[i] ? "" : "const ", CType(buffer->dtype), " *",
                                  param_names.back()));
  }
  for (size_t i = 0; i < kernel.scalars.size(); ++i) {
    const PrimRef scalar = kernel.scalars[i];
    if (CScalarType(scalar->dtype()).empty()) {
      return CannotPrint(
          absl::StrCat("parameter '", ir::ToString(scalar), "' of ", ToString(scalar->dtype())));
    }
    param_names.push_back(names.Unique(ir::ToString(scalar)));
    const bool fits = scalar->dtype() == ir::DType::Int(64) && IsNarrow(ranges[i]);
    if (fits) scope.ranges.Bound(scalar, ranges[i]);
    printed.narrow.push_back(fits && !scope.wide);
    scope.given_narrow = scope.given_narrow || printed.narrow.back();
    const ir::DType declared = printed.narrow.back() ? ir::DType::Int(32) : scalar->dtype();
    scope.vars[scalar] = {param_names.back(), declared};
    params.push_back(absl::StrCat(CScalarType(declared), " ", param_names.back()));
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<NamedSize> sizes, NameSizes(scope, kernel.buffers));
  LineWriter lines(2);
  if (kernel.form) {
    // The tile functions take the named sizes as parameters.
    KernelParams given = all;
    for (const NamedSize& size : sizes) {
      given.names.push_back(size.name);
      given.declarations.push_back(
          absl::StrCat("const ", scope.wide ? "int64_t " : "int32_t ", size.name));
    }
    LATHE_RETURN_IF_ERROR(
        FormPrinter(scope, *kernel.form, std::move(given), name, printed, lines).Print());
  } else {
    LATHE_RETURN_IF_ERROR(PrintCStmt(scope, kernel.func.body, printed.fails, lines));
  }
  if (printed.fails) lines.Line("return LATHE_OK;");
  *wide = scope.must_be_wide;
  printed.body =
      WithParamsRead(param_names, DeclareSizes(scope, sizes, DropUnread(lines.Take(), scope)));
  printed.signature = absl::StrCat("(", params.empty() ? "void" : absl::StrJoin(params, ", "), ")");
  printed.declarations = std::move(all.declarations);
  printed.names = std::move(all.names);
  return printed;
}

}  // namespace

absl::StatusOr<PrintedKernel> PrintKernel(ir::Context& context, const ir::Kernel& kernel,
                                          absl::Span<const analysis::Interval> ranges, CName name,
                                          CNeeds& needs) {
  LATHE_ASSIGN_OR_RETURN(PrintedKernel printed, PrintInWidth(needs, [&](bool* wide) {
                           return PrintIn(context, kernel, ranges, name, needs, wide);
                         }));
  printed.signature =
      absl::StrCat("static ", printed.fails ? "int " : "void ", name, printed.signature);
  printed.name = std::move(name);
  return printed;
}

absl::StatusOr<std::string> PrintScalarFor(const PrintedKernel& kernel, size_t i, CScope& scope,
                                           PrimRef scalar) {
  LATHE_ASSIGN_OR_RETURN(const CText text, PrintCNumber(scope, scalar));
  const bool narrowed = i < kernel.narrow.size() && kernel.narrow[i] && !text.literal;
  return narrowed ? absl::StrCat("(int32_t)", text.In(kPrefix)) : text.text;
}

}  // namespace lathe::emit
