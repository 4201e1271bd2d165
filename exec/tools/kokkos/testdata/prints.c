/* A library that prints at the end. */
#include <stdio.h>

void kokkosp_finalize_library(void) { printf("end of the library\n"); }
