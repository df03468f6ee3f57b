#include "generator/emit/c/kernel/print_tile_sums.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_vector_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

class TileSumsPrinter : public TiledSumText {
 public:
  TileSumsPrinter(const TiledSumText& text, TileFactors factors)
      : TiledSumText(text),
        factors_(std::move(factors)),
        scalar_(lanes_ == 1),
        unroll_(absl::StrCat(UpperCase(scope_.needs.prefix), "_UNROLL")),
        k_(scope_.vars.at(sum_.stage.reduce.back().var).name) {
    // In bytes, if elements share bytes.
    pairs_ = sum_.panels->dtype.bits == 4;
    row_elements_ = pairs_ ? width_ / 2 : width_;
  }

  absl::StatusOr<std::string> Print() {
    const bool single = HasScales() && sum_.scale_block >= sum_.depth;
    if (single) LoadScales(factors_.scales);
    LATHE_RETURN_IF_ERROR(Around());
    if (HasScales() && !single) {
      LATHE_RETURN_IF_ERROR(Blocks());
    } else {
      const std::string count =
          blocked_ ? absl::StrCat(k_end_, " - ", k_begin_) : absl::StrCat(innermost_);
      LATHE_RETURN_IF_ERROR(Steps("0", count));
    }
    while (depth_ > 0) Close();
    std::string text = out_.Take();
    absl::StripTrailingAsciiWhitespace(&text);
    return text;
  }

 private:
  bool HasScales() const { return !factors_.scales.empty(); }
  template <typename... Parts>
  void Line(const Parts&... parts) {
    out_.Line(std::string(depth_ * 2, ' '), parts...);
  }
  template <typename... Parts>
  void Open(const Parts&... parts) {
    Line(parts...);
    ++depth_;
  }
  void Close() {
    --depth_;
    Line("}");
  }
  // Opens a loop over the vectors of a row of the tile.
  void EachVector() {
    Line(unroll_);
    Open("for (", index_, " ", v_, " = 0; ", v_, " < ", factors_.vectors, "; ++", v_, ") {");
  }

  // Prints the loops over all reduce axes but the innermost, and the addresses there.
  absl::Status Around() {
    const auto& reduce = sum_.stage.reduce;
    if (reduce.size() < 2) return absl::OkStatus();
    std::vector<std::string> row_steps, panel_steps, scale_steps;
    int64_t inside = sum_.depth;
    for (size_t i = 0; i + 1 < reduce.size(); ++i) {
      const std::string k = scope_.vars.at(reduce[i].var).name;
      inside /= NumberOf(reduce[i].extent);
      Open("for (", index_, " ", k, " = 0; ", k, " < ", NumberOf(reduce[i].extent), "; ++", k,
           ") {");
      LATHE_ASSIGN_OR_RETURN(std::string step, Times(k, sum_.k_strides[i]));
      if (!step.empty()) row_steps.push_back(std::move(step));
      panel_steps.push_back(absl::StrCat(k, " * ", inside * row_elements_));
      if (!HasScales()) continue;
      scale_steps.push_back(absl::StrCat(k, " * ", inside / sum_.scale_block * width_));
    }
    const std::string row_here = UniqueName("row_here"), panel_here = UniqueName("panel_here");
    const auto place = [&](const std::string& base, const std::vector<std::string>& steps) {
      return steps.empty() ? base : absl::StrCat("&", base, "[", absl::StrJoin(steps, " + "), "]");
    };
    Line("const float *", row_here, " = ", place(factors_.by_row, row_steps), ";");
    Line("const ", PanelType(), " *", panel_here, " = ", place(factors_.panel, panel_steps), ";");
    factors_.by_row = row_here;
    factors_.panel = panel_here;
    if (!HasScales() || sum_.scale_block >= sum_.depth) return absl::OkStatus();
    const std::string scales_here = UniqueName("scales_here");
    Line("const float *", scales_here, " = ", place(factors_.scales, scale_steps), ";");
    factors_.scales = scales_here;
    return absl::OkStatus();
  }

  // Loads the scales of a block into registers.
  void LoadScales(const std::string& place) {
    scale_ = UniqueName("scale");
    Line(VectorType(scope_, lanes_), " ", scale_, "[", sum_.vectors, "];");
    EachVector();
    Line(scale_, "[", v_, "] = ", Loaded(place, LanesBefore(v_, lanes_)), ";");
    Close();
  }

  std::string Loaded(const std::string& base, const std::string& at) {
    if (scalar_) return absl::StrCat(base, "[", at, "]");
    return absl::StrCat(VectorFunction(scope_, "load"), "(&", base, "[", at, "])");
  }

