// Provides the importer of a Relay operator with one call: its arguments, attributes and a graph
// builder.
//
//   absl::StatusOr<Operand> ImportLeakyRelu(OpCall& c) {
//     return c.Op("relax.nn.leakyrelu", {c.Arg(0)}, {{"alpha", c.Float("alpha")}});
//   }
//
// Importers are also the type relations of their operators: type inference calls them on arguments
// of the known types and takes the type of the result. An importer therefore rejects every call
// that Relay rejects.
#ifndef LATHE_READER_RELAY_TEXT_OPS_OP_CALL_H_
#define LATHE_READER_RELAY_TEXT_OPS_OP_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/import/import_builder.h"

namespace lathe::relay {

using ir::DType;
using ir::Operand;
using ir::PrimRef;
using ops::Dims;
using ops::Indices;
using ops::ScalarMath;
using ops::Te;
using Operands = ImportBuilder::Operands;
using Scalars = ImportBuilder::Scalars;

struct OpRow;

class OpCall : public ImportBuilder {
 public:
  // `attrs` holds every attribute that the row declares. Arguments are tensors of known rank and
  // dtype, or tuples of these. Errors go to `diags` at `loc`.
  OpCall(ir::Context& context, transform::BlockBuilder& builder, const OpRow& row, Operands args,
         ir::AttrMap attrs, Location loc, Diagnostics& diags);

  const OpRow& row() const { return row_; }
  // Returns the name as Relay spells it: "nn.conv2d".
  absl::string_view op() const;

  // Arguments.
  int args() const { return static_cast<int>(args_.size()); }
  // Returns the tensor of argument `i`. Reports an error of the call, and returns a placeholder, if
  // it is not a tensor.
  Operand Arg(int i);
  Operands AllArgs();
  // Returns the fields of a tuple argument. Reports an error of the call, and returns no fields, if
  // it is not a tuple.
  Operands Fields(int i);
  // Returns the elements of an argument, if they are known at compile time.
  std::optional<std::vector<int64_t>> ConstantInts(int i);
  std::optional<std::vector<double>> ConstantNumbers(int i);
  std::optional<ir::Constant> ConstantArg(int i);

  // After an error all dimensions are 1, with a rank that suffices for every importer.
  const Dims& DimsOf(const Operand& x) override;

  // Attributes. The row declares their types; an attribute of type T? may be None.
  bool IsNone(const std::string& name) const;
  bool Bool(const std::string& name) const;
  int64_t Int(const std::string& name) const;
  double Float(const std::string& name) const;
  const std::string& Str(const std::string& name) const;
  std::vector<int64_t> Ints(const std::string& name) const;
  std::vector<double> Floats(const std::string& name) const;
  std::vector<std::vector<int64_t>> IntLists(const std::string& name) const;  // pad_width
  std::optional<int64_t> OptionalInt(const std::string& name) const;
  std::optional<std::vector<int64_t>> OptionalInts(const std::string& name) const;
  // Returns the dtype of that name; nullopt for "" and "void". Reports an error of the call for an
  // unknown name.
  std::optional<DType> DTypeAttr(const std::string& name);
  const ir::AttrValue& Attr(const std::string& name) const;
  const ir::AttrMap& attrs() const { return attrs_; }

  DiagnosticBuilder Error() override;
  DiagnosticBuilder Unsupported() override;
  const Location& loc() const { return loc_; }

 private:
  // The first error of a call is reported; its consequences are not.
  Diagnostics& Sink();
  void Fail(absl::string_view message);

  const OpRow& row_;
  Operands args_;
  ir::AttrMap attrs_;
  Location loc_;
  Diagnostics& diags_;
  Diagnostics consequences_;
  const size_t errors_before_;
  Dims no_dims_;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_OP_CALL_H_
