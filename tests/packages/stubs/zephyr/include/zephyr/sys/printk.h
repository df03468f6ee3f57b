/* For the host: the console is standard output. */
#ifndef LATHE_TESTS_PACKAGES_STUBS_ZEPHYR_INCLUDE_ZEPHYR_SYS_PRINTK_H_
#define LATHE_TESTS_PACKAGES_STUBS_ZEPHYR_INCLUDE_ZEPHYR_SYS_PRINTK_H_

#include <stdio.h>
#define printk(...) ((void)printf(__VA_ARGS__))

#endif  // LATHE_TESTS_PACKAGES_STUBS_ZEPHYR_INCLUDE_ZEPHYR_SYS_PRINTK_H_
