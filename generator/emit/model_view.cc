#include "generator/emit/model_view.h"

#include <cstring>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c_names.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_c_stmt.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

class View {
 public:
  View(ir::Context& context, const ir::Module& module, const ir::Program& program,
       const plan::Plan& plan, const Target& target, const std::string& name)
      : context_(context),
        module_(module),
        program_(program),
        plan_(plan),
        target_(target),
        name_(name) {}

  absl::StatusOr<Dict> Build() {
    Dict model = {{"name", name_},
                  {"NAME", UpperCase(name_)},
                  {"target", std::string(target_.name)},
                  {"arena_size", absl::StrCat(plan_.arena_size)},
                  {"arena_lower_bound", absl::StrCat(plan_.lower_bound)},
                  {"arena_align", absl::StrCat(target_.arena_align)},
                  {"has_arena", plan_.arena_size > 0}};
    for (const plan::Placement& p : plan_.placements) offsets_[p.buffer.tensor] = p.offset;
    List constants;
    LATHE_RETURN_IF_ERROR(Constants(constants));
    model["constants"] = std::move(constants);
    List kernels;
    for (size_t i = 0; i < program_.kernels.size(); ++i) {
      const ir::KernelId id{static_cast<int32_t>(i)};
      LATHE_ASSIGN_OR_RETURN(Dict kernel, Kernel(id));
      kernels.push_back(std::move(kernel));
    }
    model["kernels"] = std::move(kernels);
    model["uses_math"] = uses_math_;
    List entries;
    bool copies = false;
    for (const ir::EntryPoint& entry : program_.entries) {
      LATHE_ASSIGN_OR_RETURN(Dict view, Entry(entry, copies));
      entries.push_back(std::move(view));
    }
    model["entries"] = std::move(entries);
    model["uses_memcpy"] = copies;
    model["has_includes"] = copies || uses_math_;
    return model;
  }

 private:
  absl::Status Constants(List& constants) {
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      const ir::TensorId id{static_cast<int32_t>(i)};
      const ir::Tensor& t = program_.tensors[id];
      if (t.home != ir::Home::kConstant) continue;
      const std::string c_name = file_names_.Unique(absl::StrCat(name_, "_", t.name));
      spelled_[id] = absl::StrCat(c_name, ".values");
      const std::vector<uint8_t>& bytes = *module_.constants[t.constant].bytes;
      std::string words;
      for (size_t at = 0; at < bytes.size(); at += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && at + k < bytes.size(); ++k) {
          word |= static_cast<uint64_t>(bytes[at + k]) << (8 * k);
        }
        absl::StrAppend(&words, at % 24 == 0 ? (at == 0 ? "" : "\n") : " ",
                        absl::StrFormat("UINT64_C(0x%016x),", word));
      }
      if (CType(t.dtype).empty()) return absl::UnimplementedError(ir::ToString(t.dtype));
      constants.push_back(Dict{{"name", c_name},
                               {"type", std::string(CType(t.dtype))},
                               {"word_count", absl::StrCat((bytes.size() + 7) / 8)},
                               {"length", absl::StrCat(t.elements())},
                               {"words", words}});
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Dict> Kernel(ir::KernelId id) {
    const ir::Kernel& kernel = program_.kernels[id];
    CNames names;
    CScope scope{context_, {}, {}, {}};
    std::vector<std::string> params;
    std::vector<ir::TensorId> args;
    for (const ir::EntryPoint& entry : program_.entries) {
      for (const ir::Step& step : entry.steps) {
        if (step.kernel == id) args = step.args;
      }
    }
    // The last parameters are those that some store writes.
    const size_t outputs = WrittenFrom(kernel.func);
    for (size_t i = 0; i < kernel.func.params.size(); ++i) {
      const ir::BufferRef buffer = kernel.func.params[i].buffer;
      if (buffer == nullptr || CType(buffer->dtype).empty()) {
        return absl::UnimplementedError(
            absl::StrCat("a parameter of kernel '", kernel.name,
                         "' cannot be printed as C yet; supported: buffers of bool, int8 to "
                         "int64, uint8 to uint64, float32 and float64"));
      }
      const std::string param = names.Unique(buffer->name);
      scope.buffers[buffer] = param;
      params.push_back(
          absl::StrCat(i < outputs ? "const " : "", CType(buffer->dtype), " *", param));
    }
    LineWriter body(2);
    LATHE_RETURN_IF_ERROR(PrintCStmt(scope, names, kernel.func.body, body));
    uses_math_ = uses_math_ || scope.uses_math;
    std::string text = body.Take();
    if (!text.empty()) text.pop_back();
    kernel_names_[id] = file_names_.Unique(absl::StrCat(name_, "_", kernel.name));
    return Dict{{"signature", absl::StrCat("static void ", kernel_names_[id], "(",
                                           absl::StrJoin(params, ", "), ")")},
                {"origin", kernel.origin},
                {"body", text}};
  }

