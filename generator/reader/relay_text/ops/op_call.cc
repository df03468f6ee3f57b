#include "generator/reader/relay_text/ops/op_call.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/constant_elements.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "generator/support/check.h"

namespace lathe::relay {
namespace {

// More than any importer asks for.
constexpr size_t kPlaceholderRank = 32;

}  // namespace

OpCall::OpCall(ir::Context& context, transform::BlockBuilder& builder, const OpRow& row,
               Operands args, ir::AttrMap attrs, Location loc, Diagnostics& diags)
    : ImportBuilder(context, builder),
      row_(row),
      args_(std::move(args)),
      attrs_(std::move(attrs)),
      loc_(std::move(loc)),
      diags_(diags),
      errors_before_(builder.premature().all().size()),
      no_dims_(kPlaceholderRank, context.Int(1)) {}

absl::string_view OpCall::op() const { return row_.name; }

Diagnostics& OpCall::Sink() {
  const bool first = status_.ok() && builder().premature().all().size() == errors_before_;
  return first ? diags_ : consequences_;
}

DiagnosticBuilder OpCall::Error() {
  DiagnosticBuilder error = Sink().Error(loc_, "relay-bad-call");
  error << row_.name << ": ";
  return error;
}

DiagnosticBuilder OpCall::Unsupported() {
  DiagnosticBuilder error = Sink().Unsupported(loc_, "relay-unsupported");
  error << row_.name << ": ";
  return error;
}

void OpCall::Fail(absl::string_view message) {
  if (status_.ok()) status_ = Error() << message;
}

Operand OpCall::Arg(int i) {
  if (i < args()) {
    const Operand& arg = args_[static_cast<size_t>(i)];
    if (builder().InfoOf(arg)->As<ir::TensorInfo>() != nullptr) return arg;
  }
  Fail(absl::StrCat("argument ", i + 1, " has to be a tensor"));
  return Number(0, DType::Float(32));
}

Operands OpCall::AllArgs() {
  Operands all;
  for (int i = 0; i < args(); ++i) all.push_back(Arg(i));
  return all;
}

Operands OpCall::Fields(int i) {
  if (i < args()) {
    const Operand& arg = args_[static_cast<size_t>(i)];
    if (const auto* tuple = arg.As<ir::TupleExpr>()) return tuple->fields;
    if (const auto* info = builder().InfoOf(arg)->As<ir::TupleInfo>()) {
      Operands fields;
      for (size_t k = 0; k < info->fields.size(); ++k) {
        fields.push_back(Field(arg, static_cast<int>(k)));
      }
      return fields;
    }
  }
  Fail(absl::StrCat("argument ", i + 1, " has to be a tuple of tensors"));
  return {};
}

std::optional<ir::Constant> OpCall::ConstantArg(int i) {
  if (i >= args()) return std::nullopt;
  const auto* id = args_[static_cast<size_t>(i)].As<ir::ConstantId>();
  if (id == nullptr) return std::nullopt;
  return builder().ConstantAt(*id);
}

std::optional<std::vector<int64_t>> OpCall::ConstantInts(int i) {
  const std::optional<ir::Constant> constant = ConstantArg(i);
  return constant ? interp::IntsOfConstant(*constant) : std::nullopt;
}

std::optional<std::vector<double>> OpCall::ConstantNumbers(int i) {
  const std::optional<ir::Constant> constant = ConstantArg(i);
  if (!constant) return std::nullopt;
  return interp::NumbersOfConstant(*constant);
}

const Dims& OpCall::DimsOf(const Operand& x) {
  const auto* info = builder().InfoOf(x)->As<ir::TensorInfo>();
  if (info == nullptr) {
    Fail(absl::StrCat("it needs a tensor, not ", ir::ToString(builder().InfoOf(x))));
    return no_dims_;
  }
  if (info->dims() == nullptr) {
    if (status_.ok()) {
      status_ = Unsupported() << "the shape of " << ir::ToString(builder().InfoOf(x))
                              << " has to be known";
    }
    return no_dims_;
  }
  return *info->dims();
}

const ir::AttrValue& OpCall::Attr(const std::string& name) const {
  const auto found = attrs_.find(name);
  LATHE_CHECK(found != attrs_.end(),
              "an importer reads an attribute that its row does not declare");
  return found->second;
}

bool OpCall::IsNone(const std::string& name) const { return Attr(name).is_none(); }
bool OpCall::Bool(const std::string& name) const { return *Attr(name).As<bool>(); }
int64_t OpCall::Int(const std::string& name) const { return *Attr(name).As<int64_t>(); }
double OpCall::Float(const std::string& name) const { return *Attr(name).As<double>(); }
const std::string& OpCall::Str(const std::string& name) const {
  return *Attr(name).As<std::string>();
}

std::vector<int64_t> OpCall::Ints(const std::string& name) const {
  std::vector<int64_t> values;
  for (const ir::AttrValue& v : *Attr(name).As<ir::AttrList>()) values.push_back(*v.As<int64_t>());
  return values;
}

std::vector<double> OpCall::Floats(const std::string& name) const {
  std::vector<double> values;
  for (const ir::AttrValue& v : *Attr(name).As<ir::AttrList>()) values.push_back(*v.As<double>());
  return values;
}

std::vector<std::vector<int64_t>> OpCall::IntLists(const std::string& name) const {
  std::vector<std::vector<int64_t>> lists;
  for (const ir::AttrValue& list : *Attr(name).As<ir::AttrList>()) {
    std::vector<int64_t>& values = lists.emplace_back();
    for (const ir::AttrValue& v : *list.As<ir::AttrList>()) values.push_back(*v.As<int64_t>());
  }
  return lists;
}

std::optional<int64_t> OpCall::OptionalInt(const std::string& name) const {
  if (IsNone(name)) return std::nullopt;
  return Int(name);
}

std::optional<std::vector<int64_t>> OpCall::OptionalInts(const std::string& name) const {
  if (IsNone(name)) return std::nullopt;
  return Ints(name);
}

std::optional<DType> OpCall::DTypeAttr(const std::string& name) {
  if (IsNone(name)) return std::nullopt;
  const std::string& text = Str(name);
  if (text.empty() || text == "void") return std::nullopt;
  const std::optional<DType> dtype = ir::ParseDType(text);
  if (!dtype) Fail(absl::StrCat("'", text, "' is not a dtype"));
  return dtype;
}

}  // namespace lathe::relay
