#include "generator/target/target.h"

#include "absl/strings/match.h"
#include "generator/target/portable_target.h"

namespace lathe {
namespace {

constexpr Target X86(absl::string_view name, absl::string_view summary, absl::string_view flags) {
  Target t = kPortable;
  t.name = name;
  t.summary = summary;
  t.flags = flags;
  t.int_bits = 32;
  t.l1_bytes = 32 * kKiB;
  t.l2_bytes = 256 * kKiB;
  t.vector_bytes = 16;
  t.vector_registers = 16;
  t.vector_macro = "__SSE2__";
  t.dot_products = 8;
  return t;
}

constexpr Target X86V3() {
  Target t =
      X86("x86-64-v3", "x86-64 with AVX2 and FMA: Haswell, Zen and later", "-march=x86-64-v3");
  t.ram_align = 32;
  t.vector_bytes = 32;
  t.vector_macro = "__AVX2__";
  t.has_fma = true;
  t.dot_products = 16;
  return t;
}

constexpr Target X86V4() {
  Target t = X86V3();
  t.name = "x86-64-v4";
  t.summary = "x86-64 with AVX-512: Skylake-X, Ice Lake, Zen 4 and later";
  t.flags = "-march=x86-64-v4 -mprefer-vector-width=512";
  t.ram_align = 64;
  t.l2_bytes = 1024 * kKiB;
  t.vector_bytes = 64;
  t.vector_registers = 32;
  t.vector_macro = "__AVX512F__";
  t.dot_products = 32;
  return t;
}

constexpr Target AArch64() {
  Target t = kPortable;
  t.name = "aarch64";
  t.summary = "64-bit Arm, v8.0-A with NEON";
  t.int_bits = 32;
  t.l1_bytes = 32 * kKiB;
  t.l2_bytes = 512 * kKiB;
  t.vector_bytes = 16;
  t.vector_registers = 32;
  t.vector_macro = "__ARM_NEON";
  t.has_fma = true;
  t.compiler = "aarch64-linux-gnu-gcc";
  t.packages = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross";
  return t;
}

constexpr Target CortexM(absl::string_view name, absl::string_view summary,
                         absl::string_view flags) {
  Target t = kPortable;
  t.name = name;
  t.summary = summary;
  t.flags = flags;
  t.int_bits = 32;
  t.pointer_bits = 32;
  t.ram_align = 8;
  t.has_float = false;
  t.has_double = false;
  t.compiler = "arm-none-eabi-gcc";
  t.packages = "gcc-arm-none-eabi libnewlib-arm-none-eabi";
  return t;
}

// With the DSP extension: two 16-bit products per instruction.
constexpr Target CortexMDsp(absl::string_view name, absl::string_view summary, bool has_float,
                            absl::string_view flags) {
  Target t = CortexM(name, summary, flags);
  t.has_float = has_float;
  t.has_fma = has_float;
  t.float_registers = has_float ? 32 : 0;
  t.dot_products = 2;
  return t;
}

constexpr Target CortexM55() {
  Target t = CortexMDsp("cortex-m55", "Arm Cortex-M55 with Helium: vectors, half, float, double",
                        true, "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard");
  t.ram_align = 16;
  t.vector_bytes = 16;
  t.vector_registers = 8;
  t.float_registers = 0;
  t.integer_lanes = 4;
  t.vector_macro = "__ARM_FEATURE_MVE";
  t.has_scalar_fma = true;
  t.has_double = true;
  t.has_half = true;
  t.dot_products = 16;
  return t;
}

constexpr Target RiscV(absl::string_view name, absl::string_view summary, int pointer_bits,
                       absl::string_view flags) {
  Target t = kPortable;
  t.name = name;
  t.summary = summary;
  t.flags = flags;
  t.int_bits = 32;
  t.pointer_bits = pointer_bits;
  t.ram_align = pointer_bits == 64 ? 16 : 8;
  t.has_fma = t.has_float = t.has_double = pointer_bits == 64;
  t.float_registers = pointer_bits == 64 ? 32 : 0;
  t.compiler = "riscv64-unknown-elf-gcc";
  t.packages = "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf";
  return t;
}

constexpr Target Xtensa(absl::string_view name, absl::string_view summary,
                        absl::string_view compiler) {
  Target t = kPortable;
  t.name = name;
  t.summary = summary;
  t.int_bits = 32;
  t.pointer_bits = 32;
  t.ram_align = 8;
  t.has_fma = true;
  t.has_double = false;
  t.compiler = compiler;
  t.flags = "-mlongcalls";
  t.packages = "";
  return t;
}

constexpr Target Avr8() {
  Target t = kPortable;
  t.name = "avr8";
  t.summary = "8-bit AVR: int, size_t and pointers of 16 bits, double of 32";
  t.pointer_bits = 16;
  t.double_bits = 32;
  t.has_c99_math = false;
  t.ram_align = 1;
  t.flash_align = 1;
  t.has_float = false;
  t.has_double = false;
  t.compiler = "avr-gcc";
  t.flags = "-mmcu=atmega2560";
  t.packages = "gcc-avr avr-libc";
  return t;
}

constexpr Target kTargets[] = {
    kPortable,
    X86("x86-64", "x86-64 with SSE2, which all have", "-march=x86-64"),
    X86V3(),
    X86V4(),
    AArch64(),
    CortexM("cortex-m0", "Arm Cortex-M0, M0+", "-mcpu=cortex-m0 -mthumb"),
    CortexM("cortex-m3", "Arm Cortex-M3", "-mcpu=cortex-m3 -mthumb"),
    CortexMDsp("cortex-m4", "Arm Cortex-M4 without its unit for float", false,
               "-mcpu=cortex-m4 -mthumb"),
    CortexMDsp("cortex-m4f", "Arm Cortex-M4 with a unit for float", true,
               "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard"),
    CortexMDsp("cortex-m7", "Arm Cortex-M7 with a unit for float", true,
               "-mcpu=cortex-m7 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard"),
    CortexMDsp("cortex-m33", "Arm Cortex-M33 with DSP and a unit for float", true,
               "-mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard"),
    CortexM55(),
    RiscV("rv32imc", "32-bit RISC-V without floats", 32,
          "-march=rv32imc -mabi=ilp32 -mcmodel=medany --specs=picolibc.specs"),
    RiscV("rv64gc", "64-bit RISC-V with float and double", 64,
          "-march=rv64gc -mabi=lp64d -mcmodel=medany --specs=picolibc.specs"),
    Xtensa("esp32", "Espressif ESP32: Xtensa LX6 with a unit for float", "xtensa-esp32-elf-gcc"),
    Xtensa("esp32s3", "Espressif ESP32-S3: Xtensa LX7 with a unit for float",
           "xtensa-esp32s3-elf-gcc"),
    Avr8(),
};

}  // namespace

absl::Span<const Target> AllTargets() { return kTargets; }

std::vector<absl::string_view> TargetNames() {
  std::vector<absl::string_view> names;
  for (const Target& target : kTargets) names.push_back(target.name);
  return names;
}

const Target* FindTarget(absl::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

const Target* WithFloatUnit(const Target& target) {
  if (target.has_float || target.flags.empty()) return nullptr;
  for (const Target& other : kTargets) {
    // The flags of the unit follow those of the processor.
    if (other.has_float && absl::StartsWith(other.flags, target.flags)) return &other;
  }
  return nullptr;
}

}  // namespace lathe
