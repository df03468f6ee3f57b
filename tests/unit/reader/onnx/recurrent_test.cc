// RNN, GRU and LSTM against their definition in plain loops: each direction and layout, sequences
// of every length around that from which they are loops, lengths known and not known.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::onnx {
namespace {

using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxDim;
using testing::OnnxModel;
using testing::OnnxProgram;

using testing::kFloat;
using testing::kInt32;

constexpr int64_t kBatch = 2, kInput = 3, kHidden = 2;

struct RecurrentCase {
  std::string op;
  int64_t steps = 17;
  std::string direction = "forward";
  bool batch_first = false;
  bool symbolic = false;  // the number of steps
  bool lengths = false;
  bool states = true;
  bool peepholes = false;
  bool input_forget = false;
  bool before_reset = false;
  double clip = 0;
  bool wants_all = true;

  int64_t gates() const { return op == "LSTM" ? 4 : op == "GRU" ? 3 : 1; }
  int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
  std::string Name() const {
    return absl::StrCat(op, " ", direction, " ", steps, batch_first ? " batch first" : "",
                        symbolic ? " symbolic" : "", lengths ? " lengths" : "");
  }
};

// Distinct small numbers.
std::vector<double> Numbers(int64_t count, int seed) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) {
    const double x = static_cast<double>((i * 37 + seed * 101) % 41) / 41.0 - 0.5;
    numbers.push_back(static_cast<double>(static_cast<float>(x)));
  }
  return numbers;
}

struct Data {
  explicit Data(const RecurrentCase& c) {
    const int64_t d = c.directions(), g = c.gates() * kHidden;
    x = Numbers(c.steps * kBatch * kInput, 1);
    w = Numbers(d * g * kInput, 2);
    r = Numbers(d * g * kHidden, 3);
    bias = Numbers(d * g * 2, 4);
    h = c.states ? Numbers(d * kBatch * kHidden, 5) : std::vector<double>(d * kBatch * kHidden);
    s = c.states ? Numbers(d * kBatch * kHidden, 6) : std::vector<double>(d * kBatch * kHidden);
    p = Numbers(d * 3 * kHidden, 7);
    lengths = {static_cast<double>(c.steps), static_cast<double>(c.steps / 2)};
  }
  std::vector<double> x, w, r, bias, h, s, p, lengths;
};

// The definition, for one direction and one member of the batch.
class Reference {
 public:
  explicit Reference(const RecurrentCase& c) : c_(c), data_(c) {
    const int64_t d = c.directions();
    all.resize(static_cast<size_t>(c.steps * d * kBatch * kHidden));
    last_h.resize(static_cast<size_t>(d * kBatch * kHidden));
    last_s.resize(last_h.size());
    for (int64_t k = 0; k < d; ++k) {
      for (int64_t b = 0; b < kBatch; ++b) Sequence(k, b);
    }
  }
  std::vector<double> all, last_h, last_s;

 private:
  using Row = std::vector<double>;
  static double Sigmoid(double v) { return 1 / (1 + std::exp(-v)); }
  double Clip(double v) const { return c_.clip > 0 ? std::clamp(v, -c_.clip, c_.clip) : v; }

  // Where an element of a tensor of states is.
  size_t StateAt(int64_t k, int64_t b, int64_t i) const {
    const int64_t row = c_.batch_first ? b * c_.directions() + k : k * kBatch + b;
    return static_cast<size_t>(row * kHidden + i);
  }
  size_t StepAt(int64_t t, int64_t k, int64_t b, int64_t i) const {
    const int64_t d = c_.directions();
    const int64_t row = c_.batch_first ? (b * c_.steps + t) * d + k : (t * d + k) * kBatch + b;
    return static_cast<size_t>(row * kHidden + i);
  }

