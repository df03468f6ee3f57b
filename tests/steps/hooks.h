// Defines hooks that call functions of drive.c.
#ifndef LATHE_TESTS_STEPS_HOOKS_H_
#define LATHE_TESTS_STEPS_HOOKS_H_

void hook_on(unsigned step);
void hook_after(unsigned step);
#define LATHE_ON_STEP(index) hook_on(index)
#define LATHE_AFTER_STEP(index) hook_after(index)

#endif  // LATHE_TESTS_STEPS_HOOKS_H_
