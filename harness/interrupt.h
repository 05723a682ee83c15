/* interrupt.h - Ctrl-C asks a long command to stop and keep what is finished; a second one ends it at once.
 */
#ifndef LIMITLAB_INTERRUPT_H
#define LIMITLAB_INTERRUPT_H

/* From here on: set to 1 when SIGINT or SIGTERM arrives, 0 before. */
const volatile int *interrupt_watch(void);
#endif