  // Row `gate * hidden + i` of weights times the input, and the input bias.
  double In(int64_t k, int64_t b, int64_t t, int64_t gate, int64_t i) const {
    const int64_t rows = c_.gates() * kHidden, row = gate * kHidden + i;
    double sum = data_.bias[static_cast<size_t>(k * rows * 2 + row)];
    for (int64_t j = 0; j < kInput; ++j) {
      const int64_t at = (c_.batch_first ? b * c_.steps + t : t * kBatch + b) * kInput + j;
      sum += data_.w[static_cast<size_t>((k * rows + row) * kInput + j)] *
             data_.x[static_cast<size_t>(at)];
    }
    return sum;
  }
  double Back(int64_t k, const Row& h, int64_t gate, int64_t i) const {
    const int64_t rows = c_.gates() * kHidden, row = gate * kHidden + i;
    double sum = data_.bias[static_cast<size_t>(k * rows * 2 + rows + row)];
    for (int64_t j = 0; j < kHidden; ++j) {
      sum +=
          data_.r[static_cast<size_t>((k * rows + row) * kHidden + j)] * h[static_cast<size_t>(j)];
    }
    return sum;
  }
  double Peephole(int64_t k, int64_t which, int64_t i, double s) const {
    return c_.peepholes ? data_.p[static_cast<size_t>((k * 3 + which) * kHidden + i)] * s : 0;
  }

  void Step(int64_t k, int64_t b, int64_t t, Row& h, Row& s) const {
    const Row before = h, cell = s;
    const auto gate = [&](int64_t g, int64_t i) {
      return In(k, b, t, g, i) + Back(k, before, g, i);
    };
    if (c_.op == "GRU") {
      Row reset(kHidden);
      for (int64_t i = 0; i < kHidden; ++i)
        reset[static_cast<size_t>(i)] = Sigmoid(Clip(gate(1, i)));
      Row faded(kHidden);
      for (size_t i = 0; i < faded.size(); ++i) faded[i] = reset[i] * before[i];
      for (int64_t i = 0; i < kHidden; ++i) {
        const auto at = static_cast<size_t>(i);
        const double z = Sigmoid(Clip(gate(0, i)));
        const double back =
            c_.before_reset ? reset[at] * Back(k, before, 2, i) : Back(k, faded, 2, i);
        h[at] = (1 - z) * std::tanh(Clip(In(k, b, t, 2, i) + back)) + z * before[at];
      }
      return;
    }
    for (int64_t i = 0; i < kHidden; ++i) {
      const auto at = static_cast<size_t>(i);
      if (c_.op == "RNN") {
        h[at] = std::tanh(Clip(gate(0, i)));
        continue;
      }
      const double in = Sigmoid(Clip(gate(0, i) + Peephole(k, 0, i, cell[at])));
      const double forget =
          c_.input_forget ? 1 - in : Sigmoid(Clip(gate(2, i) + Peephole(k, 2, i, cell[at])));
      s[at] = forget * cell[at] + in * std::tanh(Clip(gate(3, i)));
      h[at] = Sigmoid(Clip(gate(1, i) + Peephole(k, 1, i, s[at]))) * std::tanh(s[at]);
    }
  }

  void Sequence(int64_t k, int64_t b) {
    const int64_t length =
        c_.lengths ? static_cast<int64_t>(data_.lengths[static_cast<size_t>(b)]) : c_.steps;
    Row h, s;
    for (int64_t i = 0; i < kHidden; ++i) {
      h.push_back(data_.h[StateAt(k, b, i)]);
      s.push_back(data_.s[StateAt(k, b, i)]);
    }
    const bool backwards = c_.direction == "reverse" || k == 1;
    for (int64_t turn = 0; turn < length; ++turn) {
      const int64_t t = backwards ? length - 1 - turn : turn;
      Step(k, b, t, h, s);
      for (int64_t i = 0; i < kHidden; ++i) all[StepAt(t, k, b, i)] = h[static_cast<size_t>(i)];
    }
    for (int64_t i = 0; i < kHidden; ++i) {
      last_h[StateAt(k, b, i)] = length > 0 ? h[static_cast<size_t>(i)] : 0;
      last_s[StateAt(k, b, i)] = length > 0 ? s[static_cast<size_t>(i)] : 0;
    }
  }

  const RecurrentCase& c_;
  const Data data_;
};

