#include "generator/reader/relax_text/elaboration/module_reference.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/support/closest_name.h"

namespace lathe::relax_text {

absl::StatusOr<ir::GlobalId> MemberGlobal(Frame& frame, const ast::Expr& e,
                                          const Elaboration::Member& member) {
  if (member.id) return *member.id;
  const ir::Module& module = frame.el.module();
  std::vector<absl::string_view> known;
  const bool suggest = frame.el.diags().error_count() < kMaxSuggestions;
  for (size_t i = 0; suggest && i < module.globals.size(); ++i) {
    known.push_back(module.globals[ir::GlobalId{static_cast<int32_t>(i)}].name);
  }
  return frame.el.Error(e, "var-not-bound-once")
         << "the module has no function '" << member.name << "'" << DidYouMean(member.name, known);
}

bool IsMetadataReference(const ast::Expr& e) {
  const auto* outer = e.As<ast::Subscript>();
  const auto* inner = outer == nullptr ? nullptr : outer->object->As<ast::Subscript>();
  const auto* name = inner == nullptr ? nullptr : inner->object->As<ast::Name>();
  return name != nullptr && name->id == "metadata" && inner->indices.size() == 1 &&
         inner->indices[0]->As<ast::Str>() != nullptr && outer->indices.size() == 1 &&
         outer->indices[0]->As<ast::Int>() != nullptr;
}

absl::StatusOr<ir::Operand> MetadataOperand(Elaboration& el, const ast::Expr& e) {
  const auto* outer = e.As<ast::Subscript>();
  const absl::string_view type =
      outer->object->As<ast::Subscript>()->indices[0]->As<ast::Str>()->value;
  const uint64_t index = outer->indices[0]->As<ast::Int>()->value;
  const MetadataItem* item = el.FindMetadata(type, index);
  const std::string text = absl::StrCat("metadata[\"", type, "\"][", index, "]");
  if (item == nullptr && !el.has_metadata()) {
    return el.Unsupported(e, "metadata-omitted")
               .Help("print the module again with script(show_meta=True)")
           << text << " is not in the file: the module was printed without metadata";
  }
  if (item == nullptr) {
    return el.Error(e, "metadata-missing") << text << " is not in the metadata of the file";
  }
  if (const auto* constant = std::get_if<ir::Constant>(item)) {
    return ir::Operand{el.MetadataConstant(*constant)};
  }
  if (const auto* string = std::get_if<std::string>(item)) {
    return ir::Operand{ir::StringImm{*string}};
  }
  return el.Unsupported(e, "metadata-missing")
         << text << " is of an unsupported kind; supported: constants and strings";
}

}  // namespace lathe::relax_text
