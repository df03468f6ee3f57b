# BBC micro:bit: Cortex-M0 with 16 KiB of RAM.
include(${CMAKE_CURRENT_LIST_DIR}/cortex_m.cmake)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m0 -mthumb")
set(BOARD_TARGET cortex-m0)
set(BOARD_FLASH 0x00000000)
set(BOARD_FLASH_SIZE 256K)
set(BOARD_RAM 0x20000000)
set(BOARD_RAM_SIZE 16K)
set(BOARD_EMULATOR qemu-system-arm -M microbit -nographic -monitor none -serial null
  -semihosting-config enable=on,target=native -kernel)
