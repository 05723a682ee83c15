/* main.c - the program limitlab: everything is in cli.c, so that tests can link it. */
#include "cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
