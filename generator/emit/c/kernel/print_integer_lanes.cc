#include "generator/emit/c/kernel/print_integer_lanes.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_axis_loops.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

constexpr int64_t kLanes = 4;  // of lathe/helium_lanes.h
constexpr char kType[] = "lathe_x4";

// A value of all lanes, or one number for all of them.
struct LaneText {
  std::string text;
  bool varies = false;
};

class LanePrinter {
 public:
  LanePrinter(CScope& scope, const ir::IntegerLanes& lanes, LineWriter& out)
      : scope_(scope), stage_(lanes.stage), axis_(lanes.stage.spatial.back()), out_(out) {
    scope.needs.headers.insert("\"lathe/helium_lanes.h\"");
  }

  absl::Status Print() {
    std::vector<ir::NestAxis> around(stage_.spatial.begin(), stage_.spatial.end() - 1);
    return PrintAxisLoops(scope_, around, false, out_, [&] { return Along(); });
  }

 private:
  absl::Status Along() {
    const std::string name = NameAxis(scope_, axis_);
    const int64_t count = axis_.extent->As<ir::IntImm>()->value;
    const std::string index = scope_.wide ? "int64_t" : "int32_t";
    out_.Line("for (", index, " ", name, " = 0; ", name, " < ", count, "; ", name, " += ", kLanes,
              ") {");
    {
      LineWriter::Indent in(out_);
      if (count % kLanes != 0) {
        part_ = scope_.names.Unique("lanes");
        out_.Line("const int32_t ", part_, " = ", scope_.wide ? "(int32_t)(" : "", count, " - ",
                  name, scope_.wide ? ");" : ";");
      }
      LATHE_ASSIGN_OR_RETURN(const std::string value, Lanes(Widened(stage_.value)));
      LATHE_ASSIGN_OR_RETURN(const std::string element,
                             PrintCElement(scope_, stage_.to, stage_.at));
      out_.Line(Memory("store", *stage_.to), "(&", element, ", ", value, Part(), ");");
    }
    out_.Line("}");
    return absl::OkStatus();
  }

  std::string Part() const { return part_.empty() ? "" : absl::StrCat(", ", part_); }

  std::string Memory(const char* function, const ir::Buffer& buffer) const {
    return absl::StrCat(kType, "_", function, "_i", buffer.dtype.bits,
                        part_.empty() ? "" : "_part");
  }

  // A store narrows by itself, and a load widens.
  static PrimRef Widened(PrimRef e) {
    while (const auto* cast = e->As<ir::Cast>()) e = cast->value;
    return e;
  }

  // Prints the value of all lanes; a number is broadcast.
  absl::StatusOr<std::string> Lanes(PrimRef e) {
    LATHE_ASSIGN_OR_RETURN(LaneText value, Value(e));
    return value.varies ? value.text : absl::StrCat(kType, "_all(", value.text, ")");
  }

  absl::StatusOr<LaneText> Value(PrimRef e) {
    if (const auto it = named_.find(e); it != named_.end()) return LaneText{it->second, true};
    if (!nest::Mentions(e, axis_.var)) {
      LATHE_ASSIGN_OR_RETURN(const CText text, PrintCValue(scope_, e));
      return LaneText{text.text, false};
    }
    e = Widened(e);
    if (const auto* load = e->As<ir::Load>()) {
      LATHE_ASSIGN_OR_RETURN(const std::string element,
                             PrintCElement(scope_, load->buffer, load->indices));
      return LaneText{absl::StrCat(Memory("load", *load->buffer), "(&", element, Part(), ")"),
                      true};
    }
    if (const auto* n = e->As<ir::Binary>()) return OfBinary(*n);
    if (const auto* n = e->As<ir::Select>()) return OfSelect(*n);
    const auto* call = e->As<ir::Intrinsic>();
    if (call == nullptr || call->name != "scaled_right") {
      return CannotPrint(absl::StrCat(ir::ToString(e), " of several lanes"));
    }
    LATHE_ASSIGN_OR_RETURN(const std::string x, Lanes(call->args[0]));
    LATHE_ASSIGN_OR_RETURN(const CText mantissa, PrintCValue(scope_, call->args[1]));
    LATHE_ASSIGN_OR_RETURN(const CText shift, PrintCValue(scope_, call->args[2]));
    const std::string name = scope_.names.Unique("scaled");
    out_.Line("const ", kType, " ", name, " = ", kType, "_scaled_right(", x, ", ", mantissa.text,
              ", ", shift.text, ");");
    named_[e] = name;
    return LaneText{name, true};
  }

  absl::StatusOr<LaneText> OfBinary(const ir::Binary& n) {
    LATHE_ASSIGN_OR_RETURN(LaneText a, Value(n.lhs));
    LATHE_ASSIGN_OR_RETURN(LaneText b, Value(n.rhs));
    const bool swaps = n.op == BinaryOp::kAdd || n.op == BinaryOp::kMul;
    if (swaps && !a.varies) std::swap(a, b);
    const bool by_number = (swaps || n.op == BinaryOp::kSub) && !b.varies && a.varies;
    const char* name = n.op == BinaryOp::kAdd   ? "add"
                       : n.op == BinaryOp::kSub ? "sub"
                       : n.op == BinaryOp::kMul ? "mul"
                       : n.op == BinaryOp::kMin ? "min"
                                                : "max";
    const auto vector = [](const LaneText& text) {
      return text.varies ? text.text : absl::StrCat(kType, "_all(", text.text, ")");
    };
    return LaneText{absl::StrCat(kType, "_", name, by_number ? "_all(" : "(", vector(a), ", ",
                                 by_number ? b.text : vector(b), ")"),
                    true};
  }

  // a > b is b < a, and a <= b is the opposite of b < a.
  absl::StatusOr<LaneText> OfSelect(const ir::Select& n) {
    const auto* cond = n.cond->As<ir::Binary>();
    if (cond == nullptr)
      return CannotPrint(absl::StrCat(ir::ToString(n.cond), " of several lanes"));
    LATHE_ASSIGN_OR_RETURN(std::string a, Lanes(cond->lhs));
    LATHE_ASSIGN_OR_RETURN(std::string b, Lanes(cond->rhs));
    LATHE_ASSIGN_OR_RETURN(std::string yes, Lanes(n.if_true));
    LATHE_ASSIGN_OR_RETURN(std::string no, Lanes(n.if_false));
    if (cond->op == BinaryOp::kGt || cond->op == BinaryOp::kLe) std::swap(a, b);
    if (cond->op == BinaryOp::kGe || cond->op == BinaryOp::kLe) std::swap(yes, no);
    return LaneText{absl::StrCat(kType, "_if_less(", a, ", ", b, ", ", yes, ", ", no, ")"), true};
  }

  CScope& scope_;
  const ir::NestStage& stage_;
  const ir::NestAxis axis_;
  LineWriter& out_;
  std::string part_;  // the number of lanes of a last vector that is not full
  absl::flat_hash_map<PrimRef, std::string> named_;
};

}  // namespace

absl::Status PrintIntegerLanes(CScope& scope, const ir::IntegerLanes& lanes, LineWriter& out) {
  return LanePrinter(scope, lanes, out).Print();
}

}  // namespace lathe::emit
