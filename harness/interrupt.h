/* interrupt.h - what Ctrl-C does: at first it ends the program, with the exit code for that; once a long
 * command has something to keep, it asks the command to stop, and a second one ends it at once. */
#ifndef LIMITLAB_INTERRUPT_H
#define LIMITLAB_INTERRUPT_H

/* From here on SIGINT and SIGTERM end the program with EXIT_INTERRUPTED. */
void interrupt_ends(void);

/* From here on: set to 1 when SIGINT or SIGTERM arrives, 0 before. */
const volatile int *interrupt_watch(void);
#endif
