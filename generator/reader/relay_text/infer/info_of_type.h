// Converts between Relay's types and structural information.
#ifndef LATHE_READER_RELAY_TEXT_INFER_INFO_OF_TYPE_H_
#define LATHE_READER_RELAY_TEXT_INFER_INFO_OF_TYPE_H_

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/reader/relay_text/types/types.h"

namespace lathe::relay {

// How a dimension of any size becomes a size.
enum class AnyDims {
  kNewVars,  // a new shape variable each, where the info binds it: parameters, R.match_cast
  kUnknown,  // the shape is unknown, only the rank is known: results, types of functions
};

// How references are represented.
enum class RefForm {
  kVariables,  // variables of the translation: they have no info
  kStored,     // indices into a store, which each function takes last and returns after its result
};

// Returns the info of a store: the number of its values, and the tree of them.
ir::StructInfoRef StoreInfo(ir::Context& context);

// Returns the info of a type. Data types, type parameters and undetermined types give an object.
// Operators, references under kVariables, and types that contain one of these give null. New shape
// variables are named after `name` and the position of their dimension: x_0.
ir::StructInfoRef InfoOfType(ir::Context& context, const Types& types, TypeRef type,
                             AnyDims any_dims, absl::string_view name = "n",
                             RefForm refs = RefForm::kVariables);

// Returns the type of a tensor or a tuple of tensors; null for other values. Sizes that are not
// constants become any size.
TypeRef TypeOfInfo(Types& types, ir::StructInfoRef info);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_INFER_INFO_OF_TYPE_H_
