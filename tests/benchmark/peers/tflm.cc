// A model in TensorFlow Lite Micro, for main.c. PEER_OPERATORS adds its operators to `resolver`.
#include <cstddef>
#include <cstdint>
#include <new>

#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

extern "C" {
#include "board.h"

extern const uint8_t peer_model[];
int peer_start(void);
void peer_run(void);
const uint8_t* peer_output(size_t* bytes);
size_t peer_unused(void);
}

namespace {

constexpr size_t kArena = 256 * 1024;
alignas(16) uint8_t arena[kArena];
tflite::MicroInterpreter* interpreter;
using Resolver = tflite::MicroMutableOpResolver<16>;
// In raw memory, so that no destructor is registered.
alignas(Resolver) uint8_t resolver_place[sizeof(Resolver)];
alignas(tflite::MicroInterpreter) uint8_t interpreter_place[sizeof(tflite::MicroInterpreter)];

}  // namespace

// Destructors that nothing calls refer to it.
void operator delete(void*) noexcept {}
void operator delete(void*, size_t) noexcept {}

int peer_start(void) {
  Resolver& resolver = *new (resolver_place) Resolver;
  PEER_OPERATORS
  interpreter = new (interpreter_place)
      tflite::MicroInterpreter(tflite::GetModel(peer_model), resolver, arena, kArena);
  if (interpreter->AllocateTensors() != kTfLiteOk) return 1;
  board_read_inputs(interpreter->input(0)->data.raw, 0, interpreter->input(0)->bytes);
  return 0;
}

__attribute__((noinline)) void peer_run(void) {
  (void)interpreter->Invoke();
  __asm__ volatile(
      "" ::
          : "memory");  // the call is not the last instruction, which the plugin would not count
}

const uint8_t* peer_output(size_t* bytes) {
  *bytes = interpreter->output(0)->bytes;
  return interpreter->output(0)->data.uint8;
}

size_t peer_unused(void) { return kArena - interpreter->arena_used_bytes(); }
