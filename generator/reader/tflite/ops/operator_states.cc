#include "generator/reader/tflite/ops/operator_states.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/ir/attrs.h"
#include "generator/reader/tflite/format/flexbuffer.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr int64_t kMaxKept = int64_t{1} << 24;  // samples of a state

// The options of an operator, and the shapes of its tensors.
struct FrameFacts {
  CustomOptions options;
  std::vector<int64_t> in, out;
};

absl::StatusOr<FrameFacts> FrameFactsOf(const Subgraph& graph, const Operator& op, size_t results) {
  if (op.inputs.empty() || op.inputs[0] < 0)
    return absl::InvalidArgumentError("input 0 is missing");
  const auto missing = [](int32_t t) { return t < 0; };
  if (op.outputs.size() != results || std::any_of(op.outputs.begin(), op.outputs.end(), missing)) {
    return absl::InvalidArgumentError(
        absl::StrCat("it has ", op.outputs.size(), " results; it needs ", results));
  }
  absl::StatusOr<ir::AttrMap> map = DecodeFlexMap(op.custom_options);
  if (!map.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("malformed options: ", map.status().message()));
  }
  const Tensor& in = graph.tensors[static_cast<size_t>(op.inputs[0])];
  FrameFacts facts{CustomOptions(*std::move(map)), in.shape,
                   graph.tensors[static_cast<size_t>(op.outputs[0])].shape};
  if (in.shape.empty() || ElementCount(in.shape) == 0) {
    return absl::InvalidArgumentError("its data are empty");
  }
  return facts;
}

absl::Status BadForm(absl::string_view what) { return absl::InvalidArgumentError(what); }

absl::Status NeedResult(const FrameFacts& facts, int64_t elements) {
  if (ElementCount(facts.out) == elements) return absl::OkStatus();
  return BadForm(absl::StrCat("its result has ", ElementCount(facts.out), " elements; it computes ",
                              elements));
}

absl::StatusOr<FrameForm> FramerFormOf(const Subgraph& graph, const Operator& op) {
  LATHE_ASSIGN_OR_RETURN(const FrameFacts facts, FrameFactsOf(graph, op, 2));
  FrameForm f;
  f.width = facts.in.back();
  f.rows = ElementCount(facts.in) / f.width;
  f.size = facts.options.Int("frame_size");
  f.step = facts.options.Int("frame_step");
  if (f.size < 1 || f.step < 1 || f.step > f.size || f.size > kMaxKept) {
    return BadForm(absl::StrCat("frames of ", f.size, " samples start every ", f.step,
                                " samples; a frame has 1 to ", kMaxKept,
                                ", and the step is not longer"));
  }
  if (f.width % f.step != 0) {
    return BadForm(absl::StrCat(f.width, " samples are no multiple of the step of ", f.step));
  }
  f.frames = f.width / f.step;
  LATHE_RETURN_IF_ERROR(NeedResult(facts, f.rows * f.frames * f.size));
  if (facts.options.Int("prefill") != 0) {
    f.kept = f.size - f.step;
  } else {
    f.first = (f.size + f.step - 1) / f.step - 1;
    f.kept = f.first * f.step;
  }
  return f;
}

absl::StatusOr<FrameForm> DelayFormOf(const Subgraph& graph, const Operator& op) {
  LATHE_ASSIGN_OR_RETURN(const FrameFacts facts, FrameFactsOf(graph, op, 1));
  FrameForm f;
  f.width = f.size = f.step = facts.in.back();
  f.rows = ElementCount(facts.in) / f.width;
  f.kept = facts.options.Int("delay_length");
  if (f.kept < 0 || f.kept > kMaxKept / f.rows) {
    return BadForm(absl::StrCat("it delays ", f.rows, " rows by ", f.kept, " samples; 0 to ",
                                kMaxKept, " samples in all are possible"));
  }
  LATHE_RETURN_IF_ERROR(NeedResult(facts, f.rows * f.width));
  return f;
}

}  // namespace

absl::StatusOr<FrameForm> FrameFormOf(const Subgraph& graph, const Operator& op) {
  return op.custom_code == "SignalDelay" ? DelayFormOf(graph, op) : FramerFormOf(graph, op);
}

