// Implements R.einsum: sums of products over indices given as letters, "ij,jk->ik", with "..." for
// all other axes.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

struct Subscripts {
  std::vector<std::string> written;
  std::vector<std::string> inputs;  // with one label per axis of an ellipsis
  std::string output;
};

// Replaces "..." by the labels, which sort before all letters. Nullopt when the rest is not
// letters.
std::optional<std::string> Expand(const std::string& text, const std::string& labels) {
  const size_t dots = text.find("...");
  const std::string before = text.substr(0, dots);
  const std::string after = dots == std::string::npos ? "" : text.substr(dots + 3);
  for (char ch : before + after) {
    if (!absl::ascii_isalpha(ch)) return std::nullopt;
  }
  return before + (dots == std::string::npos ? "" : labels) + after;
}

// Parses subscripts: letters and ellipses; every letter of the output must occur in an input. An
// ellipsis stands for the axes of a tensor without letters; those of several tensors are aligned at
// the end. Without "->" the output has these axes and the letters that occur once, in order.
// Nullopt when the text is invalid.
std::optional<Subscripts> ParseSubscripts(const std::string& text, const std::vector<int>& ranks) {
  std::string packed;
  for (char ch : text) {
    if (ch != ' ') packed.push_back(ch);
  }
  Subscripts s;
  const size_t arrow = packed.find("->");
  s.written = absl::StrSplit(packed.substr(0, arrow), ',');
  std::vector<size_t> hidden(s.written.size(), 0);
  size_t most = 0;
  for (size_t i = 0; i < std::min(ranks.size(), hidden.size()); ++i) {
    const int letters = static_cast<int>(s.written[i].size()) - 3;
    if (absl::StrContains(s.written[i], "...") && ranks[i] > letters) {
      hidden[i] = static_cast<size_t>(ranks[i] - letters);
    }
    most = std::max(most, hidden[i]);
  }
  if (most >= 'A') return std::nullopt;
  std::string labels;
  while (labels.size() < most) labels.push_back(static_cast<char>(labels.size() + 1));
  std::map<char, int> times;
  for (size_t i = 0; i < s.written.size(); ++i) {
    const std::optional<std::string> input = Expand(s.written[i], labels.substr(most - hidden[i]));
    if (!input.has_value()) return std::nullopt;
    s.inputs.push_back(*input);
    for (char ch : *input) ++times[ch];
  }
  if (arrow == std::string::npos) {
    for (const auto& [letter, count] : times) {
      if (count == 1 || !absl::ascii_isalpha(letter)) s.output.push_back(letter);
    }
    return s;
  }
  const std::optional<std::string> output = Expand(packed.substr(arrow + 2), labels);
  if (!output.has_value()) return std::nullopt;
  s.output = *output;
  for (char ch : s.output) {
    const bool once = std::count(s.output.begin(), s.output.end(), ch) == 1;
    if (!once || times.count(ch) == 0) return std::nullopt;
  }
  const bool keeps = labels.empty() || absl::StrContains(s.output, labels);
  return keeps ? std::optional<Subscripts>(s) : std::nullopt;
}

}  // namespace

