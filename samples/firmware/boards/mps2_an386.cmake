# Arm MPS2 with a Cortex-M4F.
include(${CMAKE_CURRENT_LIST_DIR}/cortex_m.cmake)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard")
set(BOARD_TARGET cortex-m4f)
set(BOARD_FLASH 0x00000000)
set(BOARD_FLASH_SIZE 4M)
set(BOARD_RAM 0x20000000)
set(BOARD_RAM_SIZE 4M)
set(BOARD_EMULATOR qemu-system-arm -M mps2-an386 -nographic -monitor none -serial null
  -semihosting-config enable=on,target=native -kernel)
