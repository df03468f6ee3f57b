#include "generator/emit/cuda/print_allreduce.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/device/memory_address.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

absl::Status Refused(absl::string_view what) {
  return absl::UnimplementedError(
      absl::StrCat("T.tvm_thread_allreduce ", what,
                   " cannot be printed as CUDA yet; supported: up to 8 values inside "
                   "T.attr(T.comm_reducer(...), \"reduce_scope\", ...), over threadIdx with "
                   "constant extents, with results in elements of buffers"));
}

class AllreducePrinter {
 public:
  AllreducePrinter(CScope& scope, const ir::CommReducer& reducer, const ir::Intrinsic& call,
                   size_t values, LineWriter& out)
      : scope_(scope), ir_(scope.ir), reducer_(reducer), call_(call), values_(values), out_(out) {}

  absl::Status Print() {
    LATHE_RETURN_IF_ERROR(CountThreads());
    std::vector<const ir::Load*> results;
    for (size_t v = 0; v < values_; ++v) {
      results.push_back(ir::PointedElement(call_.args[2 + values_ + v]));
      if (results.back() == nullptr) return Refused("into a pointer");
    }
    const std::string name = scope_.names.Unique(results[0]->buffer->name + "_reduced");
    LATHE_ASSIGN_OR_RETURN(const std::string type, Type(name));
    const std::string all = scope_.names.Unique(name + "_all");
    LATHE_ASSIGN_OR_RETURN(const std::string own, Contribution(type));
    LATHE_ASSIGN_OR_RETURN(const std::string combine, Combine(type));
    LATHE_ASSIGN_OR_RETURN(const std::string rank, Index(rank_));
    LATHE_ASSIGN_OR_RETURN(const std::string group,
                           Index(ir_.Make(BinaryOp::kMul, group_, ir_.Int(count_))));
    const std::string first = groups_ == 1 ? all : absl::StrCat("&", all, "[", group, "]");
    out_.Line("__shared__ ", type, " ", all, "[", count_ * groups_, "];");
    out_.Line("const ", type, " ", name, " = lathe_reduce_threads(");
    out_.Line("    ", first, ", ", rank, ", ", count_, ", ", own, ",");
    out_.Line("    ", combine, ");");
    scope_.needs.headers.insert("\"lathe/warps.h\"");
    for (size_t v = 0; v < values_; ++v) {
      const PrimRef found = ir_.NewVar(name, call_.args[1 + v]->dtype());
      scope_.vars[found] = {Member(name, v), found->dtype()};
      LATHE_ASSIGN_OR_RETURN(const std::string store,
                             PrintCStore(scope_, results[v]->buffer, results[v]->indices,
                                         ir_.MakeCast(results[v]->buffer->dtype, found)));
      out_.Line(store);
    }
    return absl::OkStatus();
  }

