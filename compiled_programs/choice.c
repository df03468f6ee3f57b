#include <string.h>
int p481_main(int argc, char **argv);
int p482_main(int argc, char **argv);
int p483_main(int argc, char **argv);
int p484_main(int argc, char **argv);
int p485_main(int argc, char **argv);
int p486_main(int argc, char **argv);
int p487_main(int argc, char **argv);
int p488_main(int argc, char **argv);
int p489_main(int argc, char **argv);
int p490_main(int argc, char **argv);
int p491_main(int argc, char **argv);
int p492_main(int argc, char **argv);
int p493_main(int argc, char **argv);
int p494_main(int argc, char **argv);
int p495_main(int argc, char **argv);
int p496_main(int argc, char **argv);
int p497_main(int argc, char **argv);
int p498_main(int argc, char **argv);
int p499_main(int argc, char **argv);
int p500_main(int argc, char **argv);
int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "p481") == 0) {
    return p481_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p482") == 0) {
    return p482_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p483") == 0) {
    return p483_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p484") == 0) {
    return p484_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p485") == 0) {
    return p485_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p486") == 0) {
    return p486_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p487") == 0) {
    return p487_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p488") == 0) {
    return p488_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p489") == 0) {
    return p489_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p490") == 0) {
    return p490_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p491") == 0) {
    return p491_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p492") == 0) {
    return p492_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p493") == 0) {
    return p493_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p494") == 0) {
    return p494_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p495") == 0) {
    return p495_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p496") == 0) {
    return p496_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p497") == 0) {
    return p497_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p498") == 0) {
    return p498_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p499") == 0) {
    return p499_main(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "p500") == 0) {
    return p500_main(argc - 1, argv + 1);
  }
  return 105;
}
