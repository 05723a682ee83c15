#include "glossary.h"

#include "html.h"

static const struct { const char *id, *term, *meaning; } entries[] = {
    { "target", "target",
      "What you ask for. A curve allows burst + rate * t in any span t; a window allows the limit in any "
      "period. It is kept apart from the limiter's own promise: a correct limiter can be the wrong one for "
      "you." },
    { "qualifies", "qualifies",
      "The design meets every requirement; where none was given, it keeps the target on this traffic." },
    { "exact", "exact",
      "Nothing over the target, and no request admitted, denied or left without a decision wrongly." },
    { "over-admitted", "over-admitted",
      "Admitted requests that an exact policer for the target, charging only what it keeps, would refuse." },
    { "boundary-burst", "boundary burst",
      "The smallest burst that explains what was admitted, over the burst you allow. 1 keeps the curve "
      "burst + rate * t; 2 is the textbook double at the edge of a fixed window." },
    { "worst-window", "worst window",
      "The largest cost admitted in any window of one period, over the limit. A correct token bucket can "
      "come near 2 here after a pause: a saved burst and a period's refill fall into one window." },
    { "wrongly-denied", "wrongly denied",
      "Requests that were denied although the same limiter with one atomic state, charged with what was "
      "really admitted so far, would have let them through; as a share of all requests." },
    { "latency", "p50, p99",
      "Time from arrival to verdict at the caller, denials included: half of the verdicts, or 99 of 100, "
      "came within it." },
    { "lost-updates", "lost updates",
      "Writes that replaced a version which their writer had not read: what somebody else wrote in between "
      "is gone." },
    { "retries", "retries",
      "Attempts after a compare-and-set that failed because somebody else wrote first." },
    { "store-operations", "store operations", "Reads and writes of the store, over all requests." },
};

void glossary_write(FILE *page)
{
    fputs("<h2 id=\"glossary\">What the words mean</h2>\n<dl class=\"glossary\">\n", page);
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++)
        html_print(page, "<dt id=\"%s\">%s</dt>\n<dd>%s</dd>\n", entries[i].id, entries[i].term,
                   entries[i].meaning);
    fputs("</dl>\n", page);
}
