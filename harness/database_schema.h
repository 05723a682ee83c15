/* database_schema.h - the tables of a results file, and how an older file becomes a current one. */
#ifndef LIMITLAB_DATABASE_SCHEMA_H
#define LIMITLAB_DATABASE_SCHEMA_H
#include <sqlite3.h>
#include "failure.h"
#include "figures.h"

/* Creates, migrates or refuses what was just opened; then it has the current schema, each figure a column. */
bool schema_prepare(sqlite3 *sqlite, const char *path, struct failure *failure);

/* "worst_window_cost" for "worst_window.cost": what a figure's column is called. */
enum { SCHEMA_COLUMN = 48 };
const char *schema_column(const char *path, char out[SCHEMA_COLUMN]);

/* Texts, digests, and decimals, which stay exact so. */
bool schema_stores_text(enum figure_kind kind);

/* fail() with SQLite's own words. */
bool schema_trouble(sqlite3 *sqlite, const char *path, struct failure *failure);
#endif
