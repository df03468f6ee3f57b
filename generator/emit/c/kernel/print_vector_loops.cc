#include "generator/emit/c/kernel/print_vector_loops.h"

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_axis_loops.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/kernel/print_vector_expr.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// The maximum number of elements of a window that is printed without loops.
constexpr int64_t kSmallWindow = 64;
constexpr int64_t kSmallScalarWindow = 9;  // unrolled code is flash
// The number of independent vector accumulators. A single one would be limited by latency.
constexpr int kSideBySide = 4;

class VectorLoopsPrinter {
 public:
  VectorLoopsPrinter(CScope& scope, const ir::VectorLoops& loops, int lanes, LineWriter& out)
      : scope_(scope),
        ir_(scope.ir),
        loops_(loops),
        stage_(loops.stage),
        lanes_(lanes),
        out_(out),
        index_(scope.wide ? "int64_t" : "int32_t"),
        vector_(VectorType(scope, lanes)) {
    scope.needs.has_scalar_tiles = scope.needs.has_scalar_tiles || lanes == 1;
  }

  absl::Status Print() {
    std::vector<ir::NestAxis> around;
    for (const ir::NestAxis& axis : stage_.spatial) {
      if (axis.var != loops_.axis.var) around.push_back(axis);
    }
    return PrintAxisLoops(scope_, around, false, out_,
                          [&] { return loops_.folds ? Fold() : Along(); });
  }

 private:
  bool IsSmallWindow() const {
    const int64_t most = lanes_ == 1 ? kSmallScalarWindow : kSmallWindow;
    int64_t count = 1;
    for (const ir::NestAxis& axis : stage_.reduce) {
      const auto* extent = axis.extent->As<ir::IntImm>();
      if (extent == nullptr || extent->value > most) return false;
      count *= extent->value;
    }
    return count <= most;
  }

  int Step() const { return kSideBySide * lanes_; }
  // Returns true unless the axis is known to be too short for several vectors at once.
  bool HasSeveral() const {
    const auto* number = loops_.axis.extent->As<ir::IntImm>();
    return number == nullptr || number->value >= Step();
  }

