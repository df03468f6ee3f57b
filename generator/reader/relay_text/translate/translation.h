// Holds the state of the translation to Relax. Its parts are in translate.cc, translation_expr.cc,
// translation_call.cc, translation_coerce.cc, translation_match.cc, translation_refs.cc and
// translation_store.cc.
#ifndef LATHE_READER_RELAY_TEXT_TRANSLATE_TRANSLATION_H_
#define LATHE_READER_RELAY_TEXT_TRANSLATE_TRANSLATION_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/context.h"
#include "generator/reader/relay_text/infer/info_of_type.h"
#include "generator/reader/relay_text/translate/place_shared.h"
#include "generator/reader/relay_text/types/typed_module.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/block_builder.h"

namespace lathe::relay {

class Translation {
 public:
  Translation(ir::Context& context, TypedModule& module, Diagnostics& diags, RefForm refs)
      : context_(context),
        m_(module),
        types_(module.types),
        diags_(diags),
        builder_(context),
        stored_(refs == RefForm::kStored) {}

  absl::StatusOr<ir::Module> Run();

 private:
  using Operand = ir::Operand;
  using Operands = std::vector<Operand>;
  using Param = transform::BlockBuilder::Param;

  // A function for one list of type arguments.
  struct Instance {
    const Definition* definition;
    TypeArgs args;
    ir::GlobalId id;
  };

  // translate.cc
  ir::GlobalId InstanceOf(const Definition& definition, const std::vector<TypeRef>& type_args);
  void DefineInstance(const Instance& instance);
  void DefineRoot(const Definition& definition);
  Operand TranslateBody(const FunctionTree& function, const TypeArgs& args, const Operands& params,
                        std::optional<Operand> store);
  absl::flat_hash_set<std::string> MentionedDefinitions() const;
  std::vector<Param> ParamsOf(const FunctionTree& function);
  // Returns the type of an expression in the current instance.
  TypeRef TypeIn(TypeRef type) { return types_.ResolveAll(types_.Substitute(type, type_args_)); }
  TypeRef TypeAt(ExprId id) { return TypeIn(m_.expr_types[id]); }
  std::vector<TypeRef> TypeArgsAt(ExprId id);
  TypeRef Erased();
  // Reports a type without a representation.
  ir::StructInfoRef InfoOf(TypeRef type, AnyDims any_dims, const TextSpan& loc,
                           absl::string_view name = "n");

  // translation_expr.cc
  Operand Translate(ExprId id);
  Operand TranslateNode(ExprId id);
  // Translates the body of a function, a branch or a clause.
  Operand TranslateScope(ExprId id);
  Operand TranslateBranch(ExprId id, ExprId body);
  // Evaluates the graph variables that `id` needs and that belong to this scope.
  void EvaluateShared(ExprId id);
  // Evaluates them, and then `id` itself.
  Operand TranslateStatement(ExprId id);
  Operand TranslateBlock(const BlockTree& block);
  Operand TranslateLocal(ExprId id, VarId var);
  Operand TranslateShared(ExprId id, ExprId target);
  Operand TranslateName(ExprId id, const std::string& name);
  // `cells` are the references that the function uses: further parameters and results.
  Operand TranslateFn(const FunctionTree& function, absl::string_view name, VarId self,
                      const std::vector<size_t>& cells);
  Operand TranslateInstance(const FunctionTree& function, const std::vector<TypeRef>& args,
                            absl::string_view name);
  // Returns a field of a tuple, without a binding if the tuple is a literal.
  Operand FieldOf(const Operand& tuple, size_t index);
  Operand FailAt(ExprId id, absl::string_view what);

  // translation_call.cc
  Operand TranslateCall(ExprId id, const CallTree& call);
  Operand TranslateOperator(ExprId id, const CallTree& call, const OpRow& row);
  Operand Construct(const Constructor& constructor, Operands fields);
  // Binds the unknown sizes of an operator's tensor to shape variables.
  Operand WithKnownDims(Operand x, TypeRef type);
  const FunctionTree* FunctionOf(ExprId callee) const;
  TypeRef InstanceType(ExprId callee);

  // translation_coerce.cc
  // Converts a value of the type `from`. Checks the sizes of `to` that the value's info lacks at
  // run time.
  Operand Coerce(Operand x, TypeRef from, TypeRef to, const TextSpan& loc);
  Operand AdaptFunction(const Operand& function, const FuncType& from, const FuncType& to,
                        const TextSpan& loc);
  bool Satisfies(ir::StructInfoRef info, TypeRef type);
  bool HasFunctions(TypeRef type) const;
  bool HasAnyDims(TypeRef type) const;