  // The index of the first buffer parameter that is stored to.
  static size_t WrittenFrom(const ir::PrimFunc& func) {
    std::vector<ir::BufferRef> written;
    Stores(func.body, written);
    for (size_t i = 0; i < func.params.size(); ++i) {
      for (ir::BufferRef b : written) {
        if (func.params[i].buffer == b) return i;
      }
    }
    return func.params.size();
  }
  static void Stores(ir::StmtRef stmt, std::vector<ir::BufferRef>& written) {
    if (stmt == nullptr) return;
    if (const auto* s = stmt->As<ir::StoreStmt>()) written.push_back(s->buffer);
    if (const auto* s = stmt->As<ir::SeqStmt>()) {
      for (ir::StmtRef child : s->stmts) Stores(child, written);
    }
    if (const auto* s = stmt->As<ir::ForStmt>()) Stores(s->body, written);
    if (const auto* s = stmt->As<ir::LetStmt>()) Stores(s->body, written);
    if (const auto* s = stmt->As<ir::BlockStmt>()) {
      Stores(s->init, written);
      Stores(s->body, written);
    }
    if (const auto* s = stmt->As<ir::IfStmt>()) {
      Stores(s->then_case, written);
      Stores(s->else_case, written);
    }
  }

  absl::StatusOr<Dict> Entry(const ir::EntryPoint& entry, bool& copies) {
    const std::string function = entry.name == "main"
                                     ? absl::StrCat(name_, "_run")
                                     : file_names_.Unique(absl::StrCat(name_, "_", entry.name));
    const std::string prefix = entry.name == "main" ? name_ : function;
    CNames members;
    std::vector<std::string> checks;
    const auto ports = [&](const std::vector<ir::TensorId>& ids, const char* via, const char* mark,
                           List& list) -> absl::Status {
      for (ir::TensorId id : ids) {
        const ir::Tensor& t = program_.tensors[id];
        if (CType(t.dtype).empty()) {
          return absl::UnimplementedError(absl::StrCat("'", t.name, "' of ", ir::ToString(t.dtype),
                                                       " cannot be printed as C yet"));
        }
        const std::string member = members.Unique(t.name);
        spelled_[id] = absl::StrCat(via, member);
        checks.push_back(absl::StrCat(via, member, " == NULL"));
        list.push_back(Dict{{"member", member},
                            {"macro", absl::StrCat(UpperCase(prefix), mark, UpperCase(member))},
                            {"type", std::string(CType(t.dtype))},
                            {"length", absl::StrCat(t.elements())},
                            {"rank", absl::StrCat(t.shape.size())},
                            {"shape", absl::StrCat("{", absl::StrJoin(t.shape, ", "), "}")},
                            {"has_dims", !t.shape.empty()}});
      }
      return absl::OkStatus();
    };
    List inputs;
    List outputs;
    LATHE_RETURN_IF_ERROR(ports(entry.inputs, "in->", "_IN_", inputs));
    LATHE_RETURN_IF_ERROR(ports(entry.outputs, "out->", "_OUT_", outputs));
    std::vector<std::string> steps;
    for (const ir::Step& step : entry.steps) {
      if (!step.kernel.valid()) {
        copies = true;
        steps.push_back(absl::StrCat("(void)memcpy(", Spell(step.args[1]), ", ",
                                     Spell(step.args[0]), ", ",
                                     program_.tensors[step.args[0]].bytes(), "u);"));
        continue;
      }
      std::vector<std::string> args;
      for (ir::TensorId id : step.args) args.push_back(Spell(id));
      steps.push_back(
          absl::StrCat(kernel_names_[step.kernel], "(", absl::StrJoin(args, ", "), ");"));
    }
    return Dict{{"function", function},
                {"prefix", prefix},
                {"inputs", std::move(inputs)},
                {"outputs", std::move(outputs)},
                {"null_checks", absl::StrJoin(checks, " || ")},
                {"has_ports", !checks.empty()},
                {"steps", absl::StrJoin(steps, "\n")}};
  }

  std::string Spell(ir::TensorId id) {
    if (const auto it = spelled_.find(id); it != spelled_.end()) return it->second;
    const ir::Tensor& t = program_.tensors[id];
    return absl::StrCat("(", CType(t.dtype), " *)(m->arena + ", offsets_[id], ")");
  }

  ir::Context& context_;
  const ir::Module& module_;
  const ir::Program& program_;
  const plan::Plan& plan_;
  const Target& target_;
  const std::string& name_;
  bool uses_math_ = false;
  CNames file_names_;
  absl::flat_hash_map<ir::TensorId, int64_t> offsets_;
  absl::flat_hash_map<ir::TensorId, std::string> spelled_;
  absl::flat_hash_map<ir::KernelId, std::string> kernel_names_;
};

}  // namespace

absl::StatusOr<Dict> ModelView(ir::Context& context, const ir::Module& module,
                               const ir::Program& program, const plan::Plan& plan,
                               const Target& target, const std::string& name) {
  return View(context, module, program, plan, target, name).Build();
}

}  // namespace lathe::emit