std::vector<float> AsFloats(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// The model, and what its inputs are given.
OnnxModel ModelOf(const RecurrentCase& c, std::vector<OnnxArgument>& args) {
  const Data data(c);
  const int64_t d = c.directions(), g = c.gates() * kHidden;
  OnnxModel m;
  const OnnxDim steps = c.symbolic ? OnnxDim("t") : OnnxDim(c.steps);
  const std::vector<int64_t> x =
      c.batch_first ? std::vector{kBatch, c.steps, kInput} : std::vector{c.steps, kBatch, kInput};
  m.Input("x", kFloat,
          c.batch_first ? std::vector<OnnxDim>{kBatch, steps, kInput}
                        : std::vector<OnnxDim>{steps, kBatch, kInput});
  args.push_back({x, data.x});
  m.Floats("w", {d, g, kInput}, AsFloats(data.w));
  m.Floats("r", {d, g, kHidden}, AsFloats(data.r));
  m.Floats("bias", {d, 2 * g}, AsFloats(data.bias));
  std::vector<std::string> inputs = {"x", "w", "r", "bias", c.lengths ? "lengths" : ""};
  if (c.lengths) {
    m.Input("lengths", kInt32, {kBatch});
    args.push_back({{kBatch}, data.lengths, "int32"});
  }
  const std::vector<int64_t> state =
      c.batch_first ? std::vector{kBatch, d, kHidden} : std::vector{d, kBatch, kHidden};
  const auto given = [&](const std::string& name, const std::vector<double>& values) {
    inputs.push_back(c.states ? name : "");
    if (!c.states) return;
    m.Input(name, kFloat, {state.begin(), state.end()});
    args.push_back({state, values});
  };
  given("h", data.h);
  if (c.op == "LSTM") {
    given("s", data.s);
    m.Floats("p", {d, 3 * kHidden}, AsFloats(data.p));
    inputs.push_back(c.peepholes ? "p" : "");
  }
  std::vector<OnnxAttribute> attributes = {{"hidden_size", kHidden}, {"direction", c.direction}};
  if (c.batch_first) attributes.push_back({"layout", int64_t{1}});
  if (c.input_forget) attributes.push_back({"input_forget", int64_t{1}});
  if (c.before_reset) attributes.push_back({"linear_before_reset", int64_t{1}});
  if (c.clip > 0) attributes.push_back({"clip", static_cast<float>(c.clip)});
  std::vector<std::string> outputs = {c.wants_all ? "all" : "", "last_h"};
  if (c.op == "LSTM") outputs.push_back("last_s");
  m.Node(c.op, inputs, outputs, attributes);
  for (const std::string& output : outputs) {
    if (!output.empty()) m.Output(output);
  }
  return m;
}

// "(2, 1): 3 4; (0,): ": the numbers of each tensor.
std::vector<std::vector<double>> NumbersIn(const std::string& text) {
  std::vector<std::vector<double>> tensors;
  for (absl::string_view tensor : absl::StrSplit(text, "; ")) {
    std::vector<double>& numbers = tensors.emplace_back();
    const std::vector<std::string> parts = absl::StrSplit(tensor, ": ");
    if (parts.size() != 2) continue;
    for (absl::string_view number : absl::StrSplit(parts[1], ' ', absl::SkipEmpty())) {
      numbers.push_back(std::strtod(std::string(number).c_str(), nullptr));
    }
  }
  return tensors;
}

void Check(const RecurrentCase& c) {
  SCOPED_TRACE(c.Name());
  std::vector<OnnxArgument> args;
  OnnxProgram program(ModelOf(c, args).Bytes());
  const std::string text = program.Run(args);
  const Reference reference(c);
  std::vector<const std::vector<double>*> wanted = {&reference.last_h};
  if (c.wants_all) wanted.insert(wanted.begin(), &reference.all);
  if (c.op == "LSTM") wanted.push_back(&reference.last_s);
  const auto results = NumbersIn(text);
  ASSERT_EQ(results.size(), wanted.size()) << text;
  for (size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(results[i].size(), wanted[i]->size()) << text;
    for (size_t k = 0; k < results[i].size(); ++k) {
      ASSERT_NEAR(results[i][k], (*wanted[i])[k], 2e-5) << "output " << i << ", element " << k;
    }
  }
}

// The C against the interpreter, under sanitizers.
void CheckC(const RecurrentCase& c, const std::vector<std::string>& more = {}) {
  SCOPED_TRACE(c.Name());
  const ScratchDirectory scratch;
  std::vector<OnnxArgument> args;
  ASSERT_TRUE(WriteFile("model.onnx", ModelOf(c, args).Bytes()).ok());
  std::vector<std::string> command = {"validate", "model.onnx",
                                      "--data",   "random:seed=1",
                                      "--cflags", "-O0 -fsanitize=address,undefined"};
  command.insert(command.end(), more.begin(), more.end());
  const LatheRun run = RunLatheOn(command);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
}

TEST(RecurrentTest, MatchTheDefinitionForEachLength) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (int64_t steps : {0, 1, 2, 16, 17, 40}) {
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (bool symbolic : {false, true}) {
          RecurrentCase c{op, steps, direction};
          c.symbolic = symbolic;
          Check(c);
        }
      }
    }
  }
}

