#include "tests/sizes/size_case.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "generator/driver/pipeline.h"
#include "tests/random/check_program.h"

namespace lathe::sizes {
namespace {

// Nothing and one; then around the lanes of a vector (4, 8, 16), the rows of a tile (up to 14), its
// columns (up to 64), a block of threads (32, 64, 128).
struct Pair {
  int64_t n, m;
};
constexpr Pair kPairs[] = {{0, 0},  {0, 1},  {1, 0},  {1, 1},  {0, 5},  {5, 0},  {17, 0},
                           {0, 33}, {2, 3},  {3, 4},  {4, 5},  {5, 8},  {7, 16}, {8, 9},
                           {9, 2},  {15, 1}, {16, 3}, {17, 7}, {31, 4}, {33, 2}, {13, 15},
                           {14, 6}, {29, 3}, {65, 1}, {1, 64}, {3, 63}, {129, 1}};

// What the other sizes of a program are drawn from.
std::vector<int64_t> Choices(size_t pair, int64_t m) {
  if (pair % 3 == 0) return {0, 1, 2, 3};
  if (pair % 3 == 1) return {1, 2, 3, std::min<int64_t>(m, 17)};
  return {1, 2, 4, 5};
}

constexpr Declared kDeclared[] = {Declared::kExact, Declared::kNothing, Declared::kFromZero,
                                  Declared::kFromOne};
constexpr const char* kNames[] = {"exact", "open", "from 0", "from 1"};

// Programs of one case: dtypes, attributes and operands change with it.
constexpr size_t kVariants = 4;

size_t Combinations() {
  return std::size(kPairs) * std::size(kDeclared) * TargetForms().size() * kVariants;
}

// A step through all combinations that comes to each of them once.
size_t StepThrough(size_t count) {
  size_t step = count * 382 / 1000;  // apart from those before, however many there are
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

const std::vector<random::OpRow>& Operators() {
  static const auto* const rows = [] {
    auto* all = new std::vector<random::OpRow>(random::AllRows());
    all->insert(all->end(), random::CallRows().begin(), random::CallRows().end());
    return all;
  }();
  return *rows;
}

}  // namespace

int64_t NumRows() { return std::ssize(Operators()) + std::ssize(FormRows()); }

int64_t NumCases() { return NumRows() * static_cast<int64_t>(Combinations()); }

SizeCase CaseAt(int64_t index) {
  const auto row = static_cast<size_t>(index % NumRows());
  const size_t count = Combinations(), step = StepThrough(count);
  size_t at = (static_cast<size_t>(index / NumRows()) * step + row * step) % count;
  const auto take = [&](size_t size) {
    const size_t digit = at % size;
    at /= size;
    return digit;
  };
  SizeCase one;
  if (row < Operators().size()) {
    one.op = &Operators()[row];
    one.row = one.op->op;
  } else {
    one.form = &FormRows()[row - Operators().size()];
    one.row = one.form->name;
  }
  const size_t target = take(TargetForms().size()), declared = take(std::size(kDeclared)),
               pair = take(std::size(kPairs)), variant = take(kVariants);
  one.target = &TargetForms()[target];
  const Pair& sizes = kPairs[pair];
  one.sizes = {sizes.n, sizes.m, Choices(pair, sizes.m)};
  one.declared = kDeclared[declared];
  // 0 is not from 1 on.
  if (one.declared == Declared::kFromOne && (sizes.n == 0 || sizes.m == 0)) {
    one.declared = Declared::kNothing;
  }
  one.seed = (row * std::size(kPairs) + pair) * kVariants + variant;
  one.name =
      absl::StrCat(one.row, " n=", sizes.n, " m=", sizes.m, " ",
                   kNames[static_cast<size_t>(one.declared)], " ", one.target->name, " ", variant);
  return one;
}

absl::StatusOr<random::Program> WriteCase(ir::Context& context, const SizeCase& one,
                                          std::optional<SourceFile>& text) {
  if (one.op != nullptr) {
    auto program =
        random::WriteOpProgram(context, *one.op, one.seed, random::Widths::kWholeBytes, &one.sizes);
    if (program.ok() && program->tally.ops.count(one.row) == 0) {
      return absl::NotFoundError("the operator is not called");
    }
    return program;
  }
  FormText form(one.sizes, one.seed);
  const std::string out = one.form->make(form);
  text.emplace("form.py", form.Program(out));
  Diagnostics diags;
  auto module = driver::LoadModule(context, *text, diags);
  if (!module || diags.has_errors()) {
    std::string said;
    for (const Diagnostic& d : diags.all()) absl::StrAppend(&said, Render(d), "\n");
    return absl::InvalidArgumentError(absl::StrCat(said, text->text()));
  }
  random::Program program;
  program.module = *std::move(module);
  program.sizes = {{"n0", one.sizes.n}, {"m1", one.sizes.m}};
  return program;
}

compiled::SizeRanges RangesOf(const SizeCase& one, const random::Program& program) {
  compiled::SizeRanges ranges;
  if (one.declared == Declared::kNothing) return ranges;
  for (const auto& [name, size] : random::SizesOfMain(program.module, program.sizes)) {
    driver::DimRange range{size, size};
    if (one.declared != Declared::kExact) {
      range.low = one.declared == Declared::kFromOne ? 1 : 0;
      range.high = size + 1 + static_cast<int64_t>(one.seed % 3) * size / 2;
    }
    ranges[name] = range;
  }
  return ranges;
}

}  // namespace lathe::sizes
