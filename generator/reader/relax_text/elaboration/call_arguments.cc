#include "generator/reader/relax_text/elaboration/call_arguments.h"

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/support/check.h"
#include "generator/support/count_of.h"

namespace lathe::relax_text {
namespace {

struct Parameter {
  absl::string_view name;
  bool optional;
  ast::ExprRef value = nullptr;
};

}  // namespace

absl::StatusOr<CallArguments> CallArguments::Bind(Elaboration& el, const ast::Expr& e,
                                                  absl::string_view function,
                                                  absl::string_view parameters) {
  const auto* call = e.As<ast::Call>();
  LATHE_CHECK(call != nullptr, "only calls have arguments");
  std::vector<Parameter> known;
  bool takes_rest = false;
  for (absl::string_view name : absl::StrSplit(parameters, ' ', absl::SkipEmpty())) {
    if (absl::ConsumePrefix(&name, "*")) {
      takes_rest = true;
      continue;
    }
    const bool optional = absl::ConsumeSuffix(&name, "?");
    known.push_back({name, optional});
  }

  CallArguments bound;
  for (size_t i = 0; i < call->args.size(); ++i) {
    const ast::Expr& argument = *call->args[i];
    if (argument.As<ast::Starred>() != nullptr) {
      return el.Unsupported(argument, "host-python")
             << "unpacking with '*' is not supported; list the arguments of " << function;
    }
    if (i < known.size()) {
      known[i].value = &argument;
    } else if (takes_rest) {
      bound.rest_.push_back(&argument);
    } else {
      return el.Error(argument, "wrong-arguments")
             << function << " takes at most " << CountOf(known.size(), "argument") << ", got "
             << call->args.size();
    }
  }
  for (const ast::Keyword& keyword : call->keywords) {
    if (keyword.name.empty()) {
      return el.Unsupported(*keyword.value, "host-python")
             << "unpacking with '**' is not supported; list the arguments of " << function;
    }
    Parameter* match = nullptr;
    for (Parameter& parameter : known) {
      if (parameter.name == keyword.name) match = &parameter;
    }
    if (match == nullptr) {
      return el.diags().Error(keyword.name_span, "wrong-arguments")
             << function << " has no parameter '" << keyword.name << "'";
    }
    if (match->value != nullptr) {
      return el.diags().Error(keyword.name_span, "wrong-arguments")
             << function << " gets '" << keyword.name << "' more than once";
    }
    match->value = keyword.value;
  }
  for (const Parameter& parameter : known) {
    if (parameter.value != nullptr) {
      bound.given_.emplace_back(std::string(parameter.name), parameter.value);
    } else if (!parameter.optional) {
      return el.Error(e, "wrong-arguments")
             << function << " needs the argument '" << parameter.name << "'";
    }
  }
  return bound;
}

const ast::Expr* CallArguments::Get(absl::string_view parameter) const {
  for (const auto& [name, value] : given_) {
    if (name == parameter) return value;
  }
  return nullptr;
}

const ast::Expr* CallArguments::GetUnlessNone(absl::string_view parameter) const {
  const ast::Expr* e = Get(parameter);
  return e == nullptr || IsNone(*e) ? nullptr : e;
}

const ast::Expr& CallArguments::operator[](absl::string_view required) const {
  const ast::Expr* e = Get(required);
  LATHE_CHECK(e != nullptr, "asked for an optional argument as a required one");
  return *e;
}

bool IsNone(const ast::Expr& e) {
  const auto* constant = e.As<ast::Constant>();
  return constant != nullptr && constant->kind == ast::Constant::Kind::kNone;
}

}  // namespace lathe::relax_text
