#include "generator/emit/c/state_view.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/pool_view.h"
#include "generator/emit/c/print_state.h"
#include "generator/emit/text/comment_text.h"

namespace lathe::emit {

namespace {

// Bytes in a line of an array.
constexpr size_t kBytesInLine = 16;

// Prints the elements of an array of bytes.
TemplateValue::List LinesOf(const std::vector<uint8_t>& bytes) {
  TemplateValue::List lines;
  for (size_t at = 0; at < bytes.size(); at += kBytesInLine) {
    std::string line;
    for (size_t i = at; i < std::min(at + kBytesInLine, bytes.size()); ++i) {
      absl::StrAppend(&line, i == at ? "" : " ", int{bytes[i]}, "u,");
    }
    lines.push_back(TemplateValue::Dict{{"text", std::move(line)}});
  }
  return lines;
}

// An array of elements of `width` bytes that repeats each element `run` times.
struct Runs {
  std::vector<uint8_t> table;
  size_t width = 1;
  size_t run = 1;
};

// Returns the shortest table for `bytes`.
Runs RunsOf(const std::vector<uint8_t>& bytes) {
  Runs best{bytes, 1, 1};
  for (size_t width : {1, 2, 4, 8}) {
    if (bytes.size() % width != 0) break;
    const size_t count = bytes.size() / width;
    const auto equal = [&](size_t a, size_t b) {
      return std::equal(&bytes[a * width], &bytes[a * width] + width, &bytes[b * width]);
    };
    size_t run = count;  // divides the length of each run of equal elements
    for (size_t i = 1; i < count; ++i) {
      if (!equal(i - 1, i)) run = std::gcd(run, i);
    }
    if (count / run * width >= best.table.size()) continue;
    best = {{}, width, run};
    for (size_t i = 0; i < count; i += run) {
      best.table.insert(best.table.end(), &bytes[i * width], &bytes[i * width] + width);
    }
  }
  return best;
}

// Appends the array that fills `variable`.
void AppendPattern(const ir::StateVariable& variable, int64_t offset, TemplateValue::List& fills) {
  const Runs runs = RunsOf(variable.first_bytes);
  const bool has_runs = runs.run > 1;
  const int64_t count = std::ssize(runs.table);
  const bool repeats = !has_runs && count != variable.bytes;
  const std::string start = offset == 0 ? "" : absl::StrCat(offset, "u + ");
  const std::string at = has_runs ? absl::StrCat("&m->state[", start, "(i * ", runs.width, "u)]")
                         : repeats
                             ? absl::StrCat("&m->state[", start, "i]")
                             : AddressOf("m->state", offset == 0 ? "0" : absl::StrCat(offset, "u"));
  const size_t elements = runs.table.size() / runs.width;
  fills.push_back(TemplateValue::Dict{
      {"at", at},
      {"lines", LinesOf(runs.table)},
      {"has_lines", true},
      {"repeats", repeats},
      {"has_runs", has_runs},
      {"from",
       absl::StrCat("&first[((i / ", runs.run, "u) % ", elements, "u) * ", runs.width, "u]")},
      {"width", absl::StrCat(runs.width, "u")},
      {"elements", absl::StrCat(variable.bytes / static_cast<int64_t>(runs.width), "u")},
      {"count", absl::StrCat(count, "u")},
      {"bytes", absl::StrCat(variable.bytes, "u")}});
}

void AppendFill(int64_t offset, int64_t end, int byte, TemplateValue::List& fills) {
  const std::string at = AddressOf("m->state", offset == 0 ? "0" : absl::StrCat(offset, "u"));
  fills.push_back(TemplateValue::Dict{{"at", at},
                                      {"has_lines", false},
                                      {"byte", absl::StrCat(byte)},
                                      {"bytes", absl::StrCat(end - offset, "u")}});
}

// Describes the bytes of a variable before the first run.
std::string FirstText(const std::vector<uint8_t>& bytes) {
  return bytes.size() == 1 ? absl::StrCat("each ", int{bytes[0]}, " at first")
                           : absl::StrCat(bytes.size(), " of them repeated at first");
}

}  // namespace

void AddMemory(const Model& model, bool open, TemplateValue::Dict& view) {
  AddPools(model.plan, model.name, open, view);
  TemplateValue::List variables, fills;
  const plan::StateLayout& layout = model.plan.state;
  const std::vector<ir::StateVariable>& state = model.program.state;
  int64_t filled = 0;
  for (size_t i = 0; i < state.size(); ++i) {
    const ir::StateVariable& variable = state[i];
    variables.push_back(TemplateValue::Dict{
        {"text", absl::StrCat(CommentText(variable.name), ": ", ToString(variable.dtype), "[",
                              absl::StrJoin(variable.shape, ", "), "] at ", layout.offsets[i], ", ",
                              variable.bytes, " bytes, ", FirstText(variable.first_bytes))}});
    const bool is_last = i + 1 == state.size();
    const int64_t end = is_last ? layout.size : layout.offsets[i + 1];
    if (variable.first_bytes.size() > 1) {
      AppendPattern(variable, layout.offsets[i], fills);
      filled = layout.offsets[i] + variable.bytes;
      if (filled < end) AppendFill(filled, end, 0, fills);
      filled = end;
      continue;
    }
    if (!is_last && state[i + 1].first_bytes == variable.first_bytes) continue;
    AppendFill(filled, end, variable.first_bytes[0], fills);
    filled = end;
  }
  view["state"] = std::move(variables);
  view["state_fills"] = std::move(fills);
  view["state_size"] = absl::StrCat(layout.size);
  view["state_align"] = absl::StrCat(model.target.ram_align);
}

}  // namespace lathe::emit
