/* glossary.h - what each measure means, in one place for the page. */
#ifndef LIMITLAB_GLOSSARY_H
#define LIMITLAB_GLOSSARY_H
#include <stdio.h>

/* A list in which each term has the id that columns.h names. */
void glossary_write(FILE *page);
#endif
