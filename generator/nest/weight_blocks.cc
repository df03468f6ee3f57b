#include "generator/nest/weight_blocks.h"

#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::nest {
namespace {

using ir::PrimRef;

// The load below casts that keep the value.
const ir::Load* LoadBelow(PrimRef e) {
  const auto* cast = e->As<ir::Cast>();
  if (cast != nullptr) e = cast->value;
  const auto* load = e->As<ir::Load>();
  return load == nullptr || load->predicate != nullptr ? nullptr : load;
}

bool IsSmallInteger(const ir::Load* load) {
  return load != nullptr && load->buffer->dtype.is_integer() && load->buffer->dtype.bits <= 8;
}

bool IsFloat(const ir::Load* load) {
  return load != nullptr && load->buffer->dtype == ir::DType::Float(32);
}

// float(q) or float(int32(q) - int32(z))
bool ReadIntegers(PrimRef e, Dequantized& out) {
  const auto* cast = e->As<ir::Cast>();
  if (cast == nullptr || e->dtype() != ir::DType::Float(32)) return false;
  if (const auto* difference = cast->value->As<ir::Binary>()) {
    if (difference->op != ir::BinaryOp::kSub || cast->value->dtype() != ir::DType::Int(32)) {
      return false;
    }
    out.integers = LoadBelow(difference->lhs);
    out.zeros = LoadBelow(difference->rhs);
    return IsSmallInteger(out.integers) && IsSmallInteger(out.zeros);
  }
  out.integers = LoadBelow(e);
  return IsSmallInteger(out.integers);
}

}  // namespace

std::optional<Dequantized> DequantizedBy(PrimRef e) {
  const auto* product = e->As<ir::Binary>();
  if (product == nullptr || product->op != ir::BinaryOp::kMul) return std::nullopt;
  if (e->dtype() != ir::DType::Float(32)) return std::nullopt;
  Dequantized out;
  out.scales = LoadBelow(product->rhs);
  if (!IsFloat(out.scales) || !ReadIntegers(product->lhs, out)) return std::nullopt;
  return out;
}

std::optional<Dequantized> DequantizedBy(ir::Context& context, const ir::NestStage& stage) {
  if (stage.acc != nullptr || stage.value == nullptr) return std::nullopt;
  RewriteScalar rewrite(context);
  for (const ir::NestLet& let : stage.lets) rewrite.Replace(let.var, rewrite(let.value));
  return DequantizedBy(rewrite(stage.value));
}

std::optional<WeightBlocks> BlocksOf(const ir::Load& integers, const ir::Load& scales) {
  const size_t rank = integers.indices.size();
  if (scales.indices.size() == 1 && rank != 1) {
    for (size_t a = 0; a < rank; ++a) {
      if (integers.indices[a] == scales.indices[0]) return WeightBlocks{static_cast<int64_t>(a), 0};
    }
    return std::nullopt;
  }
  if (scales.indices.size() != rank || rank == 0) return std::nullopt;
  WeightBlocks out{0, rank == 1 ? 0 : 1};
  bool found = false;
  for (size_t a = 0; a < rank; ++a) {
    const PrimRef index = scales.indices[a];
    if (index == integers.indices[a]) continue;
    if (found) return std::nullopt;
    found = true;
    out.axis = static_cast<int64_t>(a);
    const auto* quotient = index->As<ir::Binary>();
    const auto size = Number(integers.buffer->shape[a]);
    if (quotient != nullptr && quotient->op == ir::BinaryOp::kFloorDiv &&
        quotient->lhs == integers.indices[a] && Number(quotient->rhs)) {
      out.block = *Number(quotient->rhs);
    } else if (IsNumber(index, 0) && size && *size > 0) {
      out.block = *size;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace lathe::nest
