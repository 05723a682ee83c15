/* spin.pml - the protocols of small worlds as Spin has them: one operation of the store is one step.
 *
 * CLIENTS clients send REQUESTS requests each, one after another, at a limit of LIMIT; RULE says by which
 * protocol.  A client that waits has nothing in `seen`, so that states are the same when all that matters is. */
#define GET_THEN_SET 1
#define CAS          2
#define INCR         3

c_decl { static int most; }
byte stored, admitted;

inline admit()
{
    admitted++;
    c_code { if (now.admitted > most) printf("most %d\n", most = now.admitted); };
    assert(admitted <= LIMIT)
}

inline next() { left--; seen = 0; decided = false }

active [CLIENTS] proctype client()
{
    byte left = REQUESTS, seen;
    bool decided;
end:
    do
#if RULE == INCR
    :: d_step { left > 0 -> stored++; if :: stored <= LIMIT -> admit() :: else fi; next() }
#else
    :: d_step { left > 0 && !decided -> seen = stored;
       if
       :: seen >= LIMIT -> next()
#if RULE == GET_THEN_SET
       :: else -> decided = true; admit()
#else
       :: else -> decided = true
#endif
       fi }
#endif
#if RULE == GET_THEN_SET
    :: d_step { decided -> stored = seen + 1; next() }
#elif RULE == CAS
    :: d_step { decided ->
       if
       :: stored == seen -> stored = seen + 1; admit(); next()
       :: else -> seen = 0; decided = false
       fi }
#endif
    od
}
