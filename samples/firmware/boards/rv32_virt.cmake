# QEMU's RISC-V machine `virt` with 32 bits and without floats.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program needs the linker script
set(CMAKE_C_FLAGS_INIT "-march=rv32imc -mabi=ilp32 -mcmodel=medany --specs=picolibc.specs")
set(BOARD_TARGET rv32imc)
set(BOARD_SOURCE boards/start.c boards/riscv_virt.c)
set(BOARD_FLASH 0x80000000)
set(BOARD_FLASH_SIZE 16M)
set(BOARD_RAM 0x81000000)
set(BOARD_RAM_SIZE 16M)
set(BOARD_EMULATOR qemu-system-riscv32 -M virt -bios none -display none -monitor none -serial stdio -kernel)
