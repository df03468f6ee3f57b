/* Calls app_main, as the start-up code of ESP-IDF does. */
void app_main(void);

int main(void) {
  app_main();
  return 0;
}
