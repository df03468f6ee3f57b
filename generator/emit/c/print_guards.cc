#include "generator/emit/c/print_guards.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/print_value.h"
#include "generator/emit/text/c_string.h"
#include "generator/lower/keeps_result.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::TensorId;

// Returns the name of a tensor or step as a string literal for a message of one line. Names in a
// program may contain any characters.
CLiteral Named(absl::string_view name) {
  std::string line = absl::StrCat("'", name, "'");
  for (char& c : line) c = absl::ascii_isprint(static_cast<unsigned char>(c)) ? c : '?';
  return CString(line);
}

std::string WhatItDoes(const Model& model, const ir::Step& step) {
  return Match(
      step.node, [&](const ir::KernelStep& s) { return model.kernels[s.kernel].name.str(); },
      [&](const ir::CallStep& s) { return model.program.routines[s.routine].name; },
      [](const ir::PackedStep& s) { return s.function; },
      [](const ir::CopyStep&) { return std::string("a copy"); },
      [](const ir::FillStep&) { return std::string("a fill"); },
      [](const ir::BindOutputStep&) { return std::string("a copy to an output"); },
      [](const auto&) { return std::string("no kernel"); });
}

// Returns the tensors that a step of `routine` writes itself, without those that its callees write.
std::vector<TensorId> WrittenBy(const Model& model, const ir::Routine& routine,
                                const ir::Step& step) {
  std::vector<TensorId> written;
  const auto add = [&](const std::vector<ir::Part>& parts) {
    for (const ir::Part& part : parts) {
      if (const auto* id = std::get_if<TensorId>(&part)) written.push_back(*id);
    }
  };
  const auto sizes_of = [&](TensorId id) {
    const TensorId sizes = model.program.tensors[model.program.Whole(id)].sizes;
    if (sizes.valid()) written.push_back(sizes);
  };
  if (const auto* kernel = std::get_if<ir::KernelStep>(&step.node)) {
    for (size_t i = 0; i < kernel->tensors.size(); ++i) {
      if (model.kernels[kernel->kernel].writes[i]) written.push_back(kernel->tensors[i]);
    }
  } else if (const auto* copy = std::get_if<ir::CopyStep>(&step.node)) {
    written.push_back(copy->to);
  } else if (const auto* fill = std::get_if<ir::FillStep>(&step.node)) {
    written.push_back(fill->tensor);
  } else if (const auto* reserve = std::get_if<ir::ReserveStep>(&step.node)) {
    sizes_of(reserve->tensor);
  } else if (const auto* give = std::get_if<ir::BindOutputStep>(&step.node)) {
    written.push_back(give->to);
    sizes_of(give->to);
  } else if (const auto* packed = std::get_if<ir::PackedStep>(&step.node)) {
    add(PartsOf(packed->result));
    written.insert(written.end(), packed->writes.begin(), packed->writes.end());
    if (!lower::KeepsResult(model.program, *packed)) written.push_back(packed->memory);
    for (const ir::Form& arg : packed->args) {
      if (packed->writes_args) add(PartsOf(arg));
    }
  } else if (const auto* call = std::get_if<ir::CallStep>(&step.node)) {
    written = call->returned;
  } else if (const auto* again = std::get_if<ir::TailCallStep>(&step.node)) {
    for (size_t i = 0; i < again->inputs.size(); ++i) {
      if (again->inputs[i] != routine.inputs[i]) add({routine.carried[i]});
    }
  }
  // Values of any structure are omitted: their padding is unspecified.
  written.erase(std::remove_if(written.begin(), written.end(),
                               [&](TensorId id) {
                                 return !id.valid() || model.program.tensors[id].is_value();
                               }),
                written.end());
  return written;
}

}  // namespace

std::string GuardHeader(const std::string& model) { return model + "_guards.h"; }

