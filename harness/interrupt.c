/* interrupt.c - see interrupt.h. */
#include "interrupt.h"
#include <signal.h>
#include <stddef.h>

static volatile int interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

const volatile int *interrupt_watch(void)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND };

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}