  // translation_refs.cc
  using CellId = size_t;
  struct Cell {
    Operand value;
    TypeRef type;
  };
  bool IsRef(ExprId id);
  std::optional<CellId> TranslateRef(ExprId id);
  Operand ReadCell(const ReadRef& read);
  Operand WriteCell(const WriteRef& write);
  std::vector<CellId> CellsIn(const std::vector<ExprId>& ids) const;
  Operand WithCells(const std::vector<CellId>& cells, const std::function<Operand()>& evaluate);
  Operand TakeCells(const std::vector<CellId>& cells, Operand evaluated);
  std::vector<CellId> EffectsOf(ExprId callee) const;
  Operand EffectfulCallee(ExprId callee);
  // Reports a function value that uses references.
  bool RefuseEffects(ExprId function);

  // translation_store.cc
  TypeRef StoreType();
  Operand EmptyStore();
  Operand NewStored(const NewRef& created, TypeRef type);
  Operand ReadStored(ExprId ref);
  void WriteStored(const WriteRef& write);
  void DefineStoreFunctions();
  // Declares a function of the store, unless `id` holds it.
  ir::GlobalId StoreFunction(const char* name, std::optional<ir::GlobalId>& id, bool has_value);
  ir::GlobalId StoreGet();
  ir::GlobalId StorePut(bool adds);
  Operand NodeOf(const Operand& tree);
  // Emits `root` for index 0, else `in` for the side of the tree and the index in it.
  Operand AtRoot(const Operand& index, const std::function<Operand()>& root,
                 const std::function<Operand(int side, const Operand& below)>& in);
  Operand TreeWith(bool adds, const Operands& in);
  // Adds a local function with this result. With stored references, it passes the store on.
  Operand MakeFunction(absl::string_view name, std::vector<Param> params, ir::StructInfoRef ret,
                       const std::function<Operand(const Operands&)>& body);
  // Reports references in the types of an exported function.
  void CheckExported(const Definition& definition);

  // translation_match.cc
  struct Occurrence {
    Operand value;
    TypeRef type;
  };
  struct MatchRow {
    std::vector<const Pattern*> patterns;  // one for each occurrence
    std::vector<std::pair<VarId, Operand>> bound;
    const Arm* arm;
  };
  Operand TranslateMatch(ExprId id, const MatchTree& match);
  Operand Decide(ExprId id, std::vector<Occurrence> columns, std::vector<MatchRow> rows);
  Operand DecideConstructor(ExprId id, size_t column, std::vector<Occurrence> columns,
                            const std::vector<MatchRow>& rows);
  Operand DecideTuple(ExprId id, size_t column, const std::vector<Occurrence>& columns,
                      const std::vector<MatchRow>& rows);
  Operand DecideFields(ExprId id, size_t column, const std::vector<Occurrence>& columns,
                       const std::vector<MatchRow>& rows, const Constructor* constructor,
                       const Operands& fields, const std::vector<TypeRef>& types);
  Operand FailMatch(ExprId id);
  Operand Placeholder(const Operand& tag, TypeRef type, const TextSpan& loc);

  const Expr& At(ExprId id) const { return m_.tree.exprs[id]; }

  ir::Context& context_;
  TypedModule& m_;
  Types& types_;
  Diagnostics& diags_;
  transform::BlockBuilder builder_;
  // References are indices into a store, the first of the cells.
  const bool stored_;
  std::optional<ir::GlobalId> store_get_, store_set_, store_add_;

  TypeRef erased_ = nullptr;
  size_t polymorphic_instances_ = 0;
  absl::flat_hash_set<const Definition*> instantiated_;
  std::map<std::string, ir::GlobalId> instances_;  // by name and type arguments
  std::deque<Instance> open_;                      // declared, not yet defined

  // Of the instance that is translated.
  TypeArgs type_args_;
  std::unique_ptr<SharedPlaces> places_;
  absl::flat_hash_map<VarId, Operand> values_;
  absl::flat_hash_map<ExprId, Operand> shared_;  // evaluated graph variables
  std::vector<ExprId> scopes_;                   // open, the innermost last
  // Values whose constructor is known, by variable.
  struct Constructed {
    const Constructor* constructor;
    Operands fields;
  };
  std::map<ir::ValueId, Constructed> constructed_;
  std::vector<Cell> cells_;  // all references that were created
  absl::flat_hash_map<VarId, CellId> refs_;
  absl::flat_hash_map<ExprId, CellId> shared_refs_;
  // Local functions that use references, and which.
  absl::flat_hash_map<VarId, std::vector<CellId>> effects_;
  absl::flat_hash_map<ExprId, std::vector<CellId>> shared_effects_;
  std::vector<CellId> match_cells_;  // that the clauses of the match use

  Operand unmatched_tag_;  // the tag that was tested last
  absl::flat_hash_map<ExprId, Operand> literals_;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_TRANSLATE_TRANSLATION_H_