  // Prints the loop over blocks of steps that share scales.
  absl::Status Blocks() {
    const int64_t block = sum_.scale_block;
    const std::string first = UniqueName("block");
    Open("for (", index_, " ", first, " = 0; ", first, " < ", innermost_, "; ", first,
         " += ", block, ") {");
    const std::string place = UniqueName("block_scales");
    Line("const float *", place, " = &", factors_.scales, "[", first, " / ", block, " * ", width_,
         "];");
    std::string end = absl::StrCat(first, " + ", block);
    if (innermost_ % block != 0) {
      const std::string name = UniqueName("block_end");
      Line("const ", index_, " ", name, " = ", first, " < ", innermost_ - block, " ? ", end, " : ",
           innermost_, ";");
      end = name;
    }
    LoadScales(place);
    return Steps(first, end);
  }

  // Prints the loop over the innermost axis: the factor of each row times all columns of the panel.
  absl::Status Steps(const std::string& begin, const std::string& end) {
    const std::string here = UniqueName("columns"), factor = UniqueName("factor");
    LATHE_ASSIGN_OR_RETURN(const std::string row, Times(r_, sum_.row_stride));
    LATHE_ASSIGN_OR_RETURN(const std::string step, Times(k_, sum_.k_strides.back()));
    std::vector<std::string> place;
    if (!row.empty()) place.push_back(row);
    if (!step.empty()) place.push_back(step);
    if (place.empty()) place.push_back("0");
    Open("for (", index_, " ", k_, " = ", begin, "; ", k_, " < ", end, "; ++", k_, ") {");
    Line(VectorType(scope_, lanes_), " ", here, "[", sum_.vectors, "];");
    EachVector();
    Line(here, "[", v_, "] = ", Columns(), ";");
    Close();
    Line(unroll_);
    Open("for (", index_, " ", r_, " = 0; ", r_, " < ", rows_, "; ++", r_, ") {");
    Line("const float ", factor, " = ", factors_.by_row, "[", absl::StrJoin(place, " + "), "];");
    EachVector();
    const std::string sum = absl::StrCat(sums_, "[", r_, "][", v_, "]");
    const std::string value = absl::StrCat(here, "[", v_, "]");
    if (scalar_) {
      Line(sum, " = fmaf(", factor, ", ", value, ", ", sum, ");");
    } else if (scope_.needs.has_fma_functions) {
      Line(sum, " = ", VectorFunction(scope_, "fma_by"), "(", value, ", ", factor, ", ", sum, ");");
    } else {
      Line(sum, " += ", factor, " * ", value, ";");
    }
    Close();
    Close();
    Close();
    return absl::OkStatus();
  }

  // Returns vector `v` of the panel at step `k`.
  std::string Columns() {
    const std::string row = absl::StrCat(k_, " * ", row_elements_, " + ");
    if (!HasScales()) return Loaded(factors_.panel, absl::StrCat(row, LanesBefore(v_, lanes_)));
    const std::string scale = absl::StrCat(" * ", scale_, "[", v_, "]");
    if (!pairs_) {
      const std::string place =
          absl::StrCat(factors_.panel, "[", row, LanesBefore(v_, lanes_), "]");
      if (scalar_) return absl::StrCat("(float)", place, scale);
      return absl::StrCat(VectorFunction(scope_, "widen"), "(&", place, ")", scale);
    }
    // The second half of the columns is in the high bits.
    const int half = sum_.vectors / 2;
    const std::string within = half == 1 ? "0" : absl::StrCat(v_, " % ", half);
    const std::string byte =
        absl::StrCat(factors_.panel, "[", row,
                     scalar_ || half == 1 ? within : absl::StrCat(within, " * ", lanes_), "]");
    const std::string shift = absl::StrCat(half == 1 ? v_ : absl::StrCat(v_, " / ", half), " * 4");
    if (scalar_) {
      // As unsigned, the shift is defined; gcc extends the sign of the bits in one instruction.
      return absl::StrCat("(float)(((int32_t)(((uint32_t)", byte, " >> (", shift,
                          ")) & 15u) ^ 8) - 8)", scale);
    }
    return absl::StrCat(VectorFunction(scope_, "widen_nibbles"), "(&", byte, ", (int32_t)(", shift,
                        "))", scale);
  }

  TileFactors factors_;
  const bool scalar_;
  const std::string unroll_;
  const std::string k_;
  bool pairs_ = false;
  int64_t row_elements_ = 0;  // of a step of a panel
  std::string scale_;         // the scales of the columns
  LineWriter out_{2};
  size_t depth_ = 0;  // of open loops
};

}  // namespace

absl::StatusOr<std::string> PrintTileSums(const TiledSumText& text, TileFactors factors) {
  return TileSumsPrinter(text, std::move(factors)).Print();
}

}  // namespace lathe::emit