 private:
  // Finds the threads that combine their values, and the number of such groups in a block.
  absl::Status CountThreads() {
    const absl::Span<const PrimRef> reduced =
        absl::MakeConstSpan(call_.args).subspan(2 + 2 * values_);
    rank_ = group_ = ir_.Int(0);
    size_t found = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (const CThread& thread : scope_.threads) {
        if (thread.axis != axis) continue;
        const auto* extent = thread.extent->As<ir::IntImm>();
        if (extent == nullptr) return Refused("over threads whose number is not constant");
        const bool in = std::find(reduced.begin(), reduced.end(), thread.var) != reduced.end();
        found += in ? 1 : 0;
        int64_t& count = in ? count_ : groups_;
        PrimRef& place = in ? rank_ : group_;
        const PrimRef var = ir_.MakeCast(ir::DType::Int(64), thread.var);
        place = ir_.Make(BinaryOp::kAdd, place, ir_.Make(BinaryOp::kMul, var, ir_.Int(count)));
        count *= extent->value;
      }
    }
    if (found != reduced.size() || found == 0)
      return Refused("over variables other than threadIdx");
    return absl::OkStatus();
  }

  // Returns the type that the threads exchange: a scalar, or a struct if there are several values.
  absl::StatusOr<std::string> Type(const std::string& name) {
    std::vector<std::string> members;
    for (size_t v = 0; v < values_; ++v) {
      const absl::string_view type = CScalarType(call_.args[1 + v]->dtype());
      if (type.empty()) return Refused("of a value that is not a number");
      if (values_ == 1) return std::string(type);
      members.push_back(absl::StrCat("  ", type, " of_", v, ";"));
    }
    const std::string type = scope_.names.Unique(name + "_values");
    out_.Line("struct ", type, " {");
    for (const std::string& member : members) out_.Line(member);
    out_.Line("};");
    return type;
  }

  absl::StatusOr<std::string> Index(PrimRef e) {
    return PrintCIndex(scope_, analysis::Simplify(ir_, e, scope_.ranges));
  }

  std::string Member(const std::string& name, size_t v) const {
    return values_ == 1 ? name : absl::StrCat(name, ".of_", v);
  }

  absl::StatusOr<std::string> Joined(const std::vector<PrimRef>& values, const std::string& type) {
    std::vector<std::string> texts;
    for (PrimRef value : values) {
      LATHE_ASSIGN_OR_RETURN(texts.emplace_back(), PrintCExpr(scope_, value));
    }
    return values_ == 1 ? texts[0] : absl::StrCat(type, "{", absl::StrJoin(texts, ", "), "}");
  }

  // Returns the contribution of this thread: its values, or the identities if the condition is
  // false.
  absl::StatusOr<std::string> Contribution(const std::string& type) {
    std::vector<PrimRef> values;
    const PrimRef condition = call_.args[1 + values_];
    for (size_t v = 0; v < values_; ++v) {
      const PrimRef value = call_.args[1 + v];
      const PrimRef nothing = ir_.MakeCast(value->dtype(), reducer_.identities[v]);
      const auto* always = condition->As<ir::IntImm>();
      const bool is_true = always != nullptr && always->value != 0;
      values.push_back(is_true ? value : ir_.MakeSelect(condition, value, nothing));
    }
    return Joined(values, type);
  }

  absl::StatusOr<std::string> Combine(const std::string& type) {
    std::vector<std::string> params;
    for (const std::vector<PrimRef>* side : {&reducer_.lhs, &reducer_.rhs}) {
      const std::string name = scope_.names.Unique(ir::ToString((*side)[0]));
      params.push_back(values_ == 1 ? absl::StrCat(type, " ", name)
                                    : absl::StrCat("const ", type, " &", name));
      for (size_t v = 0; v < values_; ++v) {
        scope_.vars[(*side)[v]] = {Member(name, v), (*side)[v]->dtype()};
      }
    }
    std::vector<PrimRef> results;
    for (size_t v = 0; v < values_; ++v) {
      results.push_back(ir_.MakeCast(call_.args[1 + v]->dtype(), reducer_.results[v]));
    }
    LATHE_ASSIGN_OR_RETURN(const std::string result, Joined(results, type));
    const std::string head = absl::StrCat("[](", params[0], ", ", params[1], ") {");
    if (values_ == 1) return absl::StrCat(head, " return ", result, "; }");
    return absl::StrCat(head, "\n      return ", result, ";\n    }");
  }

  CScope& scope_;
  ir::Context& ir_;
  const ir::CommReducer& reducer_;
  const ir::Intrinsic& call_;
  const size_t values_;
  LineWriter& out_;
  PrimRef rank_ = nullptr;   // number of this thread in its group
  PrimRef group_ = nullptr;  // number of the group
  int64_t count_ = 1;
  int64_t groups_ = 1;
};

}  // namespace

absl::Status PrintAllreduce(CScope& scope, const ir::CommReducer* reducer,
                            const ir::Intrinsic& call, LineWriter& out) {
  const auto* count = call.args.empty() ? nullptr : call.args[0]->As<ir::IntImm>();
  const bool counts = count != nullptr && count->value >= 1 && count->value <= 8;
  const size_t values = counts ? static_cast<size_t>(count->value) : 0;
  const bool fits = reducer != nullptr && counts && reducer->identities.size() == values &&
                    call.args.size() >= 2 + 2 * values;
  if (!fits) return Refused("without a reducer for the same number of values");
  return AllreducePrinter(scope, *reducer, call, values, out).Print();
}

}  // namespace lathe::emit
