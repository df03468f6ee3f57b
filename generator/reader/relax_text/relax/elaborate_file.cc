#include "generator/reader/relax_text/relax/elaborate_file.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/decorators.h"
#include "generator/reader/relax_text/relax/read_host_values.h"

namespace lathe::relax_text {
namespace {

class FileReader {
 public:
  explicit FileReader(Elaboration& el) : el_(el) {}

  std::optional<FileContent> Read(const ast::Module& file) {
    for (ast::StmtRef s : file.body) Statement(*s);
    for (const HostFunction& host : host_functions_) Host(host);
    if (several_) return std::nullopt;
    if (content_.module != nullptr || !content_.functions.empty()) return std::move(content_);
    if (!runs_python_) {
      el_.diags()
              .Error(Start(file), "no-module")
              .Help("@I.ir_module above a class, or @R.function above a function")
          << (file.body.empty() ? "the file is empty: it contains no module and no function"
                                : "the file contains no module and no function");
    }
    return std::nullopt;
  }

 private:
  struct HostFunction {
    const ast::FunctionDef* function;
    const ast::Expr* decorator;
  };

  static TextSpan Start(const ast::Module& file) {
    return file.body.empty() ? file.start : file.body[0]->span();
  }

  void Statement(const ast::Stmt& s) {
    if (const auto* import = s.As<ast::Import>()) return el_.namespaces().Import(*import);
    if (const auto* function = s.As<ast::FunctionDef>()) return Function(s, *function);
    if (const auto* module = s.As<ast::ClassDef>()) return Class(s, *module);
    if (const auto* assign = s.As<ast::Assign>()) {
      if (Assignment(*assign)) return;
    }
    const auto* statement = s.As<ast::ExprStmt>();
    if (s.As<ast::Pass>() != nullptr) return;
    if (statement != nullptr && statement->value->As<ast::Str>() != nullptr) return;
    // Names bound after the class are not visible in it.
    if (content_.module == nullptr && ReadHostValues(el_, s)) return;
    NotRead(s.span(), ast::Describe(s));
  }

  void NotRead(TextSpan span, absl::string_view what) {
    el_.diags().Warning(span, "host-statement-ignored")
        << what << " outside the module is ignored: programs are parsed, not run";
  }

  void Function(const ast::Stmt& s, const ast::FunctionDef& function) {
    const Decoration decoration = FindDecoration(el_, function.decorators);
    switch (decoration.definition) {
      case Definition::kRelax:
      case Definition::kPrimFunc:
        if (content_.module != nullptr) return Second(s.span(), content_.module->name_span);
        content_.functions.push_back(&s);
        return;
      case Definition::kHost:
        host_functions_.push_back({&function, decoration.decorator});
        return;
      case Definition::kModule:
        el_.Error(*decoration.decorator, "wrong-kind-of-value")
            << "@I.ir_module must decorate a class, but '" << function.name << "' is a function";
        runs_python_ = true;
        return;
      case Definition::kNone:
        return NotRead(function.name_span, "a function without @R.function or @T.prim_func");
    }
  }

  // Handles a function with another decorator. In a file with a module class it is skipped like
  // other Python code. In a file of functions it is an error, because it may be meant as part of
  // the program.
  void Host(const HostFunction& host) {
    if (content_.module != nullptr) {
      return NotRead(host.function->name_span,
                     absl::StrCat("the function '", host.function->name, "'"));
    }
    runs_python_ = true;
    el_.Unsupported(*host.decorator, "host-python")
        << "'" << host.function->name
        << "' is a Python function; supported: @R.function and @T.prim_func";
  }

  void Class(const ast::Stmt& s, const ast::ClassDef& module) {
    const Decoration decoration = FindDecoration(el_, module.decorators);
    switch (decoration.definition) {
      case Definition::kModule:
        if (content_.module != nullptr) return Second(s.span(), content_.module->name_span);
        if (!content_.functions.empty()) return Second(s.span(), content_.functions[0]->span());
        content_.module = &module;
        return;
      case Definition::kNone:
        return NotRead(module.name_span, "a class without @I.ir_module");
      default:
        runs_python_ = true;
        el_.Unsupported(*decoration.decorator, "host-python")
            << "the class '" << module.name << "' needs the decorator @I.ir_module";
    }
  }

  void Second(TextSpan span, TextSpan first) {
    if (!several_) {
      el_.diags().Error(span, "several-modules").Note(first, "the first one is here")
          << "a file must contain one module: a class, or functions without a class";
    }
    several_ = true;
  }

  bool Assignment(const ast::Assign& assign) {
    const auto* target = assign.targets.size() == 1 ? assign.targets[0]->As<ast::Name>() : nullptr;
    const auto* call = assign.value->As<ast::Call>();
    if (target == nullptr || call == nullptr) return false;
    const std::optional<std::string> callee = ast::DottedName(*call->callee);
    if (!callee) return false;
    if (*callee == "TypeVar" || *callee == "typing.TypeVar") {
      el_.AddTypeVar(target->id, assign.targets[0]->span());
      return true;
    }
    const std::optional<Qualified> name = el_.namespaces().Qualify(*call->callee);
    if (!name || name->space != Space::kIr || name->name != "load_json") return false;
    const auto* json = call->args.size() == 1 ? call->args[0]->As<ast::Str>() : nullptr;
    if (json == nullptr || target->id != "metadata") return false;
    absl::StatusOr<Metadata> metadata = ReadMetadata(json->value);
    if (metadata.ok()) {
      el_.SetMetadata(*std::move(metadata));
    } else {
      el_.Error(*call->args[0], "malformed-metadata")
          << "malformed metadata: " << metadata.status().message();
      el_.SetMetadata({});
    }
    return true;
  }

  Elaboration& el_;
  FileContent content_;
  std::vector<HostFunction> host_functions_;
  bool several_ = false;
  bool runs_python_ = false;
};

}  // namespace

std::optional<FileContent> ReadFileContent(Elaboration& el, const ast::Module& file) {
  return FileReader(el).Read(file);
}

}  // namespace lathe::relax_text