absl::StatusOr<std::vector<GuardPrinter::Placed>> GuardPrinter::InOrder() {
  const plan::Share& share = model_.plan.frames[id_].last();
  std::vector<Placed> all;
  std::vector<const ir::CallStep*> calls;
  ir::ForEachStep(model_.program.routines[id_].steps, [&](const ir::Step& step) {
    if (const auto* call = std::get_if<ir::CallStep>(&step.node)) calls.push_back(call);
  });
  for (size_t i = 0; i < share.buffers.size(); ++i) {
    const plan::Buffer& buffer = share.buffers[i];
    std::string name;
    if (buffer.call < 0) {
      LATHE_ASSIGN_OR_RETURN(name, frame_.Pointer(buffer.tensor));
    } else {
      const ir::RoutineId callee = calls[static_cast<size_t>(buffer.call)]->routine;
      name = absl::StrCat("the frame of ", model_.program.routines[callee].name);
    }
    all.push_back({share.offsets[i], buffer.size, Named(name)});
  }
  std::sort(all.begin(), all.end(),
            [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
  return all;
}

absl::StatusOr<std::string> GuardPrinter::OfFrame() {
  const plan::Frame& frame = model_.plan.frames[id_];
  if (model_.plan.guard == 0 || !model_.UsesPool(id_, 0)) return std::string();
  LineWriter out(2);
  const plan::Share& share = frame.last();
  const std::string& arena = model_.arena();
  const auto address = [&](int64_t offset) { return AddressOf(arena, absl::StrCat(offset)); };
  out.Line(model_.name, "_freed(", arena, ", ", share.open ? "NULL" : address(share.fixed_size),
           ");");
  int64_t end = 0;
  std::string after = "NULL";
  const auto guard = [&](int64_t from, int64_t to, const std::string& before) {
    if (from == to) return;
    out.Line(model_.name, "_guard(", address(from), ", ", address(to), ", ", after, ", ", before,
             ");");
  };
  LATHE_ASSIGN_OR_RETURN(const std::vector<Placed> placed, InOrder());
  for (const Placed& next : placed) {
    guard(end, next.offset, next.name);
    end = next.offset + next.size;
    after = next.name;
  }
  guard(end, share.fixed_size, after == "NULL" ? Named("the frame's tensors").str() : "NULL");
  std::vector<TensorId> in_slot(frame.slots.size());
  for (const auto& [tensor, slot] : frame.slot_of) in_slot[slot] = tensor;
  for (size_t i = 0; i < frame.slots.size(); ++i) {
    const plan::Slot& slot = frame.slots[i];
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, frame_.Bytes(slot.dtype, slot.dims));
    LATHE_ASSIGN_OR_RETURN(const std::string name, frame_.Pointer(in_slot[i]));
    const std::string next =
        i + 1 == frame.slots.size() ? frame_.end(0) : absl::StrCat("slot", i + 1);
    out.Line(model_.name, "_guard(&", arena, "[slot", i, " + ", bytes, "], &", arena, "[", next,
             "], ", Named(name), ", NULL);");
  }
  return out.Take();
}

void GuardPrinter::Before(const ir::Step& step, LineWriter& out) {
  ++steps_;
  // Returned tensors are moved to the start of the frame.
  if (model_.plan.guard > 0 && std::holds_alternative<ir::ReturnStep>(step.node)) {
    out.Line(model_.name, "_freed(", model_.arena(), ", NULL);");
  }
}

absl::Status GuardPrinter::Wrote(TensorId id, LineWriter& out) {
  const ir::Tensor& tensor = model_.program.tensors[id];
  LATHE_ASSIGN_OR_RETURN(const std::string place, moves_.Spell(id));
  const std::optional<int64_t> known = tensor.bytes();
  std::string bytes = absl::StrCat(known.value_or(0), "u");
  if (!known) {
    LATHE_ASSIGN_OR_RETURN(bytes, frame_.Bytes(tensor.dtype, tensor.shape));
  }
  out.Line(model_.name, "_wrote(", place, ", ", bytes, ", ", Named(place), ");");
  return absl::OkStatus();
}

absl::Status GuardPrinter::After(const ir::Step& step, LineWriter& out) {
  if (model_.plan.guard == 0) return absl::OkStatus();
  const ir::Routine& routine = model_.program.routines[id_];
  const std::vector<TensorId> written = WrittenBy(model_, routine, step);
  if (written.empty()) return absl::OkStatus();
  for (TensorId id : written) LATHE_RETURN_IF_ERROR(Wrote(id, out));
  out.Line(model_.name, "_stepped(", Named(routine.name), ", ", steps_, "u, ",
           Named(WhatItDoes(model_, step)), ");");
  return absl::OkStatus();
}

void GuardPrinter::AfterCall(const ir::CallStep& step, size_t number, LineWriter& out) {
  if (model_.plan.guard == 0 || !model_.UsesPool(step.routine, 0)) return;
  const std::string& arena = model_.arena();
  const std::optional<int64_t> offset = model_.plan.frames[id_].last().call_offsets[number];
  const int64_t size = model_.plan.frames[step.routine].last().fixed_size;
  if (offset) {
    out.Line(model_.name, "_freed(", AddressOf(arena, absl::StrCat(*offset)), ", ",
             AddressOf(arena, absl::StrCat(*offset + size)), ");");
  } else {
    out.Line(model_.name, "_freed(", AddressOf(arena, frame_.free_offset()), ", NULL);");
  }
}

}  // namespace lathe::emit
