#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model.h"
#include "page.h"

static bool cannot_write(struct report_failure *failure, const char *path)
{
    return report_fail(failure, REPORT_TROUBLE, "%s: %s; expected a folder that can be written to", path,
                       strerror(errno));
}

/* One folder, its parents must be there. */
static bool make_folder(const char *folder, struct report_failure *failure)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    return cannot_write(failure, folder);
}

static bool fill(const char *path, const struct model *model, struct report_failure *failure)
{
    FILE *page = fopen(path, "w");
    if (!page)
        return cannot_write(failure, path);
    bool filled = page_write(page, model, failure);
    bool written = fflush(page) == 0 && !ferror(page);
    written = fclose(page) == 0 && written;
    if (filled && !written)
        return cannot_write(failure, path);
    return filled;
}

bool report_write(const char *database, const char *folder, int64_t run, char path[REPORT_PATH],
                  struct report_failure *failure)
{
    struct model model;
    char unfinished[REPORT_PATH + 8];
    if (snprintf(path, REPORT_PATH, "%s/report.html", *folder ? folder : ".") >= REPORT_PATH)
        return report_fail(failure, REPORT_BAD_INPUT, "the folder has too long a name; expected a shorter");
    snprintf(unfinished, sizeof unfinished, "%s.new", path);
    bool done = model_load(&model, database, run, failure) && make_folder(*folder ? folder : ".", failure);
    if (done && !fill(unfinished, &model, failure)) {
        unlink(unfinished);
        done = false;
    }
    if (done && rename(unfinished, path) != 0)
        done = cannot_write(failure, path);
    model_free(&model);
    return done;
}
