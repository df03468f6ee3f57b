#include "generator/reader/relax_text/elaboration/elaboration.h"

#include <algorithm>

#include "generator/reader/relax_text/elaboration/oldest_dialect.h"

namespace lathe::relax_text {
namespace {

ir::PrimRef ScalarOfNumber(ir::Context& context, const ast::Expr& number) {
  const std::variant<int64_t, double> value = NumberOf(number);
  if (const auto* real = std::get_if<double>(&value)) {
    return context.Float(*real, ir::DType::Float(64));
  }
  return context.Int(std::get<int64_t>(value));
}

}  // namespace

absl::StatusOr<ScalarValue> ScalarScope::ResolveValue(const ast::Expr& e) {
  absl::StatusOr<ir::PrimRef> scalar = Resolve(e);
  if (!scalar.ok()) return scalar.status();
  return ScalarValue(*scalar);
}

bool ScalarScope::Binds(absl::string_view) const { return false; }

TirDialect Elaboration::tir_dialect(absl::string_view text) {
  if (!tir_dialect_) tir_dialect_ = DetectTirDialect(text);
  return *tir_dialect_;
}

bool Elaboration::oldest_dialect(const TextSpan& span) {
  if (!oldest_dialect_) {
    oldest_dialect_ = span.file != nullptr && IsOldestDialect(span.file->text());
  }
  return *oldest_dialect_;
}

ir::GlobalId Elaboration::DeclareGlobal(absl::string_view name, TextSpan span) {
  const auto [it, inserted] = globals_.try_emplace(name, ir::GlobalId());
  if (inserted) {
    ir::Global global{std::string(name), ir::Function(), span};
    it->second = module_.globals.Add(std::move(global));
  } else {
    diags_.Error(span, "duplicate-function")
            .Note(module_.globals[it->second].loc, "previously defined here")
        << "redefinition of function '" << name << "'";
  }
  return it->second;
}

std::optional<ir::GlobalId> Elaboration::FindGlobal(absl::string_view name) const {
  const auto it = globals_.find(name);
  if (it == globals_.end()) return std::nullopt;
  return it->second;
}

ir::DType Elaboration::PrimResult(ir::GlobalId id) const {
  const auto it = prim_results_.find(id.index);
  return it == prim_results_.end() ? ir::DType::Void() : it->second;
}

bool Elaboration::IsModuleAlias(absl::string_view name) const {
  return module_aliases_.contains(name);
}

void Elaboration::AddModuleAlias(absl::string_view name) { module_aliases_.emplace(name); }

std::optional<Elaboration::Member> Elaboration::ModuleMember(const ast::Expr& e) const {
  const auto* attribute = e.As<ast::Attribute>();
  if (attribute == nullptr) return std::nullopt;
  const auto* object = attribute->object->As<ast::Name>();
  if (object == nullptr || !IsModuleAlias(object->id)) return std::nullopt;
  return Member{FindGlobal(attribute->name), attribute->name};
}

void Elaboration::AddTypeVar(absl::string_view name, TextSpan span) {
  type_vars_.emplace_back(name, span);
}

bool Elaboration::IsTypeVar(absl::string_view name) const {
  return std::any_of(type_vars_.begin(), type_vars_.end(),
                     [name](const auto& type_var) { return type_var.first == name; });
}

const NameTable& Elaboration::host_numbers() {
  if (host_numbers_) return *host_numbers_;
  host_numbers_.emplace();
  for (absl::string_view name : host_values_.names()) {
    const HostValue& value = *host_values_.Find(name);
    if (value.number == nullptr) continue;
    NameEntry entry;
    entry.number = value.number;
    entry.scalar = ScalarOfNumber(context_, *value.number);
    entry.span = value.span;
    host_numbers_->emplace(name, entry);
  }
  return *host_numbers_;
}

bool Elaboration::RefusesHostValue(const ast::Expr& e, absl::string_view name) {
  const HostValue* value = host_values_.Find(name, e.span());
  if (value == nullptr || value->number != nullptr || value->declares_var) return false;
  Unsupported(e, "host-python")
          .Note(value->span, "bound here")
          .Help("write its value where it is used; numbers defined above the module are supported")
      << "'" << name << "' is " << value->what
      << ", but only numbers may be defined above a module";
  return true;
}

const MetadataItem* Elaboration::FindMetadata(absl::string_view type, uint64_t index) const {
  if (!metadata_) return nullptr;
  const auto it = metadata_->find(std::string(type));
  if (it == metadata_->end() || index >= it->second.size()) return nullptr;
  return &it->second[index];
}

ir::ConstantId Elaboration::MetadataConstant(const ir::Constant& constant) {
  const auto [it, inserted] = metadata_constants_.try_emplace(&constant);
  if (inserted) it->second = module_.constants.Add(constant);
  return it->second;
}

}  // namespace lathe::relax_text
