/* interrupt.c - see interrupt.h. */
#include "interrupt.h"
#include <signal.h>
#include <stddef.h>
#include <unistd.h>
#include "failure.h"

static volatile int interrupted;

static void remember(int number)
{
    (void)number;
    interrupted = 1;
}

static void end(int number)
{
    (void)number;
    _exit(EXIT_INTERRUPTED);
}

static void on_interrupt(void (*handler)(int), int flags)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART | flags };

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void interrupt_ends(void)
{
    on_interrupt(end, 0);
}

const volatile int *interrupt_watch(void)
{
    on_interrupt(remember, (int)SA_RESETHAND);
    return &interrupted;
}
