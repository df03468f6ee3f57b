# Arm MPS3 with a Cortex-M55: code and data in tightly coupled memories.
include(${CMAKE_CURRENT_LIST_DIR}/cortex_m.cmake)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard")
set(BOARD_TARGET cortex-m55)
set(BOARD_FLASH 0x00000000)
set(BOARD_FLASH_SIZE 512K)
set(BOARD_RAM 0x20000000)
set(BOARD_RAM_SIZE 512K)
set(BOARD_EMULATOR qemu-system-arm -M mps3-an547 -nographic -monitor none -serial null
  -semihosting-config enable=on,target=native -kernel)