  // Prints the loop over full vectors, then the remainder.
  absl::Status Along() {
    const std::string name = NameAxis(scope_, loops_.axis);
    LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, loops_.axis.extent));
    const auto* number = loops_.axis.extent->As<ir::IntImm>();
    out_.Line(index_, " ", name, " = 0;");
    if (number != nullptr && number->value < lanes_) return Vector(absl::StrCat(number->value));
    const int step = Step();
    const bool several = stage_.acc != nullptr && HasSeveral();
    if (several) {
      out_.Line("for (; ", name, " <= ", extent.In(kSum), " - ", step, "; ", name, " += ", step,
                ") {");
      {
        LineWriter::Indent in(out_);
        LATHE_RETURN_IF_ERROR(SeveralVectors());
      }
      out_.Line("}");
    }
    if (number == nullptr || !several || number->value % step >= lanes_) {
      out_.Line("for (; ", name, " <= ", extent.In(kSum), " - ", lanes_, "; ", name, " += ", lanes_,
                ") {");
      {
        LineWriter::Indent in(out_);
        LATHE_RETURN_IF_ERROR(Vector(""));
      }
      out_.Line("}");
    }
    if (number != nullptr && number->value % lanes_ == 0) return absl::OkStatus();
    out_.Line("if (", name, " < ", extent.In(kOrder + 1), ") {");
    {
      LineWriter::Indent in(out_);
      std::string part = number != nullptr ? absl::StrCat(number->value % lanes_)
                                           : scope_.names.Unique("part").str();
      if (number == nullptr) {
        out_.Line("const ", index_, " ", part, " = ", extent.In(kSum), " - ", name, ";");
      }
      LATHE_RETURN_IF_ERROR(Vector(part));
    }
    out_.Line("}");
    return absl::OkStatus();
  }

  absl::Status Lets(VectorScope& v, const std::vector<ir::NestLet>& lets) {
    for (const ir::NestLet& let : lets) {
      if (let.var->dtype() != ir::DType::Float(32)) {
        LATHE_RETURN_IF_ERROR(
            PrintCStmt(scope_, ir_.Make(ir::LetStmt{let.var, let.value}, Location()), false, out_));
        continue;
      }
      LATHE_ASSIGN_OR_RETURN(const VectorText value, PrintVectorValue(v, let.value));
      const std::string name = scope_.names.Unique(ir::ToString(let.var));
      out_.Line("const ", value.is_vector ? vector_ : "float", " ", name, " = ", value.text.text,
                ";");
      if (value.is_vector) {
        v.vectors[let.var] = name;
      } else {
        scope_.vars[let.var] = {name, let.var->dtype()};
      }
    }
    return absl::OkStatus();
  }

  // Prints the sums of several adjacent vectors, which are independent of each other.
  absl::Status SeveralVectors() {
    const std::string acc = scope_.names.Unique(stage_.acc->name);
    const std::string v = scope_.names.Unique("v"), own = absl::StrCat(acc, "[", v, "]");
    VectorScope vectors{scope_, loops_.axis.var, lanes_, "", {}};
    LATHE_ASSIGN_OR_RETURN(const std::string init, PrintVector(vectors, stage_.init));
    NameSum(vectors, stage_.acc, own);
    out_.Line(vector_, " ", acc, "[", kSideBySide, "];");
    EachVector(v, [&] { out_.Line(own, " = ", init, ";"); });
    const CVar first = scope_.vars.at(loops_.axis.var);
    absl::Status status;
    const auto each = [&](const std::function<absl::Status()>& body) {
      EachVector(v, [&] {
        const std::string here = scope_.names.Unique(first.name);
        out_.Line("const ", index_, " ", here, " = ", first.name, " + ", LanesBefore(v, lanes_),
                  ";");
        scope_.vars[loops_.axis.var].name = here;
        status.Update(body());
        scope_.vars[loops_.axis.var] = first;
      });
      return status;
    };
    LATHE_RETURN_IF_ERROR(PrintAxisLoops(scope_, stage_.reduce, IsSmallWindow(), out_, [&] {
      return each([&]() -> absl::Status {
        LATHE_RETURN_IF_ERROR(Lets(vectors, stage_.fold_lets));
        LATHE_ASSIGN_OR_RETURN(const std::string update, PrintVector(vectors, stage_.update));
        out_.Line(own, " = ", update, ";");
        return absl::OkStatus();
      });
    }));
    return each([&] { return Finish(vectors); });
  }

  absl::Status Finish(VectorScope& v) {
    LATHE_RETURN_IF_ERROR(Lets(v, stage_.lets));
    LATHE_ASSIGN_OR_RETURN(const std::string value, PrintVector(v, stage_.value));
    LATHE_ASSIGN_OR_RETURN(const std::string store,
                           PrintVectorStore(v, stage_.to, stage_.at, value));
    out_.Line(store);
    return absl::OkStatus();
  }

  // Prints the computation of one vector: of `part` elements, or of a full vector if it is empty.
  absl::Status Vector(const std::string& part) {
    VectorScope v{scope_, loops_.axis.var, lanes_, part, {}};
    if (stage_.acc != nullptr) {
      const std::string acc = scope_.names.Unique(stage_.acc->name);
      LATHE_ASSIGN_OR_RETURN(const std::string init, PrintVector(v, stage_.init));
      out_.Line(vector_, " ", acc, " = ", init, ";");
      NameSum(v, stage_.acc, acc);
      LATHE_RETURN_IF_ERROR(
          PrintAxisLoops(scope_, stage_.reduce, IsSmallWindow(), out_, [&]() -> absl::Status {
            LATHE_RETURN_IF_ERROR(Lets(v, stage_.fold_lets));
            LATHE_ASSIGN_OR_RETURN(const std::string update, PrintVector(v, stage_.update));
            out_.Line(acc, " = ", update, ";");
            return absl::OkStatus();
          }));
    }
    return Finish(v);
  }

  // Prints a reduction along the axis: each lane accumulates separately, the remainder is
  // accumulated element by element, and the results are combined.
  absl::Status Fold() {
    const std::string acc = scope_.names.Unique(stage_.acc->name);
    const std::string lanes = scope_.names.Unique(absl::StrCat(acc, "_lanes"));
    scope_.buffers[stage_.acc] = acc;
    scope_.locals.insert(stage_.acc);
    LATHE_ASSIGN_OR_RETURN(const std::string init, PrintCExpr(scope_, stage_.init));
    out_.Line("float ", acc, " = ", init, ";");
    const std::string neutral = loops_.fold == BinaryOp::kAdd   ? "0.0f"
                                : loops_.fold == BinaryOp::kMul ? "1.0f"
                                                                : acc;
    const std::string v = scope_.names.Unique("v");
    const std::string nothing = absl::StrCat(VectorFunction(scope_, "all"), "(", neutral, ");");
    std::vector<std::string> sides{lanes};
    if (HasSeveral()) {
      out_.Line(vector_, " ", lanes, "[", kSideBySide, "];");
      EachVector(v, [&] { out_.Line(lanes, "[", v, "] = ", nothing); });
      sides.clear();
      for (int i = 0; i < kSideBySide; ++i) sides.push_back(absl::StrCat(lanes, "[", i, "]"));
    } else {
      out_.Line(vector_, " ", lanes, " = ", nothing);
    }
    LATHE_RETURN_IF_ERROR(
        PrintAxisLoops(scope_, stage_.reduce, false, out_, [&] { return FoldRow(acc, lanes, v); }));
    const char* helper = loops_.fold == BinaryOp::kAdd   ? "fold_add"
                         : loops_.fold == BinaryOp::kMul ? "fold_mul"
                         : loops_.fold == BinaryOp::kMin ? "fold_min"
                                                         : "fold_max";
    for (; sides.size() > 1; sides.resize(sides.size() / 2)) {
      for (size_t i = 0; i < sides.size() / 2; ++i) {
        sides[i] = Together(sides[2 * i], sides[2 * i + 1]);
      }
    }
    out_.Line(acc, " = ", VectorFunction(scope_, helper), "(", acc, ", ", sides[0], ");");
    for (const ir::NestLet& let : stage_.lets) {
      LATHE_RETURN_IF_ERROR(
          PrintCStmt(scope_, ir_.Make(ir::LetStmt{let.var, let.value}, Location()), false, out_));
    }
    if (stage_.to == nullptr) return absl::OkStatus();
    return PrintCStmt(scope_, ir_.Make(ir::StoreStmt{stage_.to, stage_.at, stage_.value}, {}),
                      false, out_);
  }

  // Prints the combination of two partial results: sum, product, minimum or maximum.
  std::string Together(const std::string& a, const std::string& b) {
    const bool adds = loops_.fold == BinaryOp::kAdd;
    if (!adds && loops_.fold != BinaryOp::kMul) {
      const char* name = loops_.fold == BinaryOp::kMin ? "min" : "max";
      return absl::StrCat(VectorFunction(scope_, name), "(", a, ", ", b, ")");
    }
    const auto inner = [](const std::string& side) {
      return absl::StrContains(side, ' ') ? absl::StrCat("(", side, ")") : side;
    };
    return absl::StrCat(inner(a), adds ? " + " : " * ", inner(b));
  }

  template <typename F>
  void EachVector(const std::string& v, F body) {
    out_.Line(UpperCase(scope_.needs.prefix), "_UNROLL");
    out_.Line("for (", index_, " ", v, " = 0; ", v, " < ", kSideBySide, "; ++", v, ") {");
    {
      LineWriter::Indent in(out_);
      body();
    }
    out_.Line("}");
  }

  absl::Status FoldRow(const std::string& acc, const std::string& lanes, const std::string& v) {
    const std::string name = NameAxis(scope_, loops_.axis);
    LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, loops_.axis.extent));
    const auto* number = loops_.axis.extent->As<ir::IntImm>();
    const PrimRef update = ir_.Make(loops_.fold, ir_.MakeLoad(stage_.acc, {}), loops_.term);
    const auto vectors = [&](const std::string& sum) {
      VectorScope at{scope_, loops_.axis.var, lanes_, "", {}};
      NameSum(at, stage_.acc, sum);
      return PrintVector(at, update);
    };
    const int step = Step();
    out_.Line(index_, " ", name, " = 0;");
    if (HasSeveral()) {
      const CVar first = scope_.vars.at(loops_.axis.var);
      const std::string here = scope_.names.Unique(name);
      const std::string own = absl::StrCat(lanes, "[", v, "]");
      scope_.vars[loops_.axis.var].name = here;
      LATHE_ASSIGN_OR_RETURN(const std::string side, vectors(own));
      scope_.vars[loops_.axis.var] = first;
      out_.Line("for (; ", name, " <= ", extent.In(kSum), " - ", step, "; ", name, " += ", step,
                ") {");
      {
        LineWriter::Indent in(out_);
        EachVector(v, [&] {
          out_.Line("const ", index_, " ", here, " = ", name, " + ", LanesBefore(v, lanes_), ";");
          out_.Line(own, " = ", side, ";");
        });
      }
      out_.Line("}");
    }
    if (number == nullptr || number->value % step >= lanes_) {
      const std::string sum = HasSeveral() ? absl::StrCat(lanes, "[0]") : lanes;
      LATHE_ASSIGN_OR_RETURN(const std::string one, vectors(sum));
      out_.Line("for (; ", name, " <= ", extent.In(kSum), " - ", lanes_, "; ", name, " += ", lanes_,
                ") {");
      out_.Line("  ", sum, " = ", one, ";");
      out_.Line("}");
    }
    if (number != nullptr && number->value % lanes_ == 0) return absl::OkStatus();
    LATHE_ASSIGN_OR_RETURN(const std::string single, PrintCExpr(scope_, update));
    out_.Line("for (; ", name, " < ", extent.In(kOrder + 1), "; ++", name, ") {");
    out_.Line("  ", acc, " = ", single, ";");
    out_.Line("}");
    return absl::OkStatus();
  }

  CScope& scope_;
  ir::Context& ir_;
  const ir::VectorLoops& loops_;
  const ir::NestStage& stage_;
  const int lanes_;
  LineWriter& out_;
  const std::string index_;
  const std::string vector_;
};

}  // namespace

absl::Status PrintVectorLoops(CScope& scope, const ir::VectorLoops& loops, int lanes,
                              LineWriter& out) {
  return VectorLoopsPrinter(scope, loops, lanes, out).Print();
}

}  // namespace lathe::emit
