#include "generator/lower/returned_params.h"

#include <utility>

namespace lathe::lower {

void RemoveReturnedParams(const Lowering& lowering, ir::GlobalId id, const ir::Function& f,
                          Signature& signature) {
  if (!lowering.effects.WritesAny(id)) return;
  auto* tuple = std::get_if<TupleForm>(&signature.result.node);
  const size_t count = tuple != nullptr ? tuple->fields.size() : 1;
  const ParamRoots roots(lowering.module, lowering.effects, f);
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    Form& field = tuple != nullptr ? tuple->fields[i] : signature.result;
    const int param = roots.Returned(i);
    const bool is_tensor =
        param != kOwnBytes && field.As<ir::TensorId>() != nullptr &&
        signature.params[static_cast<size_t>(param)].As<ir::TensorId>() != nullptr;
    signature.returned.push_back(is_tensor ? param : kOwnBytes);
    if (is_tensor) field = Form{Nothing{}};
    any = any || is_tensor;
  }
  if (!any) signature.returned.clear();
}

ir::StructInfoRef WithoutReturnedParams(ir::Context& context, const Signature& signature,
                                        ir::StructInfoRef result) {
  if (signature.returned.empty()) return result;
  const auto* tuple = result->As<ir::TupleInfo>();
  if (tuple == nullptr) return context.Tuple({});
  std::vector<ir::StructInfoRef> fields = tuple->fields;
  for (size_t k = 0; k < fields.size() && k < signature.returned.size(); ++k) {
    if (signature.returned[k] != kOwnBytes) fields[k] = context.Tuple({});
  }
  return context.Tuple(std::move(fields));
}

void InsertReturnedParams(const Signature& signature, const std::vector<Form>& args, bool is_tuple,
                          Form& result) {
  auto* tuple = std::get_if<TupleForm>(&result.node);
  const bool fits = tuple != nullptr && tuple->fields.size() == signature.returned.size();
  if (is_tuple && !fits) return;
  for (size_t k = 0; k < signature.returned.size(); ++k) {
    const int param = signature.returned[k];
    if (param == kOwnBytes) continue;
    Form& field = is_tuple ? tuple->fields[k] : result;
    field = args[static_cast<size_t>(param)];
  }
}

}  // namespace lathe::lower
