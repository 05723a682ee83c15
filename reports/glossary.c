#include "glossary.h"

#include "html.h"

static const struct { const char *id, *term, *meaning; } entries[] = {
    { "target", "target",
      "What you ask for. A curve allows burst + rate * t in any span t; a window allows the limit in any "
      "period. It is kept apart from the limiter's own promise: a correct limiter can be the wrong one for "
      "you." },
    { "qualifies", "qualifies",
      "The design meets every requirement; where none was given, it keeps the target on this traffic and "
      "decides every request. Best first: the fewest wrong admissions and refusals (together up to 1% of "
      "the requests count as none), then speed." },
    { "exact", "exact",
      "Nothing over the target, no request without a decision, and nothing refused that the ideal admits: "
      "of ideal is at least 99.9%." },
    { "over-admitted", "over-admitted",
      "Admitted requests that an exact policer for the target, charging only what it keeps, would refuse." },
    { "why", "why",
      "The largest cause of the excess, and its share when it is not the only one. The same traffic is run "
      "five times, with one thing more each time, and a cause's part is the difference that it makes: "
      "algorithm (the limiter alone, with one exact owner), sharing (split or stale copies, while every "
      "request finishes at its instant), race (delays, so that requests overlap), fault (what goes wrong on "
      "the time line, and messages lost or doubled), clock (clocks that are off). The parts sum to the "
      "excess." },
    { "boundary-burst", "boundary burst",
      "The smallest burst that explains what was admitted, over the burst you allow. 1 keeps the curve "
      "burst + rate * t; 2 is the textbook double at the edge of a fixed window." },
    { "worst-window", "worst window",
      "The largest cost admitted in any window of one period, over the limit. A correct token bucket can "
      "come near 2 here after a pause: a saved burst and a period's refill fall into one window." },
    { "of-ideal", "of ideal",
      "Admitted requests as a share of those that the same limiter alone, asked without delay, would admit "
      "on the same arrivals. Below 100% the design refuses too many; above it, it admits too many." },
    { "wrongly-denied", "wrongly denied",
      "Requests that were denied although the same limiter with one atomic state, charged with what was "
      "really admitted so far, would have let them through. On a saturated key nearly every denial "
      "counts, even when as many are admitted as the ideal admits: read it beside of ideal." },
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
