// Holds the state of type inference. Its parts are in inference_types.cc, inference_exprs.cc,
// inference_calls.cc, inference_matches.cc and infer.cc.
#ifndef LATHE_READER_RELAY_TEXT_INFER_INFERENCE_H_
#define LATHE_READER_RELAY_TEXT_INFER_INFERENCE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/reader/relay_text/infer/relate.h"
#include "generator/reader/relay_text/infer/relation_cache.h"
#include "generator/reader/relay_text/types/typed_module.h"
#include "generator/support/diagnostics.h"

namespace lathe::relay {

class Inference {
 public:
  Inference(ir::Context& context, TypedModule& module, Diagnostics& diags)
      : context_(context), m_(module), types_(module.types), diags_(diags) {}

  void Run();

 private:
  // inference_types.cc
  void DeclareDataTypes();
  void DeclareConstructors(DataId id, const DataTree& tree);
  // Resolves the names of a type. Returns a hole after an error.
  TypeRef TypeOf(const TypeTree& tree);
  TypeRef TypeOfName(const TypeTree& tree);
  void PushTypeParams(const std::vector<Name>& names, std::vector<TypeParamId>& ids);
  void PopTypeParams() { type_scopes_.pop_back(); }

  // infer.cc
  void DeclareSignatures();
  std::vector<int> CalleesFirst();
  void InferDefinition(const Definition& definition);
  void SolvePending();
  void ReportPending();
  void CheckMatches();
  void CheckHoles(const Definition& definition, int errors_before);

  // inference_exprs.cc. These return a type; after an error, a hole.
  TypeRef Infer(ExprId id);
  TypeRef InferNode(ExprId id);
  TypeRef InferLocal(ExprId id, VarId var);
  TypeRef InferGlobal(ExprId id, const std::string& name);
  TypeRef InferName(ExprId id, const std::string& name);
  TypeRef InferProject(ExprId id, const Project& project);
  TypeRef InferIf(const IfTree& branch);
  TypeRef InferBlock(const BlockTree& block);
  void InferLet(const Item& item);
  // Creates the signature of a function, with holes for undeclared types.
  TypeRef Declare(const FunctionTree& function);
  void InferBody(const FunctionTree& function);
  // Instantiates a polymorphic function at a mention.
  TypeRef Mention(ExprId id, TypeRef type);
  TypeRef Expect(ExprId id, TypeRef expected, absl::string_view what, const TextSpan* declared);

  // inference_calls.cc
  TypeRef InferCall(ExprId id, const CallTree& call);
  TypeRef InferConstructorCall(ExprId id, const CallTree& call, const Constructor& constructor);
  TypeRef InferFunctionCall(ExprId id, const CallTree& call, TypeRef callee);
  TypeRef InferOperatorCall(ExprId id, const CallTree& call, const OpRow& row);
  TypeRef ConstructorType(const Constructor& constructor);
  bool SolveHoles(ExprId id, const OpRow& row);
  bool TryRelation(ExprId id, const OpRow& row, TypeRef result);
  RelationArg RelationArgOf(ExprId id);
  std::optional<ir::Constant> ConstantOf(ExprId id) const;
  const TextSpan* DeclarationOf(ExprId callee, size_t param) const;

  // inference_matches.cc
  TypeRef InferMatch(ExprId id, const MatchTree& match);
  void InferPattern(const Pattern& pattern, TypeRef type);
  void InferConstructorPattern(const Pattern& pattern, TypeRef type);

  DiagnosticBuilder Error(const TextSpan& loc, absl::string_view code) {
    return diags_.Error(loc, code);
  }
  const Expr& At(ExprId id) const { return m_.tree.exprs[id]; }

  ir::Context& context_;
  TypedModule& m_;
  Types& types_;
  Diagnostics& diags_;
  bool signatures_failed_ = false;  // types in them are unknown
  absl::flat_hash_map<std::string, DataId> data_names_;
  std::vector<absl::flat_hash_map<std::string, TypeParamId>> type_scopes_;

  // A constraint that can be solved only when more types are known.
  struct Pending {
    TextSpan loc;
    std::string what;             // for the message if it stays undecided
    std::function<bool()> solve;  // returns true when it is decided, or reported
  };
  std::vector<Pending> pending_;
  RelationCache related_;
  std::vector<ExprId> matches_;  // of the definition
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_INFER_INFERENCE_H_
