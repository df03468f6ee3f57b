# Sourced by tools/demo and tools/test: installs missing Debian packages.
#
#   install_packages cmake ninja-build
#
# Without apt, it lists the packages and continues: the build reports what is really missing.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "This system has no apt-get; these Debian packages, or their like, are needed: ${missing[*]}" >&2
        return 0
    fi
    echo "Installing packages: ${missing[*]}" >&2
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "Become root, or install sudo, to install them." >&2; return 1; }
        root=(sudo)
    fi
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || return 1
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Packages to build lathe, further ones for its tests, and for the tests on emulated boards.
build_packages=(g++ cmake ninja-build libabsl-dev nlohmann-json3-dev zlib1g-dev)
board_packages=(gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf
    gcc-avr avr-libc gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-system-arm qemu-system-misc qemu-user)
test_packages=(libgtest-dev libgmock-dev python3 clang clang-format mold)