absl::StatusOr<StructInfoRef> InferEinsum(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorTupleArg(c, call, 0));
  if (x.empty()) {
    return c.Error("op-argument-count") << SurfaceName(call) << " needs at least one tensor";
  }
  const std::string text = FindString(call, "subscripts");
  std::vector<int> ranks;
  for (const TensorInfo* t : x) ranks.push_back(t->ndim);
  const std::optional<Subscripts> s = ParseSubscripts(text, ranks);
  if (!s.has_value() || s->inputs.size() != x.size()) {
    return c.Error("op-attribute")
           << "'subscripts' of " << SurfaceName(call) << " must name the indices of " << x.size()
           << " tensors by letters and \"...\", got \"" << text << "\"";
  }
  LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, SameDType(c, call, x));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, x));
  std::map<char, PrimRef> extents;
  std::map<char, Dims> runs;  // all extents of a letter
  std::set<char> open;        // letters with extents that may differ, if one is 1
  bool known = true, ranked = true;
  for (size_t i = 0; i < x.size(); ++i) {
    const std::string& letters = s->inputs[i];
    ranked &= x[i]->ndim != ir::kUnknownRank || !absl::StrContains(s->written[i], "...");
    if (x[i]->ndim != ir::kUnknownRank && x[i]->ndim != static_cast<int>(letters.size())) {
      return c.Error("op-argument-rank")
             << "tensor " << i << " of " << SurfaceName(call) << " has " << x[i]->ndim
             << " dimensions, but its indices are \"" << s->written[i] << "\"";
    }
    if (x[i]->dims() == nullptr) {
      known = false;
      continue;
    }
    for (size_t d = 0; d < letters.size(); ++d) {
      PrimRef& extent = extents[letters[d]];
      PrimRef own = (*x[i]->dims())[d];
      bool fits = true;
      for (PrimRef other : runs[letters[d]]) fits = c.CanBroadcast(other, own) && fits;
      runs[letters[d]].push_back(own);
      if (extent == nullptr || IsOne(extent)) {
        extent = own;
        continue;
      }
      if (IsOne(own)) continue;
      if (!fits) {
        return c.Error("op-argument-shape")
               << "index '" << std::string(1, letters[d]) << "' of " << SurfaceName(call)
               << " has extent " << ToString(extent) << " and " << ToString(own);
      }
      // A dynamic extent may be 1 at run time; a constant one is not.
      if (AsInt(extent) == nullptr && c.ProveEqual(extent, own) != ir::Tri::kYes) {
        if (AsInt(own) == nullptr) open.insert(letters[d]);
        extent = own;
      }
    }
  }
  if (!ranked) return c.ir().Tensor(ir::kUnknownRank, dtype, device);
  if (!known) return c.ir().Tensor(static_cast<int>(s->output.size()), dtype, device);
  Dims dims;
  for (char letter : s->output) {
    dims.push_back(extents[letter]);
    known &= open.count(letter) == 0 || AsInt(dims.back()) != nullptr;
  }
  if (!known) return c.ir().Tensor(static_cast<int>(s->output.size()), dtype, device);
  return c.ir().Tensor(std::move(dims), dtype, device);
}

absl::StatusOr<ir::PrimFunc> ComputeEinsum(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  std::vector<int> ranks;
  for (ir::BufferRef input : te.Inputs(0)) ranks.push_back(static_cast<int>(input->shape.size()));
  const Subscripts s = *ParseSubscripts(FindString(call, "subscripts"), ranks);
  std::map<char, PrimRef> extents;
  for (size_t i = 0; i < s.inputs.size(); ++i) {
    for (size_t d = 0; d < s.inputs[i].size(); ++d) {
      PrimRef& extent = extents[s.inputs[i][d]];
      PrimRef own = te.Inputs(0)[i]->shape[d];
      extent = extent == nullptr ? own : te.BroadcastDim(extent, own);
    }
  }
  std::string summed;
  Dims over;
  for (const auto& [letter, extent] : extents) {
    if (s.output.find(letter) != std::string::npos) continue;
    summed.push_back(letter);
    over.push_back(extent);
  }
  const auto product = [&](ir::DType wide, const Indices& at, const Indices& r) {
    PrimRef value = nullptr;
    for (size_t i = 0; i < s.inputs.size(); ++i) {
      Indices from;
      Dims dims;
      for (char letter : s.inputs[i]) {
        const size_t out = s.output.find(letter);
        from.push_back(out != std::string::npos ? at[out] : r[summed.find(letter)]);
        dims.push_back(out != std::string::npos ? te.result_dims()[out] : extents[letter]);
      }
      const PrimRef factor = te.math().Cast(te.AtBroadcast(te.Inputs(0)[i], from, dims), wide);
      value = value == nullptr ? factor : te.math().Mul(value, factor);
    }
    return value;
  };
  if (over.empty()) {
    return te.Finish(
        {te.Compute("out", te.result_dims(), te.result_dtype(),
                    [&](const Indices& at) { return product(te.result_dtype(), at, {}); })});
  }
  return te.Finish({te.SumUp("out", te.result_dims(), over, te.result_dtype(), product)});
}

}  // namespace lathe::ops