TEST(RecurrentTest, HaveTheBatchFirstOrLengthsOfTheirOwn) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (int64_t steps : {2, 16, 17, 25}) {
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (int form = 1; form < 8; ++form) {
          RecurrentCase c{op, steps, direction};
          c.batch_first = (form & 1) != 0;
          c.lengths = (form & 2) != 0;
          c.symbolic = (form & 4) != 0;
          c.states = form % 3 != 0;
          Check(c);
        }
      }
    }
  }
}

TEST(RecurrentTest, TakeTheirAttributes) {
  for (int64_t steps : {3, 20}) {
    for (int form = 0; form < 16; ++form) {
      RecurrentCase lstm{"LSTM", steps, form % 2 == 0 ? "bidirectional" : "reverse"};
      lstm.peepholes = (form & 2) != 0;
      lstm.input_forget = (form & 4) != 0;
      lstm.clip = (form & 8) != 0 ? 0.25 : 0;
      lstm.wants_all = form % 3 != 0;
      Check(lstm);
      RecurrentCase gru{"GRU", steps, lstm.direction};
      gru.before_reset = (form & 2) != 0;
      gru.clip = lstm.clip;
      gru.wants_all = lstm.wants_all;
      Check(gru);
    }
  }
}

TEST(RecurrentTest, AreTheSameInC) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (bool symbolic : {false, true}) {
      RecurrentCase c{op, 20, "bidirectional"};
      c.symbolic = symbolic;
      c.batch_first = std::string(op) == "GRU";
      c.lengths = std::string(op) == "LSTM" && !symbolic;
      CheckC(c, symbolic ? std::vector<std::string>{"-D", "t=19"} : std::vector<std::string>{});
    }
  }
}

TEST(RecurrentTest, CodeSizeIsIndependentOfLength) {
  std::vector<size_t> sizes;
  for (int64_t steps : {17, 4000}) {
    const ScratchDirectory scratch;
    std::vector<OnnxArgument> args;
    ASSERT_TRUE(WriteFile("model.onnx", ModelOf({"LSTM", steps}, args).Bytes()).ok());
    const LatheRun run = RunLatheOn({"compile", "model.onnx", "-o", "out", "-n", "k"});
    ASSERT_EQ(run.exit, 0) << run.err;
    const auto text = ReadFile("out/k.c");
    ASSERT_TRUE(text.ok());
    sizes.push_back(text->size());
    // The products of the inputs, and a few states: the sequence is written once, where it is.
    const int64_t products = steps * kBatch * 4 * kHidden * 4;
    const size_t at = text->find("arena: ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_LE(std::strtoll(text->c_str() + at + 7, nullptr, 10), products + 1024) << run.out;
  }
  EXPECT_NEAR(static_cast<double>(sizes[1]), static_cast<double>(sizes[0]), 200);
}

}  // namespace
}  // namespace lathe::onnx