absl::StatusOr<StackForm> StackFormOf(const Subgraph& graph, const Operator& op) {
  LATHE_ASSIGN_OR_RETURN(const FrameFacts facts, FrameFactsOf(graph, op, 2));
  StackForm f;
  f.channels = facts.options.Int("num_channels");
  const int64_t left = facts.options.Int("stacker_left_context");
  f.first = facts.options.Int("stacker_right_context");
  f.step = facts.options.Int("stacker_step");
  if (f.channels != ElementCount(facts.in)) {
    return BadForm(absl::StrCat("it stacks ", f.channels, " channels, and its data have ",
                                ElementCount(facts.in)));
  }
  if (left < 0 || f.first < 0 || left > kMaxKept || f.first > kMaxKept) {
    return BadForm(absl::StrCat("it has ", left, " inputs before and ", f.first,
                                " after the current one; 0 to ", kMaxKept, " are possible"));
  }
  f.slots = left + f.first + 1;
  if (f.step < 1 || f.step > f.slots) {
    return BadForm(absl::StrCat("the step is ", f.step, "; 1 to ", f.slots, " are possible"));
  }
  LATHE_RETURN_IF_ERROR(NeedResult(facts, f.channels * f.slots));
  return f;
}

absl::StatusOr<OverlapForm> OverlapFormOf(const Subgraph& graph, const Operator& op) {
  LATHE_ASSIGN_OR_RETURN(const FrameFacts facts, FrameFactsOf(graph, op, 1));
  if (facts.in.size() < 2) return BadForm("its data have no dimension of frames");
  OverlapForm f;
  f.size = facts.in.back();
  f.frames = facts.in[facts.in.size() - 2];
  f.rows = ElementCount(facts.in) / (f.size * f.frames);
  f.step = facts.options.Int("frame_step");
  if (f.step < 1 || f.step > f.size) {
    return BadForm(absl::StrCat("the step is ", f.step, "; 1 to ", f.size, " are possible"));
  }
  LATHE_RETURN_IF_ERROR(NeedResult(facts, f.rows * f.frames * f.step));
  return f;
}

namespace {

// Operators that count the random numbers that they have drawn.
bool IsRandom(const Operator& op) {
  constexpr int kNormal = 146, kUniform = 148, kMultinomial = 149;
  return (op.code == kNormal || op.code == kUniform || op.code == kMultinomial) &&
         !op.outputs.empty() && op.outputs[0] >= 0;
}

}  // namespace

std::vector<StatePart> StatePartsOf(const Subgraph& graph, const Operator& op) {
  const ir::DType sample = ir::DType::Int(16), count = ir::DType::Int(32);
  std::vector<StatePart> parts;
  if (IsRandom(op)) parts.push_back({kCountPart, {}, ir::DType::UInt(64)});
  if (op.code != kCustomOperator) return parts;
  if (op.custom_code == "SignalFramer" || op.custom_code == "SignalDelay") {
    const absl::StatusOr<FrameForm> f = FrameFormOf(graph, op);
    if (f.ok() && f->kept > 0) parts.push_back({kHistoryPart, {f->rows, f->kept}, sample});
    if (f.ok() && f->first > 0) parts.push_back({kCountPart, {}, count});
  } else if (op.custom_code == "SignalStacker") {
    const absl::StatusOr<StackForm> f = StackFormOf(graph, op);
    if (f.ok() && f->slots > 1) {
      parts.push_back({kHistoryPart, {f->slots - 1, f->channels}, sample});
      parts.push_back({kCountPart, {}, count});
    }
  } else if (op.custom_code == "SignalOverlapAdd") {
    const absl::StatusOr<OverlapForm> f = OverlapFormOf(graph, op);
    const Tensor* in = f.ok() ? &graph.tensors[static_cast<size_t>(op.inputs[0])] : nullptr;
    const auto dtype = in == nullptr ? std::nullopt : DTypeOf(in->type);
    if (dtype && f->size > f->step) {
      parts.push_back({kHistoryPart, {f->rows, f->size - f->step}, *dtype});
    }
  }
  return parts;
}

}  // namespace lathe::tflite
